//! Parses responses that were stored as text, as strictly as on receipt.

use firmquote_api as api;
use serde::de::DeserializeOwned;

use crate::{NativeSide, OffchainPools, OnchainPools, Pools, SignedSwap};

/// Text that is not a response of the expected kind.
#[derive(Debug, thiserror::Error)]
#[error("not a response of this kind: {0}")]
pub struct ParseError(#[source] serde_json::Error);

/// Parses a response to [`Client::onchain_pools`](crate::Client::onchain_pools) with an API key
/// ([`Response::text`](crate::Response::text)).
///
/// # Errors
/// [`ParseError`] for anything else.
pub fn parse_onchain_pools(text: &str) -> Result<OnchainPools, ParseError> {
    read::<api::Pools<api::OnchainData>>(text).map(|response| response.pools)
}

/// Parses a response to [`Client::offchain_pools`](crate::Client::offchain_pools) with an API key.
///
/// # Errors
/// [`ParseError`] for anything else.
pub fn parse_offchain_pools(text: &str) -> Result<OffchainPools, ParseError> {
    read::<api::Pools<api::OffchainData>>(text).map(|response| response.pools)
}

/// Parses a response to [`Client::pools`](crate::Client::pools) with an API key.
///
/// # Errors
/// [`ParseError`] for anything else.
pub fn parse_pools(text: &str) -> Result<Pools, ParseError> {
    read::<api::Pools<api::PoolData>>(text).map(|response| response.pools)
}

/// Parses a Sign object that was requested with this native side, which responses do not contain. Does not check that
/// the signature covers the terms beside it.
///
/// # Errors
/// [`ParseError`] for anything else, including values that are never signed.
pub fn parse_signed_swap(text: &str, native: NativeSide) -> Result<SignedSwap, ParseError> {
    Ok(SignedSwap { response: read(text)?, native })
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, ParseError> {
    serde_json::from_str(text).map_err(ParseError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_responses_are_rejected() {
        for text in ["", "{}", "[]", "{\"pools\":{}}", "{\"pools\":[{}]}", "null"] {
            assert!(parse_onchain_pools(text).is_err(), "{text}");
            assert!(parse_offchain_pools(text).is_err(), "{text}");
            assert!(parse_pools(text).is_err(), "{text}");
            assert!(parse_signed_swap(text, NativeSide::Neither).is_err(), "{text}");
        }
        assert_eq!(parse_onchain_pools("{\"pool_type\":\"onchain\",\"pools\":[]}").unwrap(), OnchainPools::new());
    }
}
