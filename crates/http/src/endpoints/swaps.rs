//! The signed swaps of a client.

use actix_web::{HttpResponse, web};
use firmquote_api as api;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    operation::{Inputs, Operation, json},
};
use crate::{
    error::{AllowedMethods, ApiError},
    input::Fields,
    openapi::examples,
    request::AuthenticatedRequest,
    wire::{self, SWAPS, swap_range, swaps_response},
};

const ABOUT: &str = "The swaps that were signed for the calling client, in the order of their signatures, for as long as their \
    status can be read. Pages follow one another by `next_cursor` until it is null; the last one also continues later. Where \
    replicas' clocks differ, a swap may be added before the cursor: read the last seconds again.";

pub(crate) static SIGNED_SWAPS: Endpoint = Endpoint {
    path: "/rfq/v2/swaps",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Swaps,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(signed_swaps),
    operation: Some(Operation {
        id: "swaps_v2",
        summary: "Signed swaps of the client",
        about: ABOUT,
        success: "A page of swaps.",
        inputs: Inputs::query(SWAPS),
        body: json::<api::Swaps>(examples::swaps),
        ..Operation::NEW
    }),
};

/// Returns signed swaps of the client (docs/api.md).
async fn signed_swaps(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let range = swap_range(&Fields::from_query(context.query(), SWAPS))?;
    let page = context.service().desk.signed_swaps(&client, &range).await;
    let (swaps, next) = page.map_err(ApiError::Desk)?;
    wire::json::response(&swaps_response(&swaps, next))
}
