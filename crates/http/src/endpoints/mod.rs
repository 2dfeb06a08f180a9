//! The endpoints, by resource: each is one literal with all its columns, beside its handler.

mod access;
mod accounting;
mod credentials;
#[cfg(feature = "viewer")]
mod docs_page;
mod endpoint;
mod events;
mod hedges;
mod levels;
mod operation;
mod operator;
mod operator_page;
mod pages;
mod pools;
mod quotes;
mod signatures;
mod staggered;
mod swaps;

use actix_web::{HttpResponse, web};

use self::endpoint::{Listeners, LogLevel};
pub(crate) use self::{
    access::Access,
    endpoint::{Endpoint, ListenerRole, Purpose},
    operation::{Inputs, Link, NamedSchema, Operation, PathWords, ResponseType, SuccessBody},
};
use crate::error::{AllowedMethods, ApiError};

/// The endpoints in the order in which they are documented. The router tries patterns in this order, and those with a
/// parameter cost a microsecond each, so quotes come first.
pub(crate) static ENDPOINTS: &[&Endpoint] = &[
    &quotes::QUOTE_V1,
    &signatures::SIGN_V1,
    &quotes::QUOTE,
    &signatures::SIGN_V2,
    &signatures::QUOTE_SIGN,
    &pools::DEFAULT_POOL,
    &pools::CHAINS,
    &pools::POOLS,
    &quotes::QUOTE_STATUS,
    &swaps::SIGNED_SWAPS,
    &quotes::QUOTE_GRID,
    &levels::SNAPSHOT,
    &levels::STREAM,
    &levels::SOCKET,
    &events::QUOTE_EVENTS,
    &pages::ROOT,
    &operator::HEALTH,
    &operator::READINESS,
    &operator::METRICS,
    &operator::PRICES,
    &operator::PAUSE_POOL,
    &operator::RESUME_POOL,
    &hedges::HEDGES,
    &credentials::REVOKE,
    &credentials::RESTORE,
    &events::STREAM,
    &operator_page::PAGE,
    &operator_page::STYLE,
    &operator_page::SCRIPT,
    &operator_page::OVERVIEW,
    &operator_page::PAIR_CURVE,
    &operator_page::RECENT_SIGNATURES,
    &operator_page::EARNINGS_REPORT,
    &pages::OPENAPI,
    &pages::ASYNCAPI,
    &pages::CONTRACT_ABI,
    &pages::TYPED_DATA,
    #[cfg(feature = "viewer")]
    &docs_page::DOCS,
    #[cfg(feature = "viewer")]
    &docs_page::DOCS_SLASH,
    #[cfg(feature = "viewer")]
    &docs_page::DOCS_EXAMPLES,
    #[cfg(feature = "viewer")]
    &docs_page::DOCS_FILE,
    &pages::ERROR_INDEX,
    &pages::ERROR_PAGE,
];

/// The endpoint of paths that match no other.
pub(crate) static UNMATCHED: Endpoint = Endpoint {
    path: "unmatched",
    listeners: Listeners::None,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::ErrorPage,
    cache_control: None,
    log: LogLevel::Debug,
    handler: || web::to(unmatched),
    operation: None,
};

async fn unmatched() -> Result<HttpResponse, ApiError> {
    Err(ApiError::NoRoute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_lists_every_route_for_programs() {
        let readme = include_str!("../../README.md");
        for endpoint in ENDPOINTS.iter().filter(|endpoint| endpoint.is_operation() || endpoint.is_for_operator()) {
            let path = endpoint.path.strip_prefix("/rfq/v2").unwrap_or(endpoint.path);
            let is_listed = endpoint.path.starts_with("/operator/") || readme.contains(&format!(" {path}`"));
            assert!(is_listed, "{}", endpoint.path);
        }
    }
}
