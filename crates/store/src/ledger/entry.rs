//! The JSON form of ledger entries: one for each signature, and one for each outcome of its swap.
//!
//! Numbers that do not fit a double are strings, addresses and words are hex, times are Unix microseconds. An entry is
//! read back in two ways: as its swap, for which all other members may be missing or have the form of another version,
//! and as the whole signature, for which every member is needed.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, Execution, FixedSide, GoodUntil, InvalidValue, Leg,
    LevelsId, NativeSide, Offer, PoolId, Price, Quote, QuoteId, QuotedLevels, ReserveBounds, Settlement, Signature,
    SignedQuote, SignedSwap, StateId, SwapOutcome, Terms, Timestamp, U256, UnixSeconds, parse_address,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The entry of a signature: everything about it.
#[derive(Serialize, Deserialize)]
pub(super) struct SignatureEntry<'a> {
    #[serde(skip_deserializing)]
    event: &'static str,
    quote_id: Text<QuoteId>,
    /// `null` for a client without credentials.
    client: Option<Cow<'a, str>>,
    chain_id: u64,
    #[serde(deserialize_with = "address")]
    pool: Text<Address>,
    input: LegEntry,
    output: LegEntry,
    #[serde(with = "FixedSideEntry")]
    fixed: FixedSide,
    fee_in_basis_points: Text<BasisPoints>,
    time_in_seconds: u32,
    /// The block of the reserves that the quote was computed with.
    block: Option<u64>,
    state_id: Text<StateId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<LevelsEntry>,
    created_at_us: u64,
    must_accept_by_us: u64,
    /// The last Unix second in which the swap is valid on chain.
    #[serde(skip_deserializing)]
    expires_at: u32,
    /// The signed word: the same second, or the packed form for a pool that verifies.
    good_until: Text<U256>,
    #[serde(deserialize_with = "address")]
    destination: Text<Address>,
    #[serde(deserialize_with = "address")]
    sender: Text<Address>,
    aux_data: Text<B256>,
    #[serde(with = "NativeSideEntry")]
    native: NativeSide,
    transmit: bool,
    requires_guarantee: bool,
    #[serde(with = "ExecutionEntry")]
    execution: Execution,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guarantee: Option<BoundsEntry>,
    signature: SignatureParts,
    signed_at_us: u64,
}

/// The members of a [`SignatureEntry`] that describe its swap: all that the book needs.
#[derive(Deserialize)]
pub(super) struct SwapEntry<'a> {
    quote_id: Text<QuoteId>,
    client: Option<Cow<'a, str>>,
    chain_id: u64,
    #[serde(deserialize_with = "address")]
    pool: Text<Address>,
    input: TokenEntry,
    output: TokenEntry,
    block: Option<u64>,
    good_until: Text<U256>,
    #[serde(deserialize_with = "address")]
    destination: Text<Address>,
    #[serde(with = "NativeSideEntry")]
    native: NativeSide,
    guarantee: Option<BoundsEntry>,
    signed_at_us: u64,
}

#[derive(Serialize, Deserialize)]
struct LegEntry {
    #[serde(deserialize_with = "address")]
    token: Text<Address>,
    decimals: u8,
    amount: Text<Amount>,
    price_usd: Text<Price>,
    /// The reserve that the quote was computed with.
    reserve: Text<Amount>,
}

#[derive(Deserialize)]
struct TokenEntry {
    #[serde(deserialize_with = "address")]
    token: Text<Address>,
    amount: Text<Amount>,
}

/// The firm levels that the quote named.
#[derive(Serialize, Deserialize)]
struct LevelsEntry {
    id: Text<LevelsId>,
    output: Text<Amount>,
    budget_left: Text<U256>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FixedSide", rename_all = "lowercase")]
enum FixedSideEntry {
    Input,
    Output,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NativeSide", rename_all = "lowercase")]
enum NativeSideEntry {
    Neither,
    Input,
    Output,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Execution", rename_all = "snake_case")]
enum ExecutionEntry {
    Guaranteed,
    BestEffort,
}

#[derive(Serialize, Deserialize)]
struct BoundsEntry {
    max_input: Text<U256>,
    min_output: Text<U256>,
}

#[derive(Serialize, Deserialize)]
struct SignatureParts {
    v: u8,
    r: Text<B256>,
    s: Text<B256>,
}

#[derive(Serialize)]
struct OutcomeEntry<'a> {
    event: &'static str,
    quote_id: Text<QuoteId>,
    client: Option<&'a str>,
    chain_id: u64,
    pool: Text<Address>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    settlement: Option<SettlementEntry>,
    /// When the service learned of it.
    recorded_at_us: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SettlementEntry {
    transaction_hash: Text<B256>,
    log_index: u64,
    block_number: u64,
    block_timestamp: u32,
    input_amount: Text<U256>,
    output_amount: Text<U256>,
}

/// A value as a string.
#[derive(Default)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(D::Error::custom)
    }
}

/// Reads an address; digits of mixed case must have the right checksum.
fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text<Address>, D::Error> {
    parse_address(&String::deserialize(deserializer)?).map(Text).map_err(D::Error::custom)
}

/// Formats the entry of a signature as one line of JSON, without a newline.
///
/// # Errors
/// Never fails for values of the domain.
pub fn line(signed: &SignedQuote) -> Result<String, serde_json::Error> {
    let SignedQuote { quote, terms, signature, execution, guarantee, signed_at } = signed;
    serde_json::to_string(&SignatureEntry {
        event: "signed",
        quote_id: Text(quote.id),
        client: quote.client.name().map(Cow::Borrowed),
        chain_id: quote.pool.chain_id.get(),
        pool: Text(quote.pool.address),
        input: LegEntry::from(&quote.input),
        output: LegEntry::from(&quote.output),
        fixed: quote.fixed,
        fee_in_basis_points: Text(quote.fee),
        time_in_seconds: quote.time_in_seconds,
        block: quote.block,
        state_id: Text(quote.state_id),
        levels: quote.levels.as_deref().map(|&QuotedLevels { id, output, budget_left }| LevelsEntry {
            id: Text(id),
            output: Text(output),
            budget_left: Text(budget_left),
        }),
        created_at_us: quote.created_at.as_micros(),
        must_accept_by_us: quote.must_accept_by.as_micros(),
        expires_at: quote.good_until.expires_at().get(),
        good_until: Text(quote.good_until.to_word()),
        destination: Text(terms.destination),
        sender: Text(terms.sender),
        aux_data: Text(terms.aux_data),
        native: terms.native,
        transmit: terms.transmit,
        requires_guarantee: terms.guarantee,
        execution: *execution,
        guarantee: guarantee
            .as_deref()
            .map(|bounds| BoundsEntry { max_input: Text(bounds.max_input), min_output: Text(bounds.min_output) }),
        signature: SignatureParts { v: signature.v(), r: Text(signature.r()), s: Text(signature.s()) },
        signed_at_us: signed_at.as_micros(),
    })
}

/// Formats the entry about the end of a signed swap as one line of JSON, without a newline; `None` means that the swap
/// is open again after a reorganization.
///
/// # Errors
/// Never fails for values of the domain.
pub fn outcome_line(
    swap: &SignedSwap,
    outcome: Option<SwapOutcome>,
    recorded_at: Timestamp,
) -> Result<String, serde_json::Error> {
    let (event, settlement) = match outcome {
        Some(SwapOutcome::Settled(settlement)) => ("settled", Some(settlement)),
        Some(SwapOutcome::Lapsed) => ("lapsed", None),
        None => ("reorged", None),
    };
    serde_json::to_string(&OutcomeEntry {
        event,
        quote_id: Text(swap.quote_id),
        client: swap.client.name(),
        chain_id: swap.offer.pool.chain_id.get(),
        pool: Text(swap.offer.pool.address),
        settlement: settlement.map(|settlement| SettlementEntry {
            transaction_hash: Text(settlement.transaction_hash),
            log_index: settlement.log_index,
            block_number: settlement.block_number,
            block_timestamp: settlement.block_time.get(),
            input_amount: Text(settlement.input_amount),
            output_amount: Text(settlement.output_amount),
        }),
        recorded_at_us: recorded_at.as_micros(),
    })
}

impl From<&Leg> for LegEntry {
    fn from(leg: &Leg) -> Self {
        let Leg { token, decimals, amount, price, reserve } = *leg;
        Self {
            token: Text(token),
            decimals: decimals.get(),
            amount: Text(amount),
            price_usd: Text(price),
            reserve: Text(reserve),
        }
    }
}

impl TryFrom<LegEntry> for Leg {
    type Error = InvalidValue;

    fn try_from(entry: LegEntry) -> Result<Self, InvalidValue> {
        let decimals = Decimals::new(entry.decimals);
        Ok(Self {
            token: entry.token.0,
            decimals: decimals.ok_or(InvalidValue::OutOfRange { allowed: "0 to 24 decimals" })?,
            amount: entry.amount.0,
            price: entry.price_usd.0,
            reserve: entry.reserve.0,
        })
    }
}

impl TryFrom<SignatureEntry<'_>> for SignedQuote {
    type Error = InvalidValue;

    fn try_from(entry: SignatureEntry<'_>) -> Result<Self, InvalidValue> {
        let SignatureParts { v, r, s } = entry.signature;
        let levels = |levels: LevelsEntry| {
            Box::new(QuotedLevels { id: levels.id.0, output: levels.output.0, budget_left: levels.budget_left.0 })
        };
        Ok(Self {
            quote: Quote {
                id: entry.quote_id.0,
                client: client(entry.client),
                source_network: None,
                pool: pool_id(entry.chain_id, entry.pool.0)?,
                input: entry.input.try_into()?,
                output: entry.output.try_into()?,
                fixed: entry.fixed,
                fee: entry.fee_in_basis_points.0,
                time_in_seconds: entry.time_in_seconds,
                block: entry.block,
                state_id: entry.state_id.0,
                levels: entry.levels.map(levels),
                created_at: Timestamp::from_micros(entry.created_at_us),
                must_accept_by: Timestamp::from_micros(entry.must_accept_by_us),
                good_until: GoodUntil::from_word(entry.good_until.0)?,
            },
            terms: Terms {
                destination: entry.destination.0,
                sender: entry.sender.0,
                aux_data: entry.aux_data.0,
                native: entry.native,
                transmit: entry.transmit,
                guarantee: entry.requires_guarantee,
            },
            signature: Signature::new(r.0, s.0, v == 28)?,
            execution: entry.execution,
            guarantee: entry.guarantee.map(|bounds| Box::new(bounds.into())),
            signed_at: Timestamp::from_micros(entry.signed_at_us),
        })
    }
}

impl TryFrom<SwapEntry<'_>> for SignedSwap {
    type Error = InvalidValue;

    fn try_from(entry: SwapEntry<'_>) -> Result<Self, InvalidValue> {
        Ok(Self {
            quote_id: entry.quote_id.0,
            client: client(entry.client),
            source_network: None,
            offer: Offer {
                pool: pool_id(entry.chain_id, entry.pool.0)?,
                input_token: entry.input.token.0,
                output_token: entry.output.token.0,
                input_amount: entry.input.amount.0,
                output_amount: entry.output.amount.0,
                good_until: GoodUntil::from_word(entry.good_until.0)?,
                destination: entry.destination.0,
            },
            native: entry.native,
            signed_at: Timestamp::from_micros(entry.signed_at_us),
            block: entry.block,
            guarantee: entry.guarantee.map(ReserveBounds::from),
        })
    }
}

impl From<BoundsEntry> for ReserveBounds {
    fn from(entry: BoundsEntry) -> Self {
        Self { max_input: entry.max_input.0, min_output: entry.min_output.0 }
    }
}

impl From<SettlementEntry> for Settlement {
    fn from(entry: SettlementEntry) -> Self {
        Self {
            transaction_hash: entry.transaction_hash.0,
            log_index: entry.log_index,
            block_number: entry.block_number,
            block_time: UnixSeconds::new(entry.block_timestamp),
            input_amount: entry.input_amount.0,
            output_amount: entry.output_amount.0,
        }
    }
}

/// The client of an entry. The ledger does not record the source network of requests.
fn client(name: Option<Cow<'_, str>>) -> Client {
    name.map_or(Client::Anonymous, |name| Client::Named(name.into()))
}

fn pool_id(chain_id: u64, address: Address) -> Result<PoolId, InvalidValue> {
    let chain_id = ChainId::new(chain_id).ok_or(InvalidValue::OutOfRange { allowed: "1 and more" })?;
    Ok(PoolId { chain_id, address })
}
