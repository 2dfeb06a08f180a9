//! The operations of version 1. Sign is shared with version 2, which accepts other credentials.

use actix_web::HttpResponse;

use super::staggered::staggered;
use crate::{
    error::ApiError,
    input::Fields,
    request::{AuthenticatedBody, AuthenticatedRequest},
    wire::{POOL_V1, PoolInput, QUOTE_V1, QuoteInput, SIGN, SignInput, json, pool_response, sign_response},
};

/// Returns the chain's default pool (docs/api.md).
pub(crate) async fn pool(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = Fields::from_query(context.query(), POOL_V1);
    let PoolInput { chain_id, fieldset, time_in_seconds, .. } = PoolInput::decode(&fields)?;
    let view =
        service.desk.default_pool(chain_id, time_in_seconds, &client).map_err(|error| fields.map_desk_error(error))?;
    json::response(&pool_response(&view, fieldset))
}

/// Makes a quote (docs/api.md).
pub(crate) async fn quote(request: AuthenticatedBody) -> Result<HttpResponse, ApiError> {
    let AuthenticatedBody { context, snapshot: service, client, body } = request;
    let fields = Fields::from_json(&body, QUOTE_V1)?;
    let input = QuoteInput::decode(&fields)?;
    let source_network = context.source_network(&client);
    let quote = service.desk.quote(&input.request(client, source_network)).await;
    service.log_quote(&context, &input, quote.as_ref().ok());
    json::response(&service.quote_response(&quote.map_err(|error| fields.map_desk_error(error))?))
}

/// Signs a quote (docs/api.md).
pub(crate) async fn sign(request: AuthenticatedBody) -> Result<HttpResponse, ApiError> {
    let AuthenticatedBody { context, snapshot: service, client, body } = request;
    let fields = Fields::from_json(&body, SIGN)?;
    let input = SignInput::decode(&fields, &service.settings.service_name)?;
    let signed = staggered(service.desk.sign(&input.request(client))).await;
    service.log_signature(&context, input.quote_id(), signed.as_ref().ok());
    let signed = signed.map_err(|error| fields.map_desk_error(error))?;
    json::response(&sign_response(&signed, input.terms.wants_calldata))
}
