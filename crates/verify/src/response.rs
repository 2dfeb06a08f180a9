//! The answers of a service that are verified, and what it was asked for.

use alloy_primitives::Bytes;
use firmquote_domain::{
    Address, Amount, B256, ChainId, FixedSide, NativeSide, Offer, Signature, Timestamp, UnixSeconds,
};

/// A Quote object (specification 2.1), as far as it is verified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuoteResponse {
    /// The chain.
    pub chain_id: ChainId,
    /// The token and the base units that the pool gets.
    pub input: (Address, Amount),
    /// The token and the base units that the pool gives.
    pub output: (Address, Amount),
    /// Value of the input in US dollars, the nearest double.
    pub input_value_in_usd: f64,
    /// Value of the output in US dollars, the nearest double.
    pub output_value_in_usd: f64,
    /// Whole tokens of the output for one of the input.
    pub rate: f64,
    /// The first instant at which it is no longer signed.
    pub must_accept_by: Timestamp,
    /// The last second in which the signed swap is valid on chain.
    pub good_until: UnixSeconds,
}

/// A Sign object (specification 4.5): what was signed, and the call that comes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignResponse {
    /// What the signature is for.
    pub offer: Offer,
    /// The signature.
    pub signature: Signature,
    /// The call of the pool contract, if it was asked for.
    pub calldata: Option<Bytes>,
}

/// What the service was asked for, as far as it is known: `None` is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedSwap {
    /// The token that is given.
    pub input_token: Option<Address>,
    /// The token that is received.
    pub output_token: Option<Address>,
    /// The side whose amount was named.
    pub fixed: Option<FixedSide>,
    /// That amount, in base units.
    pub fixed_amount: Option<Amount>,
    /// The account that receives the output.
    pub destination: Option<Address>,
    /// The side that is native coin.
    pub native: Option<NativeSide>,
    /// Whether the input is transferred to the pool beforehand (`transmit`).
    pub transmit: Option<bool>,
    /// The auxiliary data.
    pub aux_data: Option<B256>,
}

impl QuoteResponse {
    /// The `time_in_seconds` that it is for: its `good_until` is its `must_accept_by` cut to seconds, plus it. `None` for a
    /// quote that says otherwise.
    pub fn time_in_seconds(&self) -> Option<u32> {
        self.good_until.get().checked_sub(self.must_accept_by.seconds().get())
    }
}
