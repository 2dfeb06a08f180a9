//! The routes of each listener, as resources of an actix-web application.

mod authorization;
mod handlers;
mod middleware;
mod origin_check;
mod response;
mod route;
mod route_spec;

use std::sync::Arc;

use actix_web::{
    Route as ActixRoute,
    body::BoxBody,
    dev::ServiceRequest,
    middleware::{Next, from_fn},
    web::{ServiceConfig, resource},
};

pub(crate) use self::{
    handlers::SCRIPT_NAMES,
    route::Route,
    route_spec::{ListenerRole, Purpose},
};
use self::{handlers::handler, middleware::observe};
use crate::{LiveService, request::ListenerContext};

/// Returns the routes for clients, to be mounted in an actix-web application:
/// `App::new().configure(firmquote_http::public_routes(service))`, or in one of its scopes.
///
/// The routes include authentication, rate limits, and the limits on the size and duration of bodies. Slow request
/// heads, slow readers, idle connections and connections per address are up to the host's server;
/// [`serve`](crate::serve) provides this crate's limits. Unmatched paths are left to the host.
///
/// Links in errors point to where the routes are mounted; where part of that path is variable, or a proxy adds a
/// prefix, they need [`Settings::public_url`](crate::Settings::public_url). A `NormalizePath` middleware of the host
/// must leave trailing slashes unchanged. A host that shuts down calls [`LiveService::begin_draining`], so that
/// readiness reports it.
pub fn public_routes(service: Arc<LiveService>) -> impl FnOnce(&mut ServiceConfig) {
    mount(ListenerContext { live: service, role: ListenerRole::BothVersions })
}

/// Returns the operator's routes: health, readiness, metrics, prices, pauses and the page. Never mount them where the
/// public can reach them: most require no credentials. HTTP/1.1 only: the page's protection against other sites reads
/// the `Host` header, which HTTP/2 does not have.
pub fn admin_routes(service: Arc<LiveService>) -> impl FnOnce(&mut ServiceConfig) {
    mount(ListenerContext { live: service, role: ListenerRole::Admin })
}

/// Mounts the routes of a listener, each with its middleware.
pub(crate) fn mount(listener: ListenerContext) -> impl FnOnce(&mut ServiceConfig) {
    resources(listener.role, move |route| endpoint(&listener, route))
}

/// Returns the handler of a route, wrapped in the middleware.
pub(crate) fn endpoint(listener: &ListenerContext, route: Route) -> ActixRoute {
    let listener = listener.clone();
    let middleware =
        move |request: ServiceRequest, next: Next<BoxBody>| observe(listener.clone(), route, request, next);
    handler(route).wrap(from_fn(middleware))
}

fn resources(role: ListenerRole, endpoint: impl Fn(Route) -> ActixRoute) -> impl FnOnce(&mut ServiceConfig) {
    // The router tries patterns in order, and those with a parameter cost a microsecond each, so quotes come first.
    let (trading, others): (Vec<_>, Vec<_>) = role.routes().partition(|route| route.is_quote_or_sign());
    move |config| {
        for route in trading.into_iter().chain(others) {
            config.service(resource(route.path()).route(endpoint(route)));
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::{
        App, HttpRequest,
        test::{TestRequest, call_and_read_body, init_service},
        web,
    };
    use strum::VariantArray as _;

    use super::*;

    /// The route that a path matches on a listener, and its parameter.
    async fn led(role: ListenerRole, path: &str) -> (String, String) {
        let echo = |route: Route| {
            web::to(move |request: HttpRequest| async move {
                let parameter = request.match_info().iter().last().map_or("", |(_, value)| value).to_owned();
                format!("{}\n{parameter}", route.path())
            })
        };
        let app = App::new().configure(resources(role, echo)).default_service(echo(Route::Unmatched));
        let app = init_service(app).await;
        let body = call_and_read_body(&app, TestRequest::with_uri(path).to_request()).await;
        let body = String::from_utf8(body.to_vec()).unwrap();
        let (route, parameter) = body.split_once('\n').unwrap();
        (route.to_owned(), parameter.to_owned())
    }

    #[actix_web::test]
    async fn every_path_resolves_to_exactly_its_route() {
        let all = [ListenerRole::BothVersions, ListenerRole::Version1, ListenerRole::Version2, ListenerRole::Admin];
        let mut found = Vec::new();
        for (role, route) in all.into_iter().flat_map(|role| role.routes().map(move |route| (role, route))) {
            let path = match route.path().split_once('{') {
                Some((before, rest)) => format!("{before}x{}", rest.split_once('}').unwrap().1),
                None => route.path().to_owned(),
            };
            let parameter = if path == route.path() { "" } else { "x" };
            assert_eq!(led(role, &path).await, (route.path().to_owned(), parameter.to_owned()));
            for other in [format!("{path}/"), format!("{path}x/y"), format!("/x{path}"), path.to_uppercase()] {
                if Route::VARIANTS.iter().all(|route| route.path() != other) {
                    assert_eq!(led(role, &other).await.0, Route::Unmatched.path(), "{other}");
                }
            }
            found.push(route);
        }
        assert!(Route::VARIANTS.iter().all(|route| found.contains(route) || *route == Route::Unmatched));
    }

    #[actix_web::test]
    async fn a_parameter_is_one_decoded_segment() {
        for (path, named) in [
            ("/rfq/v2/quote/1", Some("1")),
            ("/rfq/v2/quote/%31", Some("1")),
            ("/rfq/%76%32/quote/1", Some("1")),
            ("/rfq/v2/quote/1%2F2", Some("1%2F2")),
            ("/rfq/v2/quote/%ff", Some("\u{fffd}")),
            ("/rfq/v2/quote/", None),
            ("/rfq/v2/quote/1/2", None),
            ("//rfq/v2/quote/1", None),
        ] {
            let (route, parameter) = led(ListenerRole::Version2, path).await;
            assert_eq!((route == Route::QuoteV2.path()).then_some(&*parameter), named, "{path}");
        }
    }

    #[actix_web::test]
    async fn each_listener_serves_its_own_routes() {
        for (role, path) in [
            (ListenerRole::Version1, "/rfq/v2/sign"),
            (ListenerRole::Version2, "/rfq/sign"),
            (ListenerRole::BothVersions, "/healthz"),
            (ListenerRole::Admin, "/rfq/sign"),
        ] {
            assert_eq!(led(role, path).await.0, Route::Unmatched.path(), "{path}");
        }
    }
}
