//! The guard in front of every key: pure checks of an offer against its pool, independent of checks in the layers
//! above.

use alloy_primitives::Address;
use firmquote_domain::{
    Amount, Asset, GoodUntil, NativeSide, Offer, PackedGoodUntil, Pool, PoolConstant, PoolSpec, SettlementCheck,
    Timestamp, UnixSeconds, Weight, is_lapsed,
};

use crate::Refusal;

/// An offer to be signed, with the inputs of its checks other than the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningRequest {
    /// The offer to sign.
    pub offer: Offer,
    /// The side that the calldata treats as native coin.
    pub native: NativeSide,
    /// Base units of the output token that the pool holds by its own accounting.
    pub output_reserve: Amount,
    /// The current time.
    pub now: Timestamp,
}

/// Checks whether `request` may be signed for `pool`; returns the first reason if not.
///
/// Zero amounts, prices and weights, which would disable the check of the contract, cannot be constructed and need no
/// check here. Whether the amounts follow from the prices is not checked: this crate does no pricing.
pub(crate) fn check(pool: &Pool, request: &SigningRequest) -> Result<(), Refusal> {
    let (spec, offer) = (pool.spec(), &request.offer);
    if offer.pool != spec.id {
        return Err(Refusal::OtherPool { offered: offer.pool, allowed: spec.id });
    }
    check_expiry(spec, offer.good_until, request.now)?;
    check_tokens(spec, offer)?;
    check_packed(spec, offer)?;
    check_destination(spec, offer)?;
    check_native(spec, offer, request.native)?;
    if offer.output_amount >= request.output_reserve {
        return Err(Refusal::WholeReserve { output: offer.output_amount, reserve: request.output_reserve });
    }
    Ok(())
}

fn check_expiry(spec: &PoolSpec, good_until: GoodUntil, now: Timestamp) -> Result<(), Refusal> {
    if good_until.kind() != spec.good_until {
        return Err(Refusal::OtherKind { offered: good_until.kind(), allowed: spec.good_until });
    }
    let (expires_at, latest) = (good_until.expires_at(), latest_expiry(spec, now));
    if is_lapsed(expires_at, now) {
        return Err(Refusal::Lapsed { expires_at, earliest: now.seconds() });
    }
    if expires_at > latest {
        return Err(Refusal::TooLong { expires_at, latest });
    }
    Ok(())
}

/// The tolerated clock difference of two replicas in seconds, plus one for the truncation to seconds.
const MAX_CLOCK_SKEW_SECONDS: u32 = 4 + 1;

/// `now` truncated to seconds, plus acceptance window, plus the maximum `time_in_seconds`, plus a tolerance for quotes
/// of a replica whose clock is ahead.
fn latest_expiry(spec: &PoolSpec, now: Timestamp) -> UnixSeconds {
    let longest = spec.acceptance_window_seconds.saturating_add(spec.max_time_in_seconds);
    now.seconds().saturating_add(longest.saturating_add(MAX_CLOCK_SKEW_SECONDS))
}

fn check_tokens(spec: &PoolSpec, offer: &Offer) -> Result<(), Refusal> {
    if offer.input_token == offer.output_token {
        return Err(Refusal::SameToken { token: offer.input_token });
    }
    weight_of(spec, offer.input_token)?;
    weight_of(spec, offer.output_token)?;
    Ok(())
}

/// The contract recomputes the swap with the packed numbers, so they must be the pool's.
fn check_packed(spec: &PoolSpec, offer: &Offer) -> Result<(), Refusal> {
    let GoodUntil::Packed(packed) = offer.good_until else { return Ok(()) };
    let k = match spec.settlement {
        SettlementCheck::Curve => spec.k,
        SettlementCheck::Price => PoolConstant::ZERO,
    };
    if packed.k != k {
        return Err(Refusal::OtherK { packed: packed.k, allowed: k });
    }
    for (token, packed) in [(offer.input_token, packed.input_weight), (offer.output_token, packed.output_weight)] {
        let allowed = weight_of(spec, token)?;
        if packed != allowed {
            return Err(Refusal::OtherWeight { token, packed, allowed });
        }
    }
    match spec.settlement {
        SettlementCheck::Curve => Ok(()),
        SettlementCheck::Price => check_rate_bound(spec, offer, &packed),
    }
}

/// The contract refuses a swap whose output is worth more than its input at the packed prices.
fn check_rate_bound(spec: &PoolSpec, offer: &Offer, packed: &PackedGoodUntil) -> Result<(), Refusal> {
    let input = (offer.input_amount, asset(spec, offer.input_token)?.decimals);
    let output = (offer.output_amount, asset(spec, offer.output_token)?.decimals);
    match packed.with_rate_bound(input, output) {
        Some(bound) if bound == *packed => Ok(()),
        bound => {
            Err(Refusal::ExcessiveRate { packed: packed.output_price, allowed: bound.map(|bound| bound.output_price) })
        }
    }
}

fn weight_of(spec: &PoolSpec, token: Address) -> Result<Weight, Refusal> {
    asset(spec, token).map(|asset| asset.weight)
}

fn asset(spec: &PoolSpec, token: Address) -> Result<&Asset, Refusal> {
    spec.assets.iter().find(|asset| asset.address == token).ok_or(Refusal::UnlistedToken { token })
}

/// Also rejects the token contracts of the pool: tokens sent to them are stuck there.
fn check_destination(spec: &PoolSpec, offer: &Offer) -> Result<(), Refusal> {
    let role = match offer.destination {
        Address::ZERO => "the zero address",
        destination if destination == spec.id.address => "the pool itself",
        destination if spec.assets.iter().any(|asset| asset.address == destination) => "a token contract of the pool",
        _ => return Ok(()),
    };
    Err(Refusal::UnusableDestination { destination: offer.destination, role })
}

fn check_native(spec: &PoolSpec, offer: &Offer, native: NativeSide) -> Result<(), Refusal> {
    let token = match native {
        NativeSide::Neither => return Ok(()),
        NativeSide::Input => offer.input_token,
        NativeSide::Output => offer.output_token,
    };
    if token != spec.chain.wrapped_native {
        return Err(Refusal::NotNative { token, wrapped_native: spec.chain.wrapped_native });
    }
    Ok(())
}
