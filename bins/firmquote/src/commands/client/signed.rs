//! What is looked at before a signature is shown: the call that comes with it, and the pool that it is for.

use firmquote_client::{SignedSwap, SwapTerms};
use firmquote_domain::PoolId;
use firmquote_verify::{CheckStatus, Difference, PublishedPool, check_calldata};

use super::sign;
use crate::client::{document::sign_response, failure::Failure};

/// Whether the calldata of `signed`, if it has some, asks the pool contract for what was signed under `terms`.
///
/// # Errors
/// [`Failure::No`] with the first difference.
pub(super) fn check_call(signed: &SignedSwap, terms: &SwapTerms) -> Result<(), Failure> {
    let Some((check, _)) = check_calldata(&sign_response(signed), &sign::asked(terms).requested()) else {
        return Ok(());
    };
    if check.status == CheckStatus::Holds {
        return Ok(());
    }
    let first = check
        .differences
        .first()
        .map(|Difference { of, is, expected }| format!(" ({of} is {is}, expected: {expected})"));
    Err(Failure::no(format!(
        "the calldata is not that of the signed swap: {}{}",
        check.says,
        first.unwrap_or_default()
    )))
}

/// Whether `signed` is for one of the pools that the quote was asked of.
///
/// # Errors
/// [`Failure::No`] if it is for another contract.
pub(super) fn check_pool(signed: &SignedSwap, pools: &[PublishedPool]) -> Result<(), Failure> {
    let id = PoolId { chain_id: signed.chain_id, address: signed.service_exchange_address };
    if pools.iter().any(|pool| pool.id == id) {
        return Ok(());
    }
    Err(Failure::no(format!("what was signed is for the contract {}, which is no pool of the pool data", id.address)))
}
