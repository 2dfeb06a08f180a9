//! The routes of each listener, as resources of an actix-web application.

mod middleware;
pub(crate) mod operator_access;
mod origin_check;
mod response;

use std::sync::Arc;

use actix_web::{
    Route,
    body::BoxBody,
    dev::ServiceRequest,
    middleware::{Next, from_fn},
    web::{ServiceConfig, resource},
};

use self::middleware::observe;
use crate::{
    LiveService,
    endpoints::{ENDPOINTS, Endpoint, ListenerRole, UNMATCHED},
    request::ListenerContext,
};

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
    mount(ListenerContext { live: service, role: ListenerRole::BothVersions, endpoints: ENDPOINTS })
}

/// Returns the operator's routes: health, readiness, metrics, prices, pauses and the page. Never mount them where the
/// public can reach them: most require no credentials. HTTP/1.1 only: the page's protection against other sites reads
/// the `Host` header, which HTTP/2 does not have.
pub fn admin_routes(service: Arc<LiveService>) -> impl FnOnce(&mut ServiceConfig) {
    mount(ListenerContext { live: service, role: ListenerRole::Admin, endpoints: ENDPOINTS })
}

/// Mounts the endpoints of a listener, each with its middleware.
pub(crate) fn mount(listener: ListenerContext) -> impl FnOnce(&mut ServiceConfig) {
    listener.live.load().metrics().prepare(ENDPOINTS.iter().copied().chain([&UNMATCHED]));
    resources(listener.role, move |endpoint| wrapped_handler(&listener, endpoint))
}

/// Returns the handler of an endpoint, wrapped in the middleware.
pub(crate) fn wrapped_handler(listener: &ListenerContext, endpoint: &'static Endpoint) -> Route {
    let listener = listener.clone();
    let middleware =
        move |request: ServiceRequest, next: Next<BoxBody>| observe(listener.clone(), endpoint, request, next);
    (endpoint.handler)().wrap(from_fn(middleware))
}

fn resources(role: ListenerRole, handler: impl Fn(&'static Endpoint) -> Route) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        for endpoint in ENDPOINTS.iter().copied().filter(|endpoint| endpoint.is_served_by(role)) {
            config.service(resource(endpoint.path).route(handler(endpoint)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::{
        App, HttpRequest,
        test::{TestRequest, call_and_read_body, init_service},
        web,
    };

    /// The route that a path matches on a listener, and its parameter.
    async fn led(role: ListenerRole, path: &str) -> (String, String) {
        let echo = |endpoint: &'static Endpoint| {
            web::to(move |request: HttpRequest| async move {
                let parameter = request.match_info().iter().last().map_or("", |(_, value)| value).to_owned();
                format!("{}\n{parameter}", endpoint.path)
            })
        };
        let app = App::new().configure(resources(role, echo)).default_service(echo(&UNMATCHED));
        let app = init_service(app).await;
        let body = call_and_read_body(&app, TestRequest::with_uri(path).to_request()).await;
        let body = String::from_utf8(body.to_vec()).unwrap();
        let (route, parameter) = body.split_once('\n').unwrap();
        (route.to_owned(), parameter.to_owned())
    }

    /// The endpoints of a listener, with its role.
    fn served(role: ListenerRole) -> impl Iterator<Item = (ListenerRole, &'static Endpoint)> {
        ENDPOINTS
            .iter()
            .copied()
            .filter(move |endpoint| endpoint.is_served_by(role))
            .map(move |endpoint| (role, endpoint))
    }

    #[actix_web::test]
    async fn every_path_resolves_to_exactly_its_route() {
        let all = [ListenerRole::BothVersions, ListenerRole::Version1, ListenerRole::Version2, ListenerRole::Admin];
        let mut found = Vec::new();
        for (role, route) in all.into_iter().flat_map(served) {
            let path = match route.path.split_once('{') {
                Some((before, rest)) => format!("{before}x{}", rest.split_once('}').unwrap().1),
                None => route.path.to_owned(),
            };
            let parameter = if path == route.path { "" } else { "x" };
            assert_eq!(led(role, &path).await, (route.path.to_owned(), parameter.to_owned()));
            for other in [format!("{path}/"), format!("{path}x/y"), format!("/x{path}"), path.to_uppercase()] {
                if ENDPOINTS.iter().all(|endpoint| endpoint.path != other) {
                    assert_eq!(led(role, &other).await.0, UNMATCHED.path, "{other}");
                }
            }
            found.push(route);
        }
        assert!(ENDPOINTS.iter().all(|endpoint| found.contains(endpoint)));
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
            assert_eq!((route == "/rfq/v2/quote/{chain_id}").then_some(&*parameter), named, "{path}");
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
            assert_eq!(led(role, path).await.0, UNMATCHED.path, "{path}");
        }
    }
}
