//! Middleware of every sandbox request: injects faults, and records the request in the taker's session.

use std::{sync::Arc, time::Duration};

use actix_web::{
    Error, HttpMessage as _, HttpResponse,
    body::{BoxBody, MessageBody as _, to_bytes},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{AUTHORIZATION, CONTENT_LENGTH, HeaderMap, RETRY_AFTER},
    },
    middleware::Next,
    rt::time::{sleep, timeout},
    web::Bytes,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::{
    FAULT_HEADER, Fault, ForcedFault,
    body::{CutBody, FilteredEvents},
    level_events::LevelEvents,
    operation::Operation,
    sandbox::Sandbox,
    session::{Exchange, RequestSummary, ResponseSummary},
};

/// The longest body of a request that a session looks at, in bytes: what the service reads at most.
pub(crate) const MAX_BODY_BYTES: usize = 16 * 1_024;

/// How long a body may take that a session looks at.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The taker that sent a request, by its credentials, whether they are valid or not.
#[derive(Clone)]
pub(crate) struct Taker(pub(crate) String);

/// Handles a request.
pub(crate) async fn observe(
    sandbox: Arc<Sandbox>,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let operation = Operation::from_request(request.method(), request.path());
    let taker = taker(request.headers());
    request.extensions_mut().insert(Taker(taker.clone()));
    if operation == Operation::Other {
        return next.call(request).await;
    }
    let forced = match ForcedFault::from_headers(request.headers()) {
        Ok(Some(forced)) if !forced.fault.applies_to(operation) => {
            let text = format!("{} does not happen to {}", forced.fault.name(), operation.name());
            return Ok(invalid_fault(request, &text));
        }
        Ok(forced) => forced.or_else(|| sandbox.scheduled(&taker, operation)),
        Err(text) => return Ok(invalid_fault(request, &text)),
    };
    let fault = forced.map(|forced| forced.fault);
    let body = match body(&mut request).await {
        Ok(body) => body,
        Err((status, text)) => return Ok(request.into_response(error_response(status, text))),
    };
    let head = format!("{} {} {}", request.method(), request.path(), request.query_string());
    let summary = RequestSummary::new(operation, &head, request.query_string(), &body);
    let begun_at = sandbox.now();
    let is_known = sandbox.known_session(&taker, |session| session.begin(&summary, fault, begun_at)).is_some();
    // With a lower price the ordinary service finds that the quote no longer holds.
    let is_ordinary = fault == Some(Fault::Conflict) && sandbox.move_price(summary.text("quote_id")).await;
    if let Some(variant) = fault.and_then(Fault::variant).filter(|_| !is_ordinary) {
        request.extensions_mut().insert(variant);
    }
    if let Some(fault) = fault {
        request.extensions_mut().insert(fault);
    }
    let response = match forced {
        Some(ForcedFault { fault: Fault::Cut, .. }) => request.into_response(HttpResponse::Ok().body(CutBody)),
        Some(ForcedFault { fault: Fault::RateLimited, seconds }) => request.into_response(rate_limited(seconds)),
        Some(ForcedFault { fault: Fault::Slow, seconds }) => {
            let response = next.call(request).await?;
            sleep(Duration::from_secs(seconds.into())).await;
            response
        }
        _ => next.call(request).await?,
    };
    if !is_known && !matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        sandbox.session(&taker, |session| session.begin(&summary, fault, begun_at));
    }
    if operation == Operation::LevelStream && response.status() == StatusCode::OK {
        let events = LevelEvents::new(Arc::clone(&sandbox), taker, fault);
        return Ok(response.map_body(|_, body| FilteredEvents::new(body, events).boxed()));
    }
    if operation == Operation::LevelSocket || fault == Some(Fault::Cut) {
        let exchange = Exchange { request: summary, fault, response: None };
        sandbox.known_session(&taker, |session| session.end(&exchange, sandbox.now()));
        return Ok(response);
    }
    let (http, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = to_bytes(body).await.map_err(actix_web::error::ErrorInternalServerError)?;
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
    let answered = ResponseSummary::new(response.status(), retry_after, &body);
    let exchange = Exchange { request: summary, fault, response: Some(answered) };
    sandbox.known_session(&taker, |session| session.end(&exchange, sandbox.now()));
    Ok(match fault {
        Some(Fault::LostAnswer) => ServiceResponse::new(http, HttpResponse::Ok().body(CutBody)),
        _ => ServiceResponse::new(http, response.set_body(BoxBody::new(body))),
    })
}

/// Returns how sessions tell takers apart: by a hash of the credentials, which are not kept.
fn taker(headers: &HeaderMap) -> String {
    let api_key = headers.get("x-api-key").filter(|value| !value.is_empty());
    let Some(credentials) = api_key.or_else(|| headers.get(AUTHORIZATION)) else { return "anonymous".to_owned() };
    let hash = Sha256::digest(credentials.as_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the body and leaves it in the request. Without a length, or beyond that of the service, it stays unread.
///
/// # Errors
/// What to answer a client whose body does not come.
async fn body(request: &mut ServiceRequest) -> Result<Bytes, (StatusCode, &'static str)> {
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_none_or(|length| length == 0 || length > MAX_BODY_BYTES) {
        return Ok(Bytes::new());
    }
    let body = timeout(BODY_TIMEOUT, request.extract::<Bytes>()).await;
    let late = (StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
    let body = body.map_err(|_| late)?.map_err(|_| (StatusCode::BAD_REQUEST, "the body is incomplete"))?;
    request.set_payload(Payload::from(body.clone()));
    Ok(body)
}

fn invalid_fault(request: ServiceRequest, text: &str) -> ServiceResponse<BoxBody> {
    request.into_response(error_response(StatusCode::BAD_REQUEST, &format!("{FAULT_HEADER}: {text}")))
}

/// An error of the sandbox itself, in the form of the interface.
pub(crate) fn error_response(status: StatusCode, text: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({"errorMessage": text, "errorType": "BadData"}))
}

/// The refusal of a client that has used up its rate limit, which holds for as long as `Retry-After` says.
fn rate_limited(seconds: u32) -> HttpResponse {
    HttpResponse::TooManyRequests()
        .insert_header((RETRY_AFTER, seconds.to_string()))
        .insert_header(("ratelimit-policy", format!("\"sandbox\";q=1;w={seconds}")))
        .insert_header(("ratelimit", format!("\"sandbox\";r=0;t={seconds}")))
        .json(json!({"errorMessage": "too many requests", "errorType": "RateLimited"}))
}
