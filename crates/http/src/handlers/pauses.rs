//! The switch of a pool, for the operator at three in the morning.

use actix_web::{HttpRequest, HttpResponse};

use crate::{
    error::ApiError,
    in_force::Asked,
    input::{Field, Fields, Reader, address, chain_id},
    json,
    wire::PausesAnswer,
};

/// Stops quoting and signing for a pool, on every replica.
pub(crate) async fn pause(request: HttpRequest, service: Asked) -> Result<HttpResponse, ApiError> {
    set(&request, &service, true).await
}

/// Lets a pool that was paused go on.
pub(crate) async fn resume(request: HttpRequest, service: Asked) -> Result<HttpResponse, ApiError> {
    set(&request, &service, false).await
}

async fn set(request: &HttpRequest, service: &Asked, is_paused: bool) -> Result<HttpResponse, ApiError> {
    service.check_operator(request)?;
    let named = request.match_info().get("pool_address").unwrap_or_default();
    let fields = Fields::from_query(request.query_string(), &[Field::ChainId]).with_path(Field::PoolAddress, named);
    let mut reader = Reader::of(&fields);
    let chain = reader.optional(Field::ChainId, chain_id);
    let address = reader.required(Field::PoolAddress, address);
    let address = reader.finish(|| address)?;
    let set = service.desk.set_paused(address, chain, is_paused).await.map_err(|error| fields.refused(error))?;
    tracing::warn!(pool = %address, is_paused, "the operator set the switch of a pool");
    json::answer(&PausesAnswer::of(&set, is_paused, service.desk.pauses.is_shared()))
}
