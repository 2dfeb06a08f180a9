//! Offers that the guard refuses to sign.

use alloy_primitives::Address;
use firmquote_domain::{Amount, GoodUntilKind, PoolConstant, PoolId, Price, UnixSeconds, Weight};

/// Reasons an offer is not signed. Each would cost the pool or the client money without the contract noticing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The offer is for a different pool than the one of the signer.
    #[error("the offer is for pool {offered}, allowed: {allowed}")]
    OtherPool {
        /// Pool of the offer.
        offered: PoolId,
        /// The pool of the signer.
        allowed: PoolId,
    },
    /// `good_until` has the form of the other kind of pool, which would disable the check of the contract.
    #[error("good_until has the form of a {} pool, allowed: {}", .offered.name(), .allowed.name())]
    OtherKind {
        /// Kind of the offer's `good_until`.
        offered: GoodUntilKind,
        /// Kind of the pool.
        allowed: GoodUntilKind,
    },
    /// The offer is no longer valid.
    #[error("good_until is {}, in the past, allowed: {} or later", .expires_at.get(), .earliest.get())]
    Lapsed {
        /// Last second in which the offer is valid.
        expires_at: UnixSeconds,
        /// The current second.
        earliest: UnixSeconds,
    },
    /// The offer would be valid for longer than any offer of the pool may be.
    #[error("good_until is {}, too far away, allowed: {} or earlier", .expires_at.get(), .latest.get())]
    TooLong {
        /// Last second in which the offer is valid.
        expires_at: UnixSeconds,
        /// Last second in which an offer created by now may be valid.
        latest: UnixSeconds,
    },
    /// The output would be inaccessible at the destination.
    #[error("destination {destination} is {role}, allowed: an account that can spend the output")]
    UnusableDestination {
        /// Destination of the offer.
        destination: Address,
        /// The owner of that address.
        role: &'static str,
    },
    /// Input and output are the same token.
    #[error("input and output token are both {token}, allowed: two different tokens")]
    SameToken {
        /// The token.
        token: Address,
    },
    /// The pool does not list the token.
    #[error("token {token} is not listed, allowed: the pool's assets")]
    UnlistedToken {
        /// The token.
        token: Address,
    },
    /// The native side of the swap is not the wrapped native token.
    #[error("the native side has token {token}, allowed: wrapped native {wrapped_native}")]
    NotNative {
        /// Token of that side.
        token: Address,
        /// The chain's wrapped-native contract.
        wrapped_native: Address,
    },
    /// The pool holds no more than the output amount.
    #[error("output_amount is {output}, allowed: less than the reserve {reserve}")]
    WholeReserve {
        /// Base units the offer pays out.
        output: Amount,
        /// Base units the pool holds.
        reserve: Amount,
    },
    /// The contract would check the swap with a k other than the pool's.
    #[error("packed k is {packed}, allowed: {allowed}")]
    OtherK {
        /// The k of the offer.
        packed: PoolConstant,
        /// The k of the pool.
        allowed: PoolConstant,
    },
    /// The contract would check the swap with a listing weight other than the token's.
    #[error("packed weight of token {token} is {}, allowed: {}", .packed.get(), .allowed.get())]
    OtherWeight {
        /// The token.
        token: Address,
        /// Its weight in the offer.
        packed: Weight,
        /// Its weight in the pool.
        allowed: Weight,
    },
    /// The contract would refuse the swap: at the packed prices its output is worth more than its input.
    #[error("packed price of the output is {packed}, allowed: {}", at_most(.allowed))]
    ExcessiveRate {
        /// The price of the output in the offer.
        packed: Price,
        /// The largest one at which the contract executes the swap; `None` if there is none.
        allowed: Option<Price>,
    },
}

fn at_most(price: &Option<Price>) -> String {
    price.map_or_else(|| "none for these amounts".to_owned(), |price| format!("at most {price}"))
}
