//! Quotes, their status, and indicative quotes for many sizes.

use actix_web::{HttpResponse, web};
use firmquote_api as api;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    operation::{Inputs, Link, Operation, json},
};
use crate::{
    error::{AllowedMethods, ApiError},
    input::{CHAIN_ID, Fields, QUOTE_ID},
    openapi::examples,
    request::{AuthenticatedBody, AuthenticatedRequest},
    wire::{self, GRID, GridInput, QuoteInput, grid_response, quote_status_id, status_response},
};

const ABOUT_QUOTE: &str = "Exactly one of `input_amount` and `output_amount` is required. Only the client that requested the \
    quote can have it signed, and only before its `must_accept_by`.";

const ABOUT_STATUS: &str = "Only for the client that requested the quote. A settled or lapsed swap may become `signed` again when \
    the chain is reorganized: count `confirmations`. An unsigned quote is retained until its `must_accept_by`, a signed one \
    usually until a day after `good_until`; the operator configures this.";

const ABOUT_GRID: &str = "Outputs for each input amount and validity, computed in one state of one pool. Each equals a quote \
    in that state; no quote is stored. Without `pool_address`, the pool that serves most of the sizes is used.";

pub(crate) static QUOTE_V1: Endpoint = Endpoint {
    path: "/rfq/quote",
    listeners: Listeners::Version1,
    methods: AllowedMethods::Post,
    access: Access::AnyClient,
    purpose: Purpose::Quote,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(quote_v1),
    operation: Some(Operation {
        id: "quote_v1",
        summary: "Request a quote",
        about: ABOUT_QUOTE,
        success: "The quote.",
        inputs: Inputs::body(wire::QUOTE_V1),
        body: json::<api::Quote>(examples::quote),
        links: &[Link::Sign("sign_v1")],
        ..Operation::NEW
    }),
};

/// Makes a quote (docs/api.md).
async fn quote_v1(request: AuthenticatedBody) -> Result<HttpResponse, ApiError> {
    let AuthenticatedBody { context, snapshot: service, client, body } = request;
    let fields = Fields::from_json(&body, wire::QUOTE_V1)?;
    let input = QuoteInput::decode(&fields)?;
    let source_network = context.source_network(&client);
    let quote = service.desk.quote(&input.request(client, source_network)).await;
    service.log_quote(&context, &input, quote.as_ref().ok());
    wire::json::response(&service.quote_response(&quote.map_err(|error| fields.map_desk_error(error))?))
}

pub(crate) static QUOTE: Endpoint = Endpoint {
    path: "/rfq/v2/quote/{chain_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Quote,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(quote),
    operation: Some(Operation {
        id: "quote_v2",
        summary: "Request a quote",
        about: ABOUT_QUOTE,
        success: "The quote.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], wire::QUOTE_V2),
        body: json::<api::Quote>(examples::quote),
        links: &[Link::Sign("sign_v2"), Link::Status("quote_status_v2")],
        ..Operation::NEW
    }),
};

/// Makes a quote (docs/api.md).
async fn quote(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = context.chain_fields(wire::QUOTE_V2);
    let input = QuoteInput::decode(&fields)?;
    let request = input.request(client, None);
    let quote = service.desk.quote(&request).await;
    service.log_quote(&context, &input, quote.as_ref().ok());
    wire::json::response(&service.quote_response(&quote.map_err(|error| fields.map_desk_error(error))?))
}

pub(crate) static QUOTE_STATUS: Endpoint = Endpoint {
    path: "/rfq/v2/quote-status/{quote_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Status,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(quote_status),
    operation: Some(Operation {
        id: "quote_status_v2",
        summary: "Status of a quote",
        about: ABOUT_STATUS,
        success: "The status.",
        inputs: Inputs::path_and_query(&[&QUOTE_ID.field], &[]),
        body: json::<api::QuoteStatus>(examples::status),
        ..Operation::NEW
    }),
};

/// Returns the status of a quote.
async fn quote_status(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = Fields::from_query(context.query(), &[]).with_path(&QUOTE_ID.field, context.parameter());
    let id = quote_status_id(&fields)?;
    let status = service.desk.status(id, &client).await.map_err(ApiError::Desk)?;
    wire::json::response(&status_response(&status))
}

pub(crate) static QUOTE_GRID: Endpoint = Endpoint {
    path: "/rfq/v2/curve/{chain_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Grid,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(quote_grid),
    operation: Some(Operation {
        id: "curve_v2",
        summary: "Indicative quotes for many sizes",
        about: ABOUT_GRID,
        success: "The outputs.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], GRID),
        body: json::<api::QuoteGrid>(examples::grid),
        ..Operation::NEW
    }),
};

/// Returns hypothetical quotes for several sizes and validities.
async fn quote_grid(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = context.chain_fields(GRID);
    let input = GridInput::decode(&fields)?;
    let grid = service.desk.quote_grid(&input.request(client)).map_err(|error| fields.map_desk_error(error))?;
    wire::json::response(&grid_response(&grid, &input))
}
