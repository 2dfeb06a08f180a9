//! The operations of version 2: the chain id is in the path, parameters are in the query.

use actix_web::HttpResponse;

use super::staggered::staggered;
use crate::{
    error::ApiError,
    input::{Field, Fields, Reader},
    request::{AuthenticatedRequest, RequestContext},
    wire::{
        GRID, GridInput, POOL_V2, PoolInput, QUOTE_SIGN, QUOTE_V2, QuoteInput, TermsInput, chains_response,
        grid_response, json, pools_response, quote_status_id, status_response,
    },
};

/// Returns the chains with their traded pairs and trade sizes.
pub(crate) async fn chains(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    json::response(&chains_response(&context.service().desk.chains(&client)))
}

/// Returns the chain's pools, or one of them (docs/api.md).
pub(crate) async fn pool(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = chain_fields(&context, POOL_V2);
    let PoolInput { chain_id, fieldset, pool_address, time_in_seconds, state_id } = PoolInput::decode(&fields)?;
    let desk = &service.desk;
    let views = match state_id {
        Some(id) => desk.pool_in_state(chain_id, pool_address, id, time_in_seconds, &client).map(|view| vec![view]),
        None => desk.pools(chain_id, pool_address, time_in_seconds, &client),
    };
    let views = views.map_err(|error| fields.map_desk_error(error))?;
    json::response(&pools_response(&views, fieldset))
}

/// Makes a quote (docs/api.md).
pub(crate) async fn quote(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = chain_fields(&context, QUOTE_V2);
    let input = QuoteInput::decode(&fields)?;
    let request = input.request(client, None);
    let quote = service.desk.quote(&request).await;
    service.log_quote(&context, &input, quote.as_ref().ok());
    json::response(&service.quote_response(&quote.map_err(|error| fields.map_desk_error(error))?))
}

/// Makes a quote and signs it in one request.
pub(crate) async fn quote_sign(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = chain_fields(&context, QUOTE_SIGN);
    let mut reader = Reader::new(&fields);
    let (quote, terms) = (QuoteInput::read(&mut reader), TermsInput::read(&mut reader, &service.settings.service_name));
    let (quote, TermsInput { terms, wants_calldata }) = reader.finish(|| quote.zip(terms))?;
    let request = quote.request(client, None);
    let signed = staggered(service.desk.quote_and_sign(&request, terms)).await;
    service.log_quote(&context, &quote, signed.as_ref().ok().map(|signed| &signed.quote));
    let signed = signed.map_err(|error| fields.map_desk_error(error))?;
    service.count_signature(signed.quote.pool);
    json::response(&service.quote_sign_response(&signed, wants_calldata))
}

/// Returns the status of a quote.
pub(crate) async fn quote_status(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = Fields::from_query(context.query(), &[]).with_path(Field::QuoteId, context.parameter());
    let id = quote_status_id(&fields)?;
    let status = service.desk.status(id, &client).await.map_err(ApiError::Desk)?;
    json::response(&status_response(&status))
}

/// Returns hypothetical quotes for several sizes and validities.
pub(crate) async fn quote_grid(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = chain_fields(&context, GRID);
    let input = GridInput::decode(&fields)?;
    let grid = service.desk.quote_grid(&input.request(client)).map_err(|error| fields.map_desk_error(error))?;
    json::response(&grid_response(&grid, &input))
}

/// Returns the fields of a request with the chain id in its path.
pub(super) fn chain_fields<'r>(context: &'r RequestContext, accepted: &[Field]) -> Fields<'r> {
    Fields::from_query(context.query(), accepted).with_path(Field::ChainId, context.parameter())
}
