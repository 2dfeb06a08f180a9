//! The binary encoding of quotes, terms and signatures: a format byte, the fields that scripts read at fixed offsets,
//! then the postcard encoding of the structures below. The order and types of their fields are the stored format:
//! changing them requires a new format byte.
//!
//! ```text
//! quote   format (1) | generation of the server (32) | expiry of a claim, Unix milliseconds, big-endian (8)
//!         | StoredQuote, its client first
//! claim   generation of the server (32) | StoredTerms
//! record  format (1) | 1 once it is in the ledger, else 0 (1) | StoredQuote, StoredTerms, StoredSignature
//! outcome format (1) | StoredOutcome
//! ```

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, Execution, FixedSide, GoodUntil, Leg, LevelsId,
    NativeSide, PoolId, Price, Quote, QuoteId, QuotedLevels, ReserveBounds, Settlement, Signature, SignedQuote,
    SourceNetwork, StateId, SwapOutcome, Terms, Timestamp, U256, UnixSeconds,
};
use serde::{Deserialize, Serialize};

use super::generation::Generation;

/// The format of quotes; the only one that is written and read.
const QUOTE_FORMAT: u8 = 6;
/// The format of records; the only one that is written and read.
const RECORD_FORMAT: u8 = 6;
/// The format of outcomes; the only one that is written and read.
const OUTCOME_FORMAT: u8 = 1;
/// The length of the fields between the format byte of a quote and the quote.
const QUOTE_HEADER: usize = Generation::LENGTH + 8;

#[derive(Serialize, Deserialize)]
struct StoredQuote<'a> {
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
struct StoredLeg {
    token: [u8; 20],
    decimals: u8,
    /// Limbs of 64 bits, lowest first: short for usual amounts.
    amount: [u64; 4],
    price_steps: u64,
    reserve: [u64; 4],
}

#[derive(Serialize, Deserialize)]
struct StoredLevels {
    id: [u8; 16],
    output: [u64; 4],
    budget_left: [u64; 4],
}

#[derive(Serialize, Deserialize)]
enum StoredGoodUntil {
    Plain(u32),
    Packed([u8; 32]),
}

#[derive(Serialize, Deserialize)]
struct StoredTerms {
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
enum StoredNativeSide {
    Neither,
    Input,
    Output,
}

#[derive(Serialize, Deserialize)]
struct StoredSignature {
    r: [u8; 32],
    s: [u8; 32],
    is_y_odd: bool,
    is_guaranteed: bool,
    guarantee: Option<StoredBounds>,
    signed_at_us: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredBounds {
    max_input: [u64; 4],
    min_output: [u64; 4],
}

#[derive(Serialize, Deserialize)]
enum StoredOutcome {
    Settled(StoredSettlement),
    Lapsed,
}

#[derive(Serialize, Deserialize)]
struct StoredSettlement {
    transaction_hash: [u8; 32],
    log_index: u64,
    block_number: u64,
    block_time: u32,
    input_amount: [u64; 4],
    output_amount: [u64; 4],
}

/// A recorded signature, and whether it is known to be in the ledger.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StoredRecord {
    pub(super) signed: SignedQuote,
    pub(super) is_in_ledger: bool,
}

/// The result of encoding. Never an error for values of the domain, but returned instead of a panic.
pub(super) type Encoded = Result<Vec<u8>, postcard::Error>;

/// Encodes the value of a quote key. `claimed_until` is the expiry of a claim, in Unix milliseconds.
pub(super) fn encode_quote(quote: &Quote, claimed_until: u64, generation: &Generation) -> Encoded {
    let mut bytes = Vec::with_capacity(416);
    bytes.push(QUOTE_FORMAT);
    bytes.extend(generation.as_bytes());
    bytes.extend(claimed_until.to_be_bytes());
    postcard::to_extend(&StoredQuote::from(quote), bytes)
}

/// Encodes the client as in the value of a quote key, right after the expiry of the claim.
pub(super) fn encode_client(client: &Client) -> Encoded {
    postcard::to_allocvec(&client.name())
}

/// Encodes the value of a claim key, without the generation before it.
pub(super) fn encode_terms(terms: &Terms) -> Encoded {
    postcard::to_allocvec(&StoredTerms::from(terms))
}

/// Encodes the value of a record key.
pub(super) fn encode_record(signed: &SignedQuote, is_in_ledger: bool) -> Encoded {
    let mut bytes = Vec::with_capacity(512);
    bytes.extend([RECORD_FORMAT, u8::from(is_in_ledger)]);
    let SignedQuote { quote, terms, .. } = signed;
    let stored = (StoredQuote::from(quote), StoredTerms::from(terms), StoredSignature::from(signed));
    postcard::to_extend(&stored, bytes)
}

/// Decodes the quote `id` from the value of its key; `None` if the value has another format.
pub(super) fn decode_quote(id: QuoteId, bytes: &[u8]) -> Option<Quote> {
    let stored = bytes.strip_prefix(&[QUOTE_FORMAT])?.get(QUOTE_HEADER..)?;
    postcard::from_bytes::<StoredQuote<'_>>(stored).ok()?.quote(id)
}

/// Decodes the record of quote `id` from the value of its key; `None` if the value has another format.
pub(super) fn decode_record(id: QuoteId, bytes: &[u8]) -> Option<StoredRecord> {
    let (is_in_ledger, stored) = bytes.strip_prefix(&[RECORD_FORMAT])?.split_first()?;
    let (quote, terms, signature) =
        postcard::from_bytes::<(StoredQuote<'_>, StoredTerms, StoredSignature)>(stored).ok()?;
    let execution = if signature.is_guaranteed { Execution::Guaranteed } else { Execution::BestEffort };
    let signed_at = Timestamp::from_micros(signature.signed_at_us);
    let guarantee = signature.guarantee.as_ref().map(|bounds| Box::new(bounds.into()));
    let (quote, terms, signature) = (quote.quote(id)?, terms.into(), signature.signature()?);
    let signed = SignedQuote { quote, terms, signature, execution, guarantee, signed_at };
    Some(StoredRecord { signed, is_in_ledger: *is_in_ledger == 1 })
}

/// Encodes the value of an outcome key.
pub(super) fn encode_outcome(outcome: &SwapOutcome) -> Encoded {
    let stored = match outcome {
        SwapOutcome::Settled(settlement) => StoredOutcome::Settled(StoredSettlement {
            transaction_hash: settlement.transaction_hash.0,
            log_index: settlement.log_index,
            block_number: settlement.block_number,
            block_time: settlement.block_time.get(),
            input_amount: settlement.input_amount.into_limbs(),
            output_amount: settlement.output_amount.into_limbs(),
        }),
        SwapOutcome::Lapsed => StoredOutcome::Lapsed,
    };
    postcard::to_extend(&stored, vec![OUTCOME_FORMAT])
}

/// Decodes the value of an outcome key; `None` if the value has another format.
pub(super) fn decode_outcome(bytes: &[u8]) -> Option<SwapOutcome> {
    Some(match postcard::from_bytes(bytes.strip_prefix(&[OUTCOME_FORMAT])?).ok()? {
        StoredOutcome::Settled(stored) => SwapOutcome::Settled(Settlement {
            transaction_hash: B256::from(stored.transaction_hash),
            log_index: stored.log_index,
            block_number: stored.block_number,
            block_time: UnixSeconds::new(stored.block_time),
            input_amount: U256::from_limbs(stored.input_amount),
            output_amount: U256::from_limbs(stored.output_amount),
        }),
        StoredOutcome::Lapsed => SwapOutcome::Lapsed,
    })
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
    fn quote(self, id: QuoteId) -> Option<Quote> {
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
    fn signature(self) -> Option<Signature> {
        Signature::new(B256::from(self.r), B256::from(self.s), self.is_y_odd).ok()
    }
}
