//! The parameters of requests.

use firmquote_domain::{
    Address, Amount, B256, ChainId, LevelsId, NativeSide, QuoteId, StateId, SwapAmount, Symbol, UnixSeconds,
};

/// Selects the pools to return data for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolRequest {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// One pool instead of all. Requires an API key; without one, only the chain's default pool is returned.
    pub pool_address: Option<Address>,
    /// The `time_in_seconds` that fees in off-chain data are for; each pool's default if absent.
    pub time_in_seconds: Option<u32>,
    /// The [state](crate::Quote::state_id) of a quote instead of the current one. Requires an API key.
    pub state_id: Option<StateId>,
}

impl PoolRequest {
    /// All pools of a chain.
    pub const fn new(chain_id: ChainId) -> Self {
        Self { chain_id, pool_address: None, time_in_seconds: None, state_id: None }
    }
}

/// A request for a quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteRequest {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// The input asset, by its name in the pool data.
    pub input_asset: Symbol,
    /// The output asset, by its name in the pool data.
    pub output_asset: Symbol,
    /// The fixed amount.
    pub amount: SwapAmount,
    /// Seconds between accepting the quote and the transaction on chain; the pool's default if absent. A longer time
    /// gets a slightly worse price.
    pub time_in_seconds: Option<u32>,
    /// The pool to quote, instead of the one with the best price. Requires an API key. A quote that does not name it,
    /// as those of earlier releases of the service, is refused.
    pub pool_address: Option<Address>,
    /// The [levels](crate::LevelBook::levels_id) that the quote must honor. Requires an API key.
    pub levels_id: Option<LevelsId>,
}

impl QuoteRequest {
    /// Creates a request for a quote of `amount` from the best pool.
    pub const fn new(chain_id: ChainId, input_asset: Symbol, output_asset: Symbol, amount: SwapAmount) -> Self {
        Self { chain_id, input_asset, output_asset, amount, time_in_seconds: None, pool_address: None, levels_id: None }
    }
}

/// A request for indicative quotes for many sizes. Requires an API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteGridRequest {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// The input asset, by its name in the pool data.
    pub input_asset: Symbol,
    /// The output asset, by its name in the pool data.
    pub output_asset: Symbol,
    /// The inputs in base units, 1 to 32.
    pub inputs: Vec<Amount>,
    /// The values of `time_in_seconds`, at most 8; the pool's default if there is none.
    pub times: Vec<u32>,
    /// The pool, instead of the one that serves most of the sizes.
    pub pool_address: Option<Address>,
}

/// A request for signed swaps of the client; all of them by default. Requires an API key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapsRequest {
    /// Only swaps that were signed in this second or later.
    pub since: Option<UnixSeconds>,
    /// Only swaps that were signed before this second.
    pub until: Option<UnixSeconds>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// The most swaps of a page, 1 to 100; 100 if absent.
    pub limit: Option<u8>,
}

/// A request for price levels. Requires an API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelsRequest {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// Input and output of each book; all pairs in both directions if there is none.
    pub pairs: Vec<[Symbol; 2]>,
    /// One pool instead of all of the chain.
    pub pool_address: Option<Address>,
    /// The `time_in_seconds` that the fee in the levels is for; the pool's default if absent.
    pub time_in_seconds: Option<u32>,
    /// Maximum number of knots in a book, 2 to 64; 16 if absent.
    pub max_knots: Option<u32>,
}

impl LevelsRequest {
    /// All pairs of a chain in both directions.
    pub const fn new(chain_id: ChainId) -> Self {
        Self { chain_id, pairs: Vec::new(), pool_address: None, time_in_seconds: None, max_knots: None }
    }
}

/// The terms a quote is signed for. The first terms are final; `calldata` is not one of the terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwapTerms {
    /// The account that receives the output.
    pub destination: Address,
    /// The account that the input comes from; the destination if absent.
    pub sender: Option<Address>,
    /// 32 bytes that are emitted in the event of the swap; the service's name if absent.
    pub aux_data: Option<B256>,
    /// Which side is the chain's native coin.
    pub native: NativeSide,
    /// Whether the call pulls the input from its caller. Set it for a plain wallet: tokens sent to the pool in one
    /// transaction can be taken by another account's swap before the next transaction.
    pub transmit: bool,
    /// Whether the swap must be guaranteed to execute; the service refuses if it cannot guarantee that.
    pub guarantee: bool,
    /// Whether the response contains the calldata.
    pub calldata: bool,
}

impl SwapTerms {
    /// Terms for swapping tokens for tokens, pulled from the caller, to `destination`, with calldata.
    pub const fn transmit_and_swap(destination: Address) -> Self {
        Self { native: NativeSide::Neither, transmit: true, ..Self::swap(destination) }
    }

    /// Terms for swapping tokens for tokens that the caller's contract sends to the pool in the same transaction, with
    /// calldata.
    pub const fn swap(destination: Address) -> Self {
        let native = NativeSide::Neither;
        Self { destination, sender: None, aux_data: None, native, transmit: false, guarantee: false, calldata: true }
    }

    /// Returns the same terms with a guarantee.
    #[must_use]
    pub const fn guaranteed(self) -> Self {
        Self { guarantee: true, ..self }
    }

    /// Returns the same terms with native coin on one side.
    #[must_use]
    pub const fn with_native(self, native: NativeSide) -> Self {
        Self { native, ..self }
    }
}

/// A request to sign a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignRequest {
    /// The quote to sign.
    pub quote_id: QuoteId,
    /// The terms to sign it for.
    pub terms: SwapTerms,
}
