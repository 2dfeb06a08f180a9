//! The operator's automation: health, readiness, metrics, prices, and pauses.

use std::borrow::Cow;

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
    web,
};
use firmquote_api as api;
use firmquote_desk::Actor;
use serde_json::json;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    operation::{Inputs, Operation, SuccessBody, json},
};
use crate::{
    auth::Role,
    error::{AllowedMethods, ApiError, Reason},
    input::{CHAIN_ID, Field, Fields, POOL_ADDRESS, REASON, Reader},
    openapi::examples,
    readiness::Readiness,
    request::RequestContext,
    routes::operator_access::{actor, authorize},
    wire::{self, pauses_response},
};

const POOL: &[&Field] = &[&POOL_ADDRESS.field];
const PAUSE: &[&Field] = &[&CHAIN_ID.field, &REASON.field];
const PRICE_LIST: &[&Field] = &[&wire::PRICES];

pub(crate) static HEALTH: Endpoint = Endpoint {
    path: "/healthz",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::Debug,
    handler: || web::to(health),
    operation: Some(Operation {
        id: "health",
        summary: "Liveness check",
        about: "Checks no dependencies.",
        success: "The process is alive.",
        body: json::<api::Health>(|| json!({"status": "ok"})),
        ..Operation::NEW
    }),
};

/// Reports that the process is responding.
async fn health() -> Result<HttpResponse, ApiError> {
    wire::json::response(&api::Health { status: "ok".into() })
}

pub(crate) static READINESS: Endpoint = Endpoint {
    path: "/readyz",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::Debug,
    handler: || web::to(readiness),
    operation: Some(Operation {
        id: "readiness",
        summary: "Readiness check",
        about: "Checks every part that requests depend on, concurrently, and returns the state of each.",
        success: "The service is ready for requests.",
        body: json::<api::Readiness>(|| examples::readiness(true)),
        reasons: &[Reason::NotReady],
        ..Operation::NEW
    }),
};

/// Reports whether requests should be sent here: every dependency of the desk is available, and no shutdown was
/// requested.
async fn readiness(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let readiness = query_readiness(&context).await;
    if !readiness.is_ready() {
        return Err(ApiError::NotReady(Box::new(readiness)));
    }
    wire::json::response(&api::Readiness { ready: true, parts: readiness.parts() })
}

/// Queries the state of every part, for the caller and for the metrics.
pub(super) async fn query_readiness(context: &RequestContext) -> Readiness {
    context.service().readiness(context.is_draining()).await
}

/// The content type of the Prometheus text exposition format.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

pub(crate) static METRICS: Endpoint = Endpoint {
    path: "/metrics",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::Debug,
    handler: || web::to(metrics),
    operation: Some(Operation {
        id: "metrics",
        summary: "All metrics",
        about: "In the Prometheus text exposition format.",
        success: "The metrics.",
        body: SuccessBody::Text(EXPOSITION),
        ..Operation::NEW
    }),
};

/// Returns all metrics in the text exposition format, with the current readiness.
async fn metrics(context: RequestContext) -> Result<HttpResponse, ApiError> {
    query_readiness(&context).await;
    let text = context.service().render_metrics().map_err(|error| ApiError::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, HeaderValue::from_static(EXPOSITION))).body(text))
}

pub(crate) static PRICES: Endpoint = Endpoint {
    path: "/prices",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Put,
    access: Access::Operator(Role::Pricer),
    purpose: Purpose::Operator,
    cache_control: None,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(put_prices),
    operation: Some(Operation {
        id: "put_prices",
        summary: "Send prices",
        about: "Accepts all prices or none. The trust rules of each asset are checked later, when its price is received.",
        success: "All prices were accepted.",
        inputs: Inputs::body(PRICE_LIST),
        body: json::<api::AcceptedPrices>(|| json!({"accepted": 1})),
        reasons: &[Reason::PricePublisher],
        ..Operation::NEW
    }),
};

/// Accepts a list of prices, all or none. A replacement may have changed the operators before the body arrived.
async fn put_prices(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let body = context.body().await?;
    let service = context.current_service();
    authorize(&context, &service)?;
    let accepted = service.prices.post(&body).await.map_err(|error| wire::map_price_error(error, &body))?;
    wire::json::response(&api::AcceptedPrices { accepted })
}

pub(crate) static PAUSE_POOL: Endpoint = Endpoint {
    path: "/pools/{pool_address}/pause",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Post,
    access: Access::Operator(Role::Pauser),
    purpose: Purpose::Operator,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(pause),
    operation: Some(Operation {
        id: "pause_pool",
        summary: "Pause a pool",
        about: "Stops quotes and signatures of the pool on all replicas until it is resumed.",
        success: "The pool is paused.",
        inputs: Inputs::path_and_query(POOL, PAUSE),
        body: json::<api::Pauses>(|| examples::pauses(true)),
        reasons: &[Reason::Store],
        ..Operation::NEW
    }),
};

pub(crate) static RESUME_POOL: Endpoint = Endpoint {
    path: "/pools/{pool_address}/resume",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Post,
    access: Access::Operator(Role::Admin),
    purpose: Purpose::Operator,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(resume),
    operation: Some(Operation {
        id: "resume_pool",
        summary: "Resume a pool",
        about: "Resumes quotes and signatures of the pool on all replicas, and ends what its breakers did. A pause of a \
                breaker needs a `reason`.",
        success: "The pool is resumed.",
        inputs: Inputs::path_and_query(POOL, PAUSE),
        body: json::<api::Pauses>(|| examples::pauses(false)),
        reasons: &[Reason::Store],
        ..Operation::NEW
    }),
};

/// Stops quoting and signing for a pool, on every replica.
async fn pause(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set_paused(context, true).await
}

/// Resumes quoting and signing for a paused pool, on every replica.
async fn resume(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set_paused(context, false).await
}

async fn set_paused(context: RequestContext, is_paused: bool) -> Result<HttpResponse, ApiError> {
    let service = context.service();
    let actor = actor(&context, authorize(&context, service)?);
    let fields = Fields::from_query(context.query(), PAUSE).with_path(&POOL_ADDRESS.field, context.parameter());
    let mut reader = Reader::strict(&fields);
    let chain = reader.optional(&CHAIN_ID);
    let address = reader.required(&POOL_ADDRESS);
    let is_required = !is_paused && address.is_some_and(|address| service.desk.is_stopped_by_breaker(address, chain));
    let reason = match is_required {
        true => reader.required(&REASON),
        false => reader.optional(&REASON),
    };
    let address = reader.finish(|| address)?;
    let actor = Actor { reason: reason.map(Cow::into_owned), ..actor };
    let set = service.desk.set_paused(address, chain, is_paused, actor.clone()).await;
    let pools = set.map_err(|error| fields.map_desk_error(error))?;
    let (operator, from) = (actor.name.as_deref(), actor.address.map(tracing::field::display));
    for pool in &pools {
        tracing::warn!(
            %pool, is_paused, operator, from, reason = actor.reason.as_deref(),
            "pause state changed by the operator"
        );
    }
    wire::json::response(&pauses_response(&pools, is_paused, &service.desk.pauses))
}
