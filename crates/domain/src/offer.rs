//! What a signature covers.

use alloy_primitives::Address;

use crate::{Amount, GoodUntil, PoolId};

/// The terms that a pool contract honours under a signature.
///
/// It binds neither the sender nor a nonce nor the contract function: whoever holds the signature can
/// send it, and the output goes to `destination`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The contract that pays out; its chain and address are part of what is signed.
    pub pool: PoolId,
    /// Token paid in; the wrapped-native contract for the native coin.
    pub input_token: Address,
    /// Token paid out; the wrapped-native contract for the native coin.
    pub output_token: Address,
    /// Base units paid in.
    pub input_amount: Amount,
    /// Base units paid out.
    pub output_amount: Amount,
    /// Until when.
    pub good_until: GoodUntil,
    /// Who receives the output.
    pub destination: Address,
}
