//! Quotes, the terms they are signed for, and the offer covered by a signature.

mod id;
mod state;
mod swap_amount;

use std::sync::Arc;

use alloy_primitives::{Address, B256, U256};

pub use self::{
    id::QuoteId,
    state::{QuoteState, Settlement, SwapOutcome, is_expired, is_lapsed},
    swap_amount::{FixedSide, SwapAmount},
};
use crate::{Amount, BasisPoints, Decimals, GoodUntil, PoolId, Price, QuotedLevels, Signature, StateId, Timestamp};

/// The client that sent a request. A quote belongs to the client that requested it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// A client without credentials.
    Anonymous,
    /// The holder of a credential, by the name that the operator assigned.
    Named(Arc<str>),
}

impl Client {
    /// The name that the operator assigned; `None` without credentials.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Anonymous => None,
            Self::Named(name) => Some(name),
        }
    }
}

/// The network that a request without credentials came from, as a hash: an IPv4 address, or a /64 of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceNetwork(u64);

impl SourceNetwork {
    /// Creates a source network from a hash of its addresses.
    pub const fn new(hash: u64) -> Self {
        Self(hash)
    }

    /// The hash.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// One side of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The token; the wrapped-native contract for the native coin.
    pub token: Address,
    /// Decimals of the token.
    pub decimals: Decimals,
    /// Amount in base units.
    pub amount: Amount,
    /// The price the quote was computed with.
    pub price: Price,
    /// The pool's reserve the quote was computed with, in base units.
    pub reserve: Amount,
}

/// A firm quote: the amounts of a swap with a pool, and the time until which the client may accept them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Identifies the quote to the client.
    pub id: QuoteId,
    /// The owner; no other client can have the quote signed.
    pub client: Client,
    /// Where a request without credentials came from, if that is known.
    pub source_network: Option<SourceNetwork>,
    /// The pool that would pay.
    pub pool: PoolId,
    /// The side that the client pays.
    pub input: Leg,
    /// The side that the client receives.
    pub output: Leg,
    /// Which of the two amounts the client fixed.
    pub fixed: FixedSide,
    /// The fee included in the amounts.
    pub fee: BasisPoints,
    /// Seconds between accepting and landing on chain that the quote is priced for.
    pub time_in_seconds: u32,
    /// The number of the block whose reserves the quote was computed with; `None` for reserves that are not read from a
    /// chain.
    pub block: Option<u64>,
    /// The state that the quote was computed with.
    pub state_id: StateId,
    /// The firm levels that the client named: until `must_accept_by` the quote is signed regardless of prices.
    pub levels: Option<Box<QuotedLevels>>,
    /// When the quote was made.
    pub created_at: Timestamp,
    /// The first instant at which the quote can no longer be signed.
    pub must_accept_by: Timestamp,
    /// When the signed swap stops being valid on chain, in the form its pool reads.
    pub good_until: GoodUntil,
}

impl Quote {
    /// Returns the offer that would be signed for `destination`.
    pub const fn offer_to(&self, destination: Address) -> Offer {
        Offer {
            pool: self.pool,
            input_token: self.input.token,
            output_token: self.output.token,
            input_amount: self.input.amount,
            output_amount: self.output.amount,
            good_until: self.good_until,
            destination,
        }
    }

    /// Returns the amount that the client fixed.
    pub const fn fixed_amount(&self) -> SwapAmount {
        match self.fixed {
            FixedSide::Input => SwapAmount::ExactInput(self.input.amount),
            FixedSide::Output => SwapAmount::ExactOutput(self.output.amount),
        }
    }
}

/// A quote with its signature and the terms that it was signed for; the record of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedQuote {
    /// The quote, unchanged since it was made.
    pub quote: Quote,
    /// The terms it is bound to.
    pub terms: Terms,
    /// The signature over [`Self::offer`].
    pub signature: Signature,
    /// Whether execution is guaranteed to the taker.
    pub execution: Execution,
    /// The reserve bounds of the guarantee, if other swaps must be refused for it.
    pub guarantee: Option<Box<ReserveBounds>>,
    /// When it was signed.
    pub signed_at: Timestamp,
}

/// Whether a signed swap executes until it lapses, regardless of other swaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Execution {
    /// The swap executes until it lapses.
    Guaranteed,
    /// Its contract checks the curve again, or executes signatures repeatedly: others may make it revert.
    BestEffort,
}

/// Bounds within which a swap executes: on the reserves of its tokens as if every outstanding swap that moves them
/// against it, and the swap itself, had been executed. In base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReserveBounds {
    /// The largest reserve of the input token.
    pub max_input: U256,
    /// The smallest reserve of the output token.
    pub min_output: U256,
}

impl Execution {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Guaranteed, Self::BestEffort];

    /// The name in responses and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guaranteed => "guaranteed",
            Self::BestEffort => "best_effort",
        }
    }
}

impl SignedQuote {
    /// Returns the offer that the signature covers.
    pub const fn offer(&self) -> Offer {
        self.quote.offer_to(self.terms.destination)
    }
}

/// The part of a swap that is signed and that the pool contract honors.
///
/// A signature binds neither the sender nor a nonce nor the contract function: any holder of the signature can send it,
/// and the output goes to `destination`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The contract that pays out; the signature covers its chain and address.
    pub pool: PoolId,
    /// Token paid in; the wrapped-native contract for the native coin.
    pub input_token: Address,
    /// Token paid out; the wrapped-native contract for the native coin.
    pub output_token: Address,
    /// Base units paid in.
    pub input_amount: Amount,
    /// Base units paid out.
    pub output_amount: Amount,
    /// When the offer stops being valid on chain.
    pub good_until: GoodUntil,
    /// The account that receives the output.
    pub destination: Address,
}

/// Which side of a swap is the chain's native coin instead of its wrapped token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NativeSide {
    /// Both sides are tokens.
    #[default]
    Neither,
    /// The input is sent as the value of the transaction.
    Input,
    /// The output is paid out as native coin.
    Output,
}

impl NativeSide {
    /// Returns the side that the flags `native_input` and `native_output` of a request name; `None` if both are set.
    pub const fn from_flags(input: bool, output: bool) -> Option<Self> {
        match (input, output) {
            (false, false) => Some(Self::Neither),
            (true, false) => Some(Self::Input),
            (false, true) => Some(Self::Output),
            (true, true) => None,
        }
    }
}

/// The terms a quote is signed for. The first terms a quote is signed for are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// The account that receives the output.
    pub destination: Address,
    /// The account the input is pulled from; the destination unless the request names another, as aggregators do.
    pub sender: Address,
    /// Emitted in the event log of the swap.
    pub aux_data: B256,
    /// Which side is native coin.
    pub native: NativeSide,
    /// Whether the pool pulls the input from the caller instead of expecting it to be delivered already.
    pub transmit: bool,
    /// Whether the swap must be [guaranteed](Execution::Guaranteed).
    pub guarantee: bool,
}

impl Terms {
    /// The terms of a swap of tokens that `destination` delivers and receives, with zeros as `aux_data` and without a
    /// guarantee.
    pub const fn new(destination: Address) -> Self {
        Self {
            destination,
            sender: destination,
            aux_data: B256::ZERO,
            native: NativeSide::Neither,
            transmit: false,
            guarantee: false,
        }
    }
}
