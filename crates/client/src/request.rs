//! What can be asked.

use firmquote_domain::{Address, Amount, B256, ChainId, NativeSide, QuoteId, Symbol};

/// Which pools to tell about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolRequest {
    /// The chain.
    pub chain_id: ChainId,
    /// One pool instead of all. Needs an API key; without one, the chain's default pool is the only one told about.
    pub pool_address: Option<Address>,
    /// The seconds to tell fees for, in off-chain data; each pool's default otherwise.
    pub time_in_seconds: Option<u32>,
}

impl PoolRequest {
    /// All pools of a chain.
    pub const fn new(chain_id: ChainId) -> Self {
        Self { chain_id, pool_address: None, time_in_seconds: None }
    }
}

/// The amount that is fixed; the service computes the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedAmount {
    /// Base units to give. The output is rounded down.
    Input(Amount),
    /// Base units to get. The input is rounded up.
    Output(Amount),
}

/// What to quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteRequest {
    /// The chain.
    pub chain_id: ChainId,
    /// What to give, by its name in the pool data.
    pub input_asset: Symbol,
    /// What to get, by its name in the pool data.
    pub output_asset: Symbol,
    /// How much.
    pub amount: FixedAmount,
    /// Seconds between accepting the quote and the transaction on chain; the pool's default otherwise. More is a little
    /// worse.
    pub time_in_seconds: Option<u32>,
    /// The pool, instead of the one with the best price. Needs an API key.
    pub pool_address: Option<Address>,
}

impl QuoteRequest {
    /// A quote for `amount`, by the best pool for it.
    pub const fn new(chain_id: ChainId, input_asset: Symbol, output_asset: Symbol, amount: FixedAmount) -> Self {
        Self { chain_id, input_asset, output_asset, amount, time_in_seconds: None, pool_address: None }
    }
}

/// What a quote is signed for. The first terms a quote is signed for are the only ones, but for `calldata`, which is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwapTerms {
    /// Who receives the output.
    pub destination: Address,
    /// The account that the input comes from; the destination otherwise.
    pub sender: Option<Address>,
    /// 32 bytes that come back in the event of the swap; the service's name otherwise.
    pub aux_data: Option<B256>,
    /// Which side is the chain's native coin.
    pub native: NativeSide,
    /// Whether the call pulls the input from its caller. A plain wallet wants that: what is sent to the pool in one
    /// transaction can be taken by somebody else's swap before the next.
    pub transmit: bool,
    /// Whether the answer carries the call.
    pub calldata: bool,
}

impl SwapTerms {
    /// Tokens for tokens, pulled from the caller, to `destination`, with calldata.
    pub const fn pulled_for(destination: Address) -> Self {
        Self { native: NativeSide::Neither, transmit: true, ..Self::pushed_for(destination) }
    }

    /// Tokens for tokens that the caller's contract sends to the pool in the same transaction, with calldata.
    pub const fn pushed_for(destination: Address) -> Self {
        Self { destination, sender: None, aux_data: None, native: NativeSide::Neither, transmit: false, calldata: true }
    }

    /// The same with native coin on one side.
    #[must_use]
    pub const fn with_native(self, native: NativeSide) -> Self {
        Self { native, ..self }
    }
}

/// What to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignRequest {
    /// The quote.
    pub quote_id: QuoteId,
    /// For whom, and how.
    pub terms: SwapTerms,
}
