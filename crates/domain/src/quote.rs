//! Quotes, the terms they are signed for, and the offer that a signature covers.

use std::sync::Arc;

use alloy_primitives::{Address, B256};

use crate::{Amount, BasisPoints, Decimals, GoodUntil, PoolId, Price, QuoteId, Signature, Timestamp};

/// Who asked. A quote belongs to the client that asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Nobody in particular.
    Anonymous,
    /// The holder of a credential, by the name the operator gave it.
    Named(Arc<str>),
}

impl Client {
    /// The name the operator gave it; `None` without credentials.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Anonymous => None,
            Self::Named(name) => Some(name),
        }
    }
}

/// One side of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The token; the wrapped-native contract for the native coin.
    pub token: Address,
    /// Decimals of the token.
    pub decimals: Decimals,
    /// Base units that change hands.
    pub amount: Amount,
    /// The price the quote was computed with.
    pub price: Price,
}

/// The amount that the client named; the other follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixedSide {
    /// What it gives (exact input).
    Input,
    /// What it gets (exact output).
    Output,
}

/// A firm quote: what the pool would pay for what, and until when it may be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Its name towards the client.
    pub id: QuoteId,
    /// Who asked for it; nobody else can have it signed.
    pub client: Client,
    /// The pool that would pay.
    pub pool: PoolId,
    /// What the client gives.
    pub input: Leg,
    /// What the client gets.
    pub output: Leg,
    /// Which of the two amounts it named.
    pub fixed: FixedSide,
    /// The fee the amounts contain.
    pub fee: BasisPoints,
    /// Seconds that the client said it needs between accepting and landing on chain.
    pub time_in_seconds: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// The first instant at which it is no longer signed.
    pub must_accept_by: Timestamp,
    /// Until when the signed swap is valid on chain, in the form its pool reads.
    pub good_until: GoodUntil,
}

impl Quote {
    /// What would be signed for `destination`.
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
}

/// A quote with the terms it was signed for and the signature; the record of what left the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedQuote {
    /// The quote as it was made.
    pub quote: Quote,
    /// The terms it is bound to.
    pub terms: Terms,
    /// The signature over [`Self::offer`].
    pub signature: Signature,
}

impl SignedQuote {
    /// What the signature covers.
    pub const fn offer(&self) -> Offer {
        self.quote.offer_to(self.terms.destination)
    }
}

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

/// Which side of a swap is the chain's native coin instead of its wrapped token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NativeSide {
    /// Both sides are tokens.
    #[default]
    Neither,
    /// The input comes as the value of the transaction.
    Input,
    /// The output is paid out as native coin.
    Output,
}

/// The terms a quote is signed for. The first terms a quote is signed for are the only ones ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Who receives the output.
    pub destination: Address,
    /// The account the input is pulled from; the destination unless an aggregator says otherwise.
    pub sender: Address,
    /// Comes back in the event log of the swap.
    pub aux_data: B256,
    /// Which side is native coin.
    pub native: NativeSide,
    /// Whether the pool pulls the input from the caller instead of finding it delivered.
    pub transmit: bool,
}
