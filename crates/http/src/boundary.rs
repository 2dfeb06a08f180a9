//! What happens to every answer on its way out: the error object, headers, metrics, and the one line in the log.

use std::{error::Error as _, time::Duration};

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    body::BoxBody,
    dev::ServiceResponse,
    http::{
        StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue, X_CONTENT_TYPE_OPTIONS,
        },
    },
};
use firmquote_domain::{ChainId, Client, Symbol};
use tracing::field::display;

use crate::{
    addresses::Addresses,
    auth::presents_basic,
    error::ApiError,
    error_body,
    in_force::InForce,
    json::JSON,
    limits::Standing,
    links,
    outcome::Reason,
    request_id::{RequestId, X_REQUEST_ID},
    route::Route,
    subject::Subject,
    traced::{Outcome, Traced},
    verdict::Verdict,
};

/// Whatever a browser takes an answer for, it loads nothing for it and shows it in no frame.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// A request as it came.
pub(crate) struct Arrival {
    pub(crate) request_id: RequestId,
    pub(crate) traced: Traced,
}

/// An error as it is answered and logged.
struct Failure {
    verdict: Verdict,
    body: Vec<u8>,
    /// What the log says and the answer does not; only about what the operator has to look at.
    detail: Option<String>,
}

/// The answer as it leaves, counted and logged.
pub(crate) fn finish(
    in_force: &InForce,
    arrival: &Arrival,
    response: ServiceResponse,
    took: Duration,
) -> ServiceResponse {
    let (request, response) = response.into_parts();
    let route = request.app_data::<Route>().copied().unwrap_or(Route::Unmatched);
    let response = own_errors_only(response);
    let link = |kind| links::error_page(in_force.settings.public_url.as_ref(), &request, kind);
    let error = response.error().and_then(|error| error.as_error::<ApiError>());
    let mut failure = error.map(|error| Failure::of(error, &in_force.addresses, link));
    let mut response = match &mut failure {
        Some(failure) => with_body(response, std::mem::take(&mut failure.body)),
        None => response,
    };
    add_headers(response.headers_mut(), in_force, &arrival.request_id, route, &request);
    let outcome = failure.as_ref().map(|failure| (failure.verdict.error_type, failure.verdict.reason));
    in_force.metrics().observe(route, outcome, took);
    tell(in_force, arrival, route, &request, response.status(), failure.as_ref(), took);
    ServiceResponse::new(request, response)
}

fn add_headers(
    headers: &mut HeaderMap,
    in_force: &InForce,
    request_id: &RequestId,
    route: Route,
    request: &HttpRequest,
) {
    headers.insert(X_REQUEST_ID.clone(), request_id.to_header());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    }
    if let Some(value) = route.cache_control() {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(value));
    }
    if route.is_operation() && route.accepted().basic && presents_basic(request.headers()) {
        in_force.basic_notice.add_to(headers);
    }
    if let Some(standing) = request.extensions().get::<Standing>() {
        standing.add_to(headers);
    }
}

impl Failure {
    fn of(error: &ApiError, addresses: &Addresses, link: impl Fn(&'static str) -> String) -> Self {
        let verdict = error.verdict();
        // A server that says what is missing, which the log was told, or that turns a flood of logins away, does what it should.
        let is_intended = matches!(error, ApiError::NotReady(_) | ApiError::LoginsBusy);
        let detail = (verdict.status.is_server_error() && !is_intended).then(|| chain(error));
        Self { verdict, body: error_body::write(error, addresses, link), detail }
    }
}

/// The same response, unless it is about an error that did not come from this crate: that is a mistake of ours.
fn own_errors_only(response: HttpResponse) -> HttpResponse {
    let foreign = response.error().filter(|error| error.as_error::<ApiError>().is_none());
    match foreign.map(|error| ApiError::Internal(error.to_string())) {
        Some(error) => HttpResponse::from_error(error),
        None => response,
    }
}

fn with_body(response: HttpResponse, body: Vec<u8>) -> HttpResponse {
    let mut response = response.set_body(BoxBody::new(body));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

/// An error and its causes, outermost first.
fn chain(error: &ApiError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Writes the one line about a request, and ends its span. Neither holds credentials, bodies or query strings.
fn tell(
    in_force: &InForce,
    arrival: &Arrival,
    route: Route,
    request: &HttpRequest,
    status: StatusCode,
    failure: Option<&Failure>,
    took: Duration,
) {
    let extensions = request.extensions();
    let client = extensions.get::<Client>().map(|client| match client {
        Client::Anonymous => "anonymous",
        Client::Named(name) => name,
    });
    let (request_id, method, subject) = (arrival.request_id.as_str(), request.method(), extensions.get::<Subject>());
    let reason = failure.map(|failure| failure.verdict.reason);
    arrival.traced.end(&Outcome { request_id, method, route, status, reason, client, subject });
    let unknown = Subject::default();
    let Subject { chain_id, pool, quote_id, input_asset, output_asset } = subject.unwrap_or(&unknown);
    let (chain_id, pool, quote_id) =
        (chain_id.map(ChainId::get), pool.map(|pool| display(in_force.addresses.written(pool))), quote_id.map(display));
    let [input_asset, output_asset] = [input_asset, output_asset].map(|asset| asset.as_ref().map(Symbol::as_str));
    let detail = failure.and_then(|failure| failure.detail.as_deref());
    let duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let (status, reason, trace_id) = (status.as_u16(), reason.map(Reason::label), arrival.traced.trace_id.map(display));
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                request_id,
                trace_id,
                method = method.as_str(),
                route = route.path(),
                status,
                client,
                duration_us,
                chain_id,
                pool,
                quote_id,
                input_asset,
                output_asset,
                error = reason,
                detail
            )
        };
    }
    match detail {
        Some(_) => line!(error),
        None if route.is_routine(failure.is_some()) => line!(debug),
        None => line!(info),
    }
}
