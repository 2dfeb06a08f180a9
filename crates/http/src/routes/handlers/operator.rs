//! Handlers for the operator's automation and page: health, readiness, metrics, prices, pausing pools, and the page's
//! data.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
};
use firmquote_api as api;

use crate::{
    error::ApiError,
    input::{Field, Fields, Reader, address, chain_id},
    readiness::Readiness,
    request::RequestContext,
    routes::authorization::authorize,
    wire,
    wire::{CURVE, CurveInput, CurveResponse, OverviewResponse, RecentSignaturesResponse, json, pauses_response},
};

/// Reports that the process is responding.
pub(crate) async fn health() -> Result<HttpResponse, ApiError> {
    json::response(&api::Health { status: "ok".into() })
}

/// Reports whether requests should be sent here: every dependency of the desk is available, and no shutdown was
/// requested.
pub(crate) async fn readiness(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let readiness = query_readiness(&context).await;
    if !readiness.is_ready() {
        return Err(ApiError::NotReady(Box::new(readiness)));
    }
    json::response(&api::Readiness { ready: true, parts: readiness.parts() })
}

/// Queries the state of every part, for the caller and for the metrics.
async fn query_readiness(context: &RequestContext) -> Readiness {
    context.service().readiness(context.is_draining()).await
}

/// Returns all metrics in the text exposition format, with the current readiness.
pub(crate) async fn metrics(context: RequestContext) -> Result<HttpResponse, ApiError> {
    query_readiness(&context).await;
    let text = context.service().render_metrics().map_err(|error| ApiError::Internal(error.to_string()))?;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, plain)).body(text))
}

/// Returns all pools with their prices, reserves and fees.
pub(crate) async fn overview(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let service = context.service();
    let readiness = query_readiness(&context).await;
    let overview = service.desk.overview();
    let (levels, replica) = (context.live().levels(), service.replica());
    json::response(&OverviewResponse::new(&overview, service, levels, &readiness, &replica))
}

/// Returns the curve of hypothetical quotes for a pair.
pub(crate) async fn curve(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let fields = Fields::from_query(context.query(), CURVE).with_path(Field::PoolAddress, context.parameter());
    let input = CurveInput::decode(&fields)?;
    let curve = context.service().desk.curve(&input.request()).map_err(|error| fields.map_desk_error(error))?;
    json::response(&CurveResponse::new(&curve))
}

/// Returns the most recent signatures, with volumes and request counts by client and pair.
pub(crate) async fn recent_signatures(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let (signed, metrics) = (&context.service().desk.operator_view.signatures, context.service().metrics());
    json::response(&RecentSignaturesResponse::new(&signed.newest_first(), signed.volumes(), metrics.clients.counts()))
}

/// Stops quoting and signing for a pool, on every replica.
pub(crate) async fn pause(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set_paused(context, true).await
}

/// Resumes quoting and signing for a paused pool, on every replica.
pub(crate) async fn resume(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set_paused(context, false).await
}

async fn set_paused(context: RequestContext, is_paused: bool) -> Result<HttpResponse, ApiError> {
    let service = context.service();
    let fields =
        Fields::from_query(context.query(), &[Field::ChainId]).with_path(Field::PoolAddress, context.parameter());
    let mut reader = Reader::new(&fields);
    let chain = reader.optional(Field::ChainId, chain_id);
    let address = reader.required(Field::PoolAddress, address);
    let address = reader.finish(|| address)?;
    let pools =
        service.desk.set_paused(address, chain, is_paused).await.map_err(|error| fields.map_desk_error(error))?;
    let from = context.peer().map(tracing::field::display);
    for pool in &pools {
        tracing::warn!(%pool, is_paused, from, "pause state changed by the operator");
    }
    json::response(&pauses_response(&pools, is_paused, &service.desk.pauses))
}

/// Accepts a list of prices, all or none. A replacement may have changed the admin token before the body arrived.
pub(crate) async fn put_prices(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let body = context.body().await?;
    let service = context.current_service();
    authorize(&context, &service)?;
    let accepted = service.prices.post(&body).await.map_err(|error| wire::map_price_error(error, &body))?;
    json::response(&api::AcceptedPrices { accepted })
}
