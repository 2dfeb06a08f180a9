//! The check of requests to the operator's routes.

use firmquote_desk::Actor;

use super::origin_check::{check_host, check_same_origin};
use crate::{auth::Operator, endpoints::Access, error::ApiError, request::RequestContext, service::ServiceSnapshot};

/// Checks that a request to a route of the operator meets its [`Access`] rule, and returns the operator of `service` who
/// sent it if the rule requires one. The clients of other routes are authenticated by extractors.
///
/// # Errors
/// [`ApiError::CrossSite`], and those of [`ServiceSnapshot::check_operator`].
pub(crate) fn authorize<'s>(
    context: &RequestContext,
    service: &'s ServiceSnapshot,
) -> Result<Option<&'s Operator>, ApiError> {
    let access = context.endpoint().access;
    match access {
        Access::LocalHost => check_host(context.headers())?,
        Access::SameOrigin | Access::SameOriginOperator(_) => check_same_origin(context.headers())?,
        Access::Operator(_) | Access::Basic | Access::AnyClient | Access::ApiKey | Access::Unauthenticated => {}
    }
    access.required_role().map(|role| service.check_operator(context.source(), role)).transpose()
}

/// Returns who acts on a request that was authorized as `operator`, for the operator's stream; without a reason.
pub(crate) fn actor(context: &RequestContext, operator: Option<&Operator>) -> Actor {
    let name = operator.map(|operator| operator.name().as_str().to_owned());
    Actor { name, address: context.peer().map(|peer| peer.ip()), reason: None }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use actix_web::{
        App,
        body::BoxBody,
        dev::{Service as ActixService, ServiceResponse},
        http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN},
        test::{TestRequest, call_service, init_service},
    };
    use firmquote_desk::{Desk, FirmLevelsState, Pauses, PriceDesk};
    use firmquote_domain::{Clock, ManualClock, Timestamp};
    use firmquote_market::{
        Market, Snapshot,
        push::{PricePublisher, PublishError, PushedPrice},
    };
    use firmquote_store::MemoryStore;

    use crate::{
        AdminTokenHash, Credentials, Limits, LiveService, Metrics, NewAdminToken, Operator, Quota, Service, Settings,
        endpoints::{Access, ENDPOINTS, Endpoint},
        routes::admin_routes,
    };

    struct NoPublisher;

    #[async_trait::async_trait]
    impl PricePublisher for NoPublisher {
        async fn publish(&self, _: &[PushedPrice]) -> Result<(), PublishError> {
            Ok(())
        }
    }

    /// A service without pools.
    fn live(token: &NewAdminToken) -> Arc<LiveService> {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(Timestamp::from_micros(1)));
        let store = Arc::new(MemoryStore::new(0));
        let desk = Desk {
            pools: Vec::new(),
            pauses: Arc::new(Pauses::with_paused(Arc::clone(&store) as _, BTreeSet::new())),
            market: Arc::new(Market::new(Snapshot::default())),
            store: Arc::clone(&store) as _,
            firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
            clock: Arc::clone(&clock),
            operator_view: Arc::default(),
            recorder: None,
        };
        let service = Service {
            desk: Arc::new(desk),
            prices: Arc::new(PriceDesk { symbols: Vec::new(), publisher: Arc::new(NoPublisher), clock }),
            operators: vec![Operator::admin(AdminTokenHash::from_hex(&token.sha256_hex()).unwrap())],
            credentials: Credentials::new([]).unwrap(),
            // Every route is tried with a wrong token.
            settings: Settings {
                limits: Limits { failed_logins: Quota::per_minute(1_000, 1_000), ..Limits::default() },
                ..Settings::default()
            },
        };
        Arc::new(LiveService::new(service, Arc::new(Metrics::new("0.0.0-test").unwrap())).unwrap())
    }

    /// The status of the response to each method of an endpoint, with these headers.
    async fn statuses<A>(app: &A, endpoint: &Endpoint, headers: &[(HeaderName, &str)]) -> BTreeSet<u16>
    where
        A: ActixService<actix_http::Request, Response = ServiceResponse<BoxBody>, Error = actix_web::Error>,
    {
        let mut found = BTreeSet::new();
        for method in endpoint.methods.list().split(", ") {
            let request = TestRequest::with_uri(&endpoint.path.replace(['{', '}'], ""));
            let request = request.method(method.parse().unwrap());
            let request = headers.iter().cloned().fold(request, TestRequest::insert_header);
            found.insert(call_service(app, request.to_request()).await.status().as_u16());
        }
        found
    }

    #[actix_web::test]
    async fn every_restricted_route_refuses_what_its_row_forbids() {
        let token = NewAdminToken::generate().unwrap();
        let app = init_service(App::new().configure(admin_routes(live(&token)))).await;
        let bearer = format!("Bearer {}", token.reveal());
        let (host, right, wrong) = ((HOST, "localhost"), (AUTHORIZATION, bearer.as_str()), (AUTHORIZATION, "Bearer 1"));
        for endpoint in ENDPOINTS {
            let (needs_token, needs_origin) =
                (endpoint.access.required_role().is_some(), endpoint.access.requires_same_origin());
            if !needs_token && !needs_origin {
                continue;
            }
            let permitted = statuses(&app, endpoint, &[host.clone(), right.clone()]).await;
            assert!(permitted.is_disjoint(&BTreeSet::from([401, 403, 405])), "{endpoint:?}: {permitted:?}");
            let without = statuses(&app, endpoint, std::slice::from_ref(&host)).await;
            assert_eq!(without == BTreeSet::from([401]), needs_token, "{endpoint:?}: {without:?}");
            let guessed = statuses(&app, endpoint, &[host.clone(), wrong.clone()]).await;
            assert_eq!(guessed == BTreeSet::from([403]), needs_token, "{endpoint:?}: {guessed:?}");
            let rebound = statuses(&app, endpoint, &[(HOST, "evil.example"), right.clone()]).await;
            assert_eq!(rebound == BTreeSet::from([403]), needs_origin, "{endpoint:?}: {rebound:?}");
            let foreign = [host.clone(), right.clone(), (ORIGIN, "http://evil.example")];
            let foreign = statuses(&app, endpoint, &foreign).await;
            // A link from another site may lead to the page.
            let is_refused = needs_origin && !matches!(endpoint.access, Access::LocalHost);
            assert_eq!(foreign == BTreeSet::from([403]), is_refused, "{endpoint:?}: {foreign:?}");
        }
    }
}
