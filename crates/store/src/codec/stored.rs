//! The stored structures, as postcard encodes them: the order and types of their fields are the stored format.

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, Execution, FixedSide, GoodUntil, Leg, LevelsId,
    NativeSide, PoolId, Price, Quote, QuoteId, QuotedLevels, ReserveBounds, Settlement, Signature, SignedQuote,
    SourceNetwork, StateId, SwapOutcome, Terms, Timestamp, U256, UnixSeconds,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredQuote<'a> {
    client: Option<&'a str>,
    source_network: Option<u64>,
    chain_id: u64,
    pool: [u8; 20],
    input: StoredLeg,
    output: StoredLeg,
    is_output_fixed: bool,
    fee_hundredths: u32,
    time_in_seconds: u32,
    block: Option<u64>,
    state_id: [u8; 16],
    levels: Option<StoredLevels>,
    created_at_us: u64,
    must_accept_by_us: u64,
    good_until: StoredGoodUntil,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredLeg {
    token: [u8; 20],
    decimals: u8,
    /// Limbs of 64 bits, lowest first: short for usual amounts.
    amount: [u64; 4],
    price_steps: u64,
    reserve: [u64; 4],
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredLevels {
    id: [u8; 16],
    output: [u64; 4],
    budget_left: [u64; 4],
}

#[derive(Serialize, Deserialize)]
pub(crate) enum StoredGoodUntil {
    Plain(u32),
    Packed([u8; 32]),
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredTerms {
    destination: [u8; 20],
    sender: [u8; 20],
    aux_data: [u8; 32],
    #[serde(with = "StoredNativeSide")]
    native: NativeSide,
    transmit: bool,
    guarantee: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NativeSide")]
pub(crate) enum StoredNativeSide {
    Neither,
    Input,
    Output,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredSignature {
    r: [u8; 32],
    s: [u8; 32],
    is_y_odd: bool,
    pub(crate) is_guaranteed: bool,
    pub(crate) guarantee: Option<StoredBounds>,
    pub(crate) signed_at_us: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredBounds {
    max_input: [u64; 4],
    min_output: [u64; 4],
}

#[derive(Serialize, Deserialize)]
pub(crate) enum StoredOutcome {
    Settled(StoredSettlement),
    Lapsed,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredSettlement {
    transaction_hash: [u8; 32],
    log_index: u64,
    block_number: u64,
    block_time: u32,
    input_amount: [u64; 4],
    output_amount: [u64; 4],
}

impl<'a> From<&'a Quote> for StoredQuote<'a> {
    fn from(quote: &'a Quote) -> Self {
        Self {
            client: quote.client.name(),
            source_network: quote.source_network.map(SourceNetwork::get),
            chain_id: quote.pool.chain_id.get(),
            pool: quote.pool.address.into_array(),
            input: StoredLeg::from(&quote.input),
            output: StoredLeg::from(&quote.output),
            is_output_fixed: quote.fixed == FixedSide::Output,
            fee_hundredths: quote.fee.hundredths(),
            time_in_seconds: quote.time_in_seconds,
            block: quote.block,
            state_id: *quote.state_id.as_bytes(),
            levels: quote.levels.as_deref().map(StoredLevels::from),
            created_at_us: quote.created_at.as_micros(),
            must_accept_by_us: quote.must_accept_by.as_micros(),
            good_until: match quote.good_until {
                GoodUntil::Plain(seconds) => StoredGoodUntil::Plain(seconds.get()),
                packed @ GoodUntil::Packed(_) => StoredGoodUntil::Packed(packed.to_word().to_be_bytes()),
            },
        }
    }
}

impl StoredQuote<'_> {
    pub(crate) fn quote(self, id: QuoteId) -> Option<Quote> {
        Some(Quote {
            id,
            client: self.client.map_or(Client::Anonymous, |name| Client::Named(Arc::from(name))),
            source_network: self.source_network.map(SourceNetwork::new),
            pool: PoolId { chain_id: ChainId::new(self.chain_id)?, address: Address::from(self.pool) },
            input: self.input.leg()?,
            output: self.output.leg()?,
            fixed: if self.is_output_fixed { FixedSide::Output } else { FixedSide::Input },
            fee: BasisPoints::from_hundredths(self.fee_hundredths)?,
            time_in_seconds: self.time_in_seconds,
            block: self.block,
            state_id: StateId::from_bytes(self.state_id),
            levels: match self.levels {
                Some(levels) => Some(Box::new(levels.quoted_levels()?)),
                None => None,
            },
            created_at: Timestamp::from_micros(self.created_at_us),
            must_accept_by: Timestamp::from_micros(self.must_accept_by_us),
            good_until: match self.good_until {
                StoredGoodUntil::Plain(seconds) => GoodUntil::Plain(UnixSeconds::new(seconds)),
                StoredGoodUntil::Packed(word) => GoodUntil::from_word(U256::from_be_bytes(word)).ok()?,
            },
        })
    }
}

impl From<&QuotedLevels> for StoredLevels {
    fn from(levels: &QuotedLevels) -> Self {
        Self {
            id: *levels.id.as_bytes(),
            output: levels.output.base_units().into_limbs(),
            budget_left: levels.budget_left.into_limbs(),
        }
    }
}

impl StoredLevels {
    fn quoted_levels(self) -> Option<QuotedLevels> {
        Some(QuotedLevels {
            id: LevelsId::from_bytes(self.id),
            output: Amount::new(U256::from_limbs(self.output))?,
            budget_left: U256::from_limbs(self.budget_left),
        })
    }
}

impl From<&Leg> for StoredLeg {
    fn from(leg: &Leg) -> Self {
        Self {
            token: leg.token.into_array(),
            decimals: leg.decimals.get(),
            amount: leg.amount.base_units().into_limbs(),
            price_steps: leg.price.steps(),
            reserve: leg.reserve.base_units().into_limbs(),
        }
    }
}

impl StoredLeg {
    fn leg(self) -> Option<Leg> {
        Some(Leg {
            token: Address::from(self.token),
            decimals: Decimals::new(self.decimals)?,
            amount: Amount::new(U256::from_limbs(self.amount))?,
            price: Price::new(self.price_steps)?,
            reserve: Amount::new(U256::from_limbs(self.reserve))?,
        })
    }
}

impl From<&Terms> for StoredTerms {
    fn from(terms: &Terms) -> Self {
        Self {
            destination: terms.destination.into_array(),
            sender: terms.sender.into_array(),
            aux_data: terms.aux_data.0,
            native: terms.native,
            transmit: terms.transmit,
            guarantee: terms.guarantee,
        }
    }
}

impl From<StoredTerms> for Terms {
    fn from(stored: StoredTerms) -> Self {
        Self {
            destination: Address::from(stored.destination),
            sender: Address::from(stored.sender),
            aux_data: B256::from(stored.aux_data),
            native: stored.native,
            transmit: stored.transmit,
            guarantee: stored.guarantee,
        }
    }
}

impl From<&SignedQuote> for StoredSignature {
    fn from(SignedQuote { signature, execution, guarantee, signed_at, .. }: &SignedQuote) -> Self {
        Self {
            r: signature.r().0,
            s: signature.s().0,
            is_y_odd: signature.v() == 28,
            is_guaranteed: *execution == Execution::Guaranteed,
            guarantee: guarantee.as_deref().map(StoredBounds::from),
            signed_at_us: signed_at.as_micros(),
        }
    }
}

impl From<&ReserveBounds> for StoredBounds {
    fn from(bounds: &ReserveBounds) -> Self {
        Self { max_input: bounds.max_input.into_limbs(), min_output: bounds.min_output.into_limbs() }
    }
}

impl From<&StoredBounds> for ReserveBounds {
    fn from(stored: &StoredBounds) -> Self {
        Self { max_input: U256::from_limbs(stored.max_input), min_output: U256::from_limbs(stored.min_output) }
    }
}

impl StoredSignature {
    pub(crate) fn signature(self) -> Option<Signature> {
        Signature::new(B256::from(self.r), B256::from(self.s), self.is_y_odd).ok()
    }
}

impl From<&SwapOutcome> for StoredOutcome {
    fn from(outcome: &SwapOutcome) -> Self {
        match outcome {
            SwapOutcome::Settled(settlement) => Self::Settled(StoredSettlement {
                transaction_hash: settlement.transaction_hash.0,
                log_index: settlement.log_index,
                block_number: settlement.block_number,
                block_time: settlement.block_time.get(),
                input_amount: settlement.input_amount.into_limbs(),
                output_amount: settlement.output_amount.into_limbs(),
            }),
            SwapOutcome::Lapsed => Self::Lapsed,
        }
    }
}

impl From<StoredOutcome> for SwapOutcome {
    fn from(stored: StoredOutcome) -> Self {
        match stored {
            StoredOutcome::Settled(stored) => Self::Settled(Settlement {
                transaction_hash: B256::from(stored.transaction_hash),
                log_index: stored.log_index,
                block_number: stored.block_number,
                block_time: UnixSeconds::new(stored.block_time),
                input_amount: U256::from_limbs(stored.input_amount),
                output_amount: U256::from_limbs(stored.output_amount),
            }),
            StoredOutcome::Lapsed => Self::Lapsed,
        }
    }
}
