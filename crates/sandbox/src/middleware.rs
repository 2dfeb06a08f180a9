//! Middleware of every sandbox request: injects faults, and records the request in the taker's session.

use std::{sync::Arc, time::Duration};

use actix_web::{
    Error, HttpMessage as _, HttpRequest, HttpResponse, HttpResponseBuilder,
    body::{BoxBody, MessageBody as _, to_bytes},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_LENGTH, HeaderMap, RETRY_AFTER},
    },
    middleware::Next,
    rt::time::{sleep, timeout},
    web::Bytes,
};
use firmquote_api::{ErrorObject, Reason};
use firmquote_http::{LiveService, MAX_BODY_BYTES};
use sha2::{Digest as _, Sha256};

use crate::{
    FAULT_HEADER, Fault, FaultInjection,
    body::{CutBody, FilteredEvents},
    level_events::LevelEventFilter,
    operation::Operation,
    sandbox::Sandbox,
    session::{HandledRequest, RequestSummary, ResponseSummary, Session},
};

/// Timeout of a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The taker that sent a request, identified by its credentials, valid or not, or by its network.
#[derive(Clone)]
pub(crate) struct Taker(pub(crate) String);

/// Injects faults into a request, and records it in the session of its taker.
pub(crate) async fn sandbox_middleware(
    sandbox: Arc<Sandbox>,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let operation = Operation::from_request(request.method(), request.path());
    let taker = taker_name(&sandbox.live, request.request());
    request.extensions_mut().insert(Taker(taker.clone()));
    if operation == Operation::Other {
        return next.call(request).await;
    }
    // The session reads the response.
    request.headers_mut().remove(ACCEPT_ENCODING);
    let injection = match requested_fault(request.headers(), operation) {
        Ok(injection) => injection.or_else(|| sandbox.next_scheduled_fault(&taker, operation)),
        Err(text) => {
            let error = error_response(Reason::InvalidInput, &format!("{FAULT_HEADER}: {text}"));
            return Ok(request.into_response(error));
        }
    };
    let fault = injection.map(|injection| injection.fault);
    let body = match read_body(&mut request).await {
        Ok(body) => body,
        Err((reason, text)) => return Ok(request.into_response(error_response(reason, text))),
    };
    let head = format!("{} {} {}", request.method(), request.path(), request.query_string());
    let summary = RequestSummary::new(operation, &head, request.query_string(), &body);
    let received_at = sandbox.now();
    let record_request = |session: &mut Session| session.record_request(&summary, fault, received_at);
    let has_session = sandbox.update_existing_session(&taker, record_request).is_some();
    // With a lowered price the ordinary service itself reports a conflict.
    let is_ordinary = fault == Some(Fault::Conflict) && sandbox.lower_input_price(summary.text("quote_id")).await;
    if let Some(variant) = fault.and_then(|fault| fault.variant(operation)).filter(|_| !is_ordinary) {
        request.extensions_mut().insert(variant);
    }
    let response = respond(request, next, injection).await?;
    if !has_session && !matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        sandbox.update_session(&taker, |session| session.record_request(&summary, fault, received_at));
    }
    if operation == Operation::LevelStream && response.status() == StatusCode::OK {
        let filter = LevelEventFilter::new(Arc::clone(&sandbox), taker, fault);
        return Ok(response.map_body(|_, body| FilteredEvents::new(body, filter).boxed()));
    }
    record_response(&sandbox, &taker, HandledRequest { request: summary, fault, response: None }, response).await
}

/// Returns the fault that the headers of a request for `operation` name.
///
/// # Errors
/// A message that names the allowed values.
fn requested_fault(headers: &HeaderMap, operation: Operation) -> Result<Option<FaultInjection>, String> {
    let injection = FaultInjection::from_headers(headers)?;
    match injection.map(|injection| injection.fault).filter(|fault| !fault.applies_to(operation)) {
        Some(fault) => Err(format!("{} does not apply to {}", fault.name(), operation.name())),
        None => Ok(injection),
    }
}

/// Returns the response of the service, or that of a fault in its place.
async fn respond(
    request: ServiceRequest,
    next: Next<BoxBody>,
    injection: Option<FaultInjection>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(FaultInjection { fault, seconds }) = injection else { return next.call(request).await };
    request.extensions_mut().insert(fault);
    match fault {
        Fault::Cut => Ok(request.into_response(HttpResponse::Ok().body(CutBody))),
        Fault::RateLimited => Ok(request.into_response(rate_limited(seconds))),
        Fault::Slow => {
            let response = next.call(request).await?;
            sleep(Duration::from_secs(seconds.into())).await;
            Ok(response)
        }
        _ => next.call(request).await,
    }
}

/// Records the outcome of a request in the session of `taker`, and cuts its response if the fault requires it.
async fn record_response(
    sandbox: &Sandbox,
    taker: &str,
    mut handled: HandledRequest,
    response: ServiceResponse<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let record = |handled: &HandledRequest| {
        sandbox.update_existing_session(taker, |session| session.record_outcome(handled, sandbox.now()));
    };
    let is_endless = match handled.request.operation {
        Operation::LevelSocket => true,
        operation => operation == Operation::Events && response.status() == StatusCode::OK,
    };
    if is_endless || handled.fault == Some(Fault::Cut) {
        record(&handled);
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = to_bytes(body).await.map_err(actix_web::error::ErrorInternalServerError)?;
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
    handled.response = Some(ResponseSummary::new(response.status(), retry_after, &body));
    record(&handled);
    Ok(match handled.fault {
        Some(Fault::LostAnswer) => ServiceResponse::new(request, HttpResponse::Ok().body(CutBody)),
        _ => ServiceResponse::new(request, response.set_body(BoxBody::new(body))),
    })
}

/// Returns the name of the taker in its session: a hash of the credentials, which are not retained, or of the network
/// that a request without credentials came from.
fn taker_name(live: &LiveService, request: &HttpRequest) -> String {
    let headers = request.headers();
    let api_key = headers.get("x-api-key").filter(|value| !value.is_empty());
    let Some(credentials) = api_key.or_else(|| headers.get(AUTHORIZATION)) else {
        return format!("anonymous {:x}", live.source_network(request).get());
    };
    let hash = Sha256::digest(credentials.as_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the body and leaves it in the request. A body without a length, or above the limit of the service, stays
/// unread.
///
/// # Errors
/// Reason and message for a client whose body does not arrive.
async fn read_body(request: &mut ServiceRequest) -> Result<Bytes, (Reason, &'static str)> {
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_none_or(|length| length == 0 || length > MAX_BODY_BYTES) {
        return Ok(Bytes::new());
    }
    let body = timeout(BODY_TIMEOUT, request.extract::<Bytes>()).await;
    let late = (Reason::BodyTooSlow, "the body did not arrive in time");
    let body = body.map_err(|_| late)?.map_err(|_| (Reason::InvalidInput, "the body is incomplete"))?;
    request.set_payload(Payload::from(body.clone()));
    Ok(body)
}

/// An error of the sandbox itself, in the form of the interface.
pub(crate) fn error_response(reason: Reason, text: &str) -> HttpResponse {
    error_head(reason).json(error_object(reason, text))
}

fn error_head(reason: Reason) -> HttpResponseBuilder {
    HttpResponse::build(StatusCode::from_u16(reason.status().0).unwrap_or(StatusCode::BAD_REQUEST))
}

fn error_object(reason: Reason, text: &str) -> ErrorObject {
    ErrorObject {
        error_message: text.to_owned().into(),
        error_type: reason.status().1.name().into(),
        error_code: reason.code(),
        reason: Some(reason.name().into()),
        ..ErrorObject::default()
    }
}

/// The rejection of a client that has used up its rate limit, in force for the time in `Retry-After`.
fn rate_limited(seconds: u32) -> HttpResponse {
    let error = error_object(Reason::CredentialRate, "too many requests");
    error_head(Reason::CredentialRate)
        .insert_header((RETRY_AFTER, seconds.to_string()))
        .insert_header(("ratelimit-policy", format!("\"sandbox\";q=1;w={seconds}")))
        .insert_header(("ratelimit", format!("\"sandbox\";r=0;t={seconds}")))
        .json(ErrorObject { retry_after_ms: Some(u64::from(seconds) * 1_000), ..error })
}
