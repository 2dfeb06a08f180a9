//! The switch of a pool, for the operator at three in the morning.

use actix_web::HttpResponse;

use crate::{
    error::ApiError,
    input::{Field, Fields, Reader, address, chain_id},
    json,
    request::RequestContext,
    wire::PausesAnswer,
};

/// Stops quoting and signing for a pool, on every replica.
pub(crate) async fn pause(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set(context, true).await
}

/// Lets a pool that was paused go on.
pub(crate) async fn resume(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set(context, false).await
}

async fn set(context: RequestContext, is_paused: bool) -> Result<HttpResponse, ApiError> {
    let service = context.service();
    service.check_operator(context.sender())?;
    let fields =
        Fields::from_query(context.query(), &[Field::ChainId]).with_path(Field::PoolAddress, context.parameter());
    let mut reader = Reader::of(&fields);
    let chain = reader.optional(Field::ChainId, chain_id);
    let address = reader.required(Field::PoolAddress, address);
    let address = reader.finish(|| address)?;
    let set = service.desk.set_paused(address, chain, is_paused).await.map_err(|error| fields.refused(error))?;
    tracing::warn!(pool = %address, is_paused, "the operator set the switch of a pool");
    json::answer(&PausesAnswer::of(&set, is_paused, &service.desk.pauses))
}
