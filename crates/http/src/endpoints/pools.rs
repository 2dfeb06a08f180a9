//! Pools, and the chains that they are on.

use actix_web::{HttpResponse, web};
use firmquote_api as api;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    operation::{Inputs, Operation, json, pool_data},
};
use crate::{
    error::{AllowedMethods, ApiError},
    input::{CHAIN_ID, Fields},
    openapi::examples,
    request::AuthenticatedRequest,
    wire::{self, POOL_V1, POOL_V2, PoolInput, chains_response, pool_response, pools_response},
};

const ABOUT_POOLS: &str = "Without `fieldset`: balances, prices, values and target values. With \
    `fieldset=offchain-data`: the parameters of the pricing formula, and the fee of each pair for `time_in_seconds`. \
    With `fieldset=all`: both, from the same instant.";

pub(crate) static DEFAULT_POOL: Endpoint = Endpoint {
    path: "/rfq/pool",
    listeners: Listeners::Version1,
    methods: AllowedMethods::Get,
    access: Access::Basic,
    purpose: Purpose::Pools,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(default_pool),
    operation: Some(Operation {
        id: "pool_v1",
        summary: "The default pool of a chain",
        about: ABOUT_POOLS,
        success: "The pool.",
        inputs: Inputs::query(POOL_V1),
        body: pool_data::<api::PoolResponse>(examples::pool),
        ..Operation::NEW
    }),
};

/// Returns the chain's default pool (docs/api.md).
async fn default_pool(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = Fields::from_query(context.query(), POOL_V1);
    let PoolInput { chain_id, pool_type, time_in_seconds, .. } = PoolInput::decode(&fields)?;
    let view =
        service.desk.default_pool(chain_id, time_in_seconds, &client).map_err(|error| fields.map_desk_error(error))?;
    wire::json::response(&pool_response(&view, pool_type))
}

pub(crate) static POOLS: Endpoint = Endpoint {
    path: "/rfq/v2/pool/{chain_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Pools,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(pools),
    operation: Some(Operation {
        id: "pools_v2",
        summary: "All pools of a chain, or one of them",
        about: ABOUT_POOLS,
        success: "The pools.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], POOL_V2),
        body: pool_data::<api::PoolsResponse>(examples::pools),
        ..Operation::NEW
    }),
};

/// Returns the chain's pools, or one of them (docs/api.md).
async fn pools(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = context.chain_fields(POOL_V2);
    let PoolInput { chain_id, pool_type, pool_address, time_in_seconds, state_id } = PoolInput::decode(&fields)?;
    let desk = &service.desk;
    let views = match state_id {
        Some(id) => desk.pool_in_state(chain_id, pool_address, id, time_in_seconds, &client).map(|view| vec![view]),
        None => desk.pools(chain_id, pool_address, time_in_seconds, &client),
    };
    let views = views.map_err(|error| fields.map_desk_error(error))?;
    wire::json::response(&pools_response(&views, pool_type))
}

pub(crate) static CHAINS: Endpoint = Endpoint {
    path: "/rfq/v2/chains",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Chains,
    cache_control: NO_STORE,
    log: LogLevel::Sampled,
    handler: || web::to(chains),
    operation: Some(Operation {
        id: "chains_v2",
        summary: "Chains, pools, assets and pairs",
        about: "Every chain with its pools, their assets and pairs, and the smallest and largest trade for the calling \
        client.",
        success: "The chains.",
        body: json::<api::Chains>(examples::chains),
        ..Operation::NEW
    }),
};

/// Returns the chains with their traded pairs and trade sizes.
async fn chains(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    wire::json::response(&chains_response(&context.service().desk.chains(&client)))
}
