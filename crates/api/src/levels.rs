//! Price levels, and the messages that stream them.

use std::{borrow::Cow, time::Duration};

use firmquote_domain::{Amount, U512};
use serde::{Deserialize, Serialize};

use crate::{
    AddressText, AmountText, BandText, BasisPointsNumber, ChainIdNumber, DecimalsNumber, Json, Knot, LevelsIdText,
    StateIdText, SymbolText,
};

/// How often a stream without other messages has a heartbeat; levels and events alike.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);

/// The current levels of a chain's pools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LevelsSnapshot {
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The books that are live.
    pub books: Vec<LevelBook>,
    /// The books for which nothing is quoted at present.
    pub withdrawn: Vec<WithdrawnLevels>,
}

/// Levels of one pair in one direction: for an input between two knots, a quote in the state pays at least the output
/// of the straight line between them, rounded down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LevelBook {
    /// Sequence number, increasing for each pair and direction, possibly with gaps.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub seq: u64,
    /// Identifies these levels.
    pub levels_id: LevelsIdText,
    /// The state that the levels were computed in.
    pub state_id: StateIdText,
    /// The pool contract.
    pub pool_address: AddressText,
    /// The asset paid to the pool.
    pub input_asset_symbol: SymbolText,
    /// Its token.
    pub input_asset_address: AddressText,
    /// Its decimals.
    pub input_asset_decimals: DecimalsNumber,
    /// The asset paid by the pool.
    pub output_asset_symbol: SymbolText,
    /// Its token.
    pub output_asset_address: AddressText,
    /// Its decimals.
    pub output_asset_decimals: DecimalsNumber,
    /// The Unix time of the oldest price or reserve in the levels, in milliseconds.
    pub as_of_ms: u64,
    /// The Unix time of publication, in milliseconds.
    pub published_ms: u64,
    /// The Unix time in milliseconds from which the levels no longer hold, by the clock of the service.
    pub valid_until_ms: u64,
    /// The maximum time from acceptance to execution that the fee in the levels covers, in seconds.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub time_in_seconds: u32,
    /// The fee included in the levels.
    pub fee_in_basis_points: BasisPointsNumber,
    /// Whether the levels are firm for quotes that name them; otherwise they are indicative.
    pub firm: bool,
    /// Whether quotes pay the stated output at every size. If not, the contract of a `verified` pool may refuse the
    /// output of the formula, and a quote may be lower or refused.
    pub certain: bool,
    /// The maximum firm input of a client, in base units; null for indicative levels.
    #[cfg_attr(feature = "schema", schema(required))]
    pub firm_budget_input: Option<AmountText>,
    /// The input of the first knot, in base units.
    #[cfg_attr(feature = "schema", schema(required))]
    pub minimum_input: Option<AmountText>,
    /// The input of the last knot, in base units.
    #[cfg_attr(feature = "schema", schema(required))]
    pub maximum_input: Option<AmountText>,
    /// The maximum shortfall of the line between two knots against a quote, excluding rounding.
    pub max_shortfall_bps: BasisPointsNumber,
    /// What the levels are: `cumulative_input_output_floor`: `knots`, with straight lines between them, rounded down;
    /// `incremental_price_size`: `bands`.
    pub semantics: Cow<'static, str>,
    /// Cumulative input and output in base units, from small to large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub knots: Option<Vec<Knot>>,
    /// Price in whole output tokens for each whole input token, and size in whole input tokens, best first. The first
    /// band reaches from nothing to the smallest input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub bands: Option<Vec<BandText>>,
}

/// A pair in one direction for which nothing is quoted at present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WithdrawnLevels {
    /// The pool contract.
    pub pool_address: AddressText,
    /// The asset paid to the pool.
    pub input_asset_symbol: SymbolText,
    /// The asset paid by the pool.
    pub output_asset_symbol: SymbolText,
    /// The reason for the withdrawal, such as `stale_prices`.
    pub reason: Cow<'static, str>,
}

/// The `type` of a message of a stream, and its number on the connection, from 1 without gaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageHead {
    /// `hello`, `book`, `snapshot_end`, `renew`, `withdraw`, `heartbeat` or `goodbye`.
    #[serde(rename = "type")]
    pub kind: Cow<'static, str>,
    /// The number of the message.
    pub n: u64,
}

/// The other members of `hello`, the first message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The name and version of the protocol.
    pub protocol: Cow<'static, str>,
    /// Identifies the run of the process.
    pub epoch: String,
    /// The Unix time at the service, in milliseconds.
    pub server_time_ms: u64,
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The time between heartbeats, in milliseconds.
    pub heartbeat_ms: u64,
    /// The shortest time between two publications of a book, in milliseconds.
    pub min_interval_ms: u64,
}

/// The other members of `renew`: these books are valid for longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renew {
    /// The books.
    pub levels_ids: Vec<LevelsIdText>,
    /// The Unix time of the oldest price or reserve, in milliseconds.
    pub as_of_ms: u64,
    /// The Unix time of publication, in milliseconds.
    pub published_ms: u64,
    /// The Unix time in milliseconds from which the books no longer hold.
    pub valid_until_ms: u64,
}

/// The other members of `withdraw`: these books are no longer valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdraw {
    /// The books.
    pub levels_ids: Vec<LevelsIdText>,
    /// The reason, such as `stale_prices`.
    pub reason: Cow<'static, str>,
}

/// The other members of `snapshot_end`: all books have been sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotEnd {
    /// The number of books.
    pub books: usize,
}

/// The other members of `heartbeat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The Unix time at the service, in milliseconds.
    pub server_time_ms: u64,
}

/// The other members of `goodbye`: the service ends the stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goodbye {
    /// `shutdown` or `reloaded`.
    pub reason: Cow<'static, str>,
    /// How long to wait before reconnecting, in milliseconds.
    pub reconnect_after_ms: u64,
}

impl LevelBook {
    /// Cumulative input and output in base units, from small to large; empty for a book of bands.
    pub fn knots(&self) -> &[Knot] {
        self.knots.as_deref().unwrap_or_default()
    }

    /// The smallest input and the largest; `None` if there are no knots.
    pub fn range(&self) -> Option<[Amount; 2]> {
        let [Json([smallest, _]), Json([largest, _])] = [self.knots().first()?, self.knots().last()?];
        Some([*smallest, *largest])
    }

    /// Returns the minimum output of a quote for `input`, in base units; `None` outside the knots.
    pub fn output_for(&self, input: Amount) -> Option<Amount> {
        let position = self.knots().partition_point(|Json([knot, _])| *knot < input);
        let [end_input, end_output] = self.knots().get(position)?.0;
        if end_input == input {
            return Some(end_output);
        }
        let [start_input, start_output] = self.knots().get(position.checked_sub(1)?)?.0;
        let [rise, width, part] = [
            end_output.checked_sub(start_output)?,
            end_input.checked_sub(start_input)?,
            input.checked_sub(start_input)?,
        ]
        .map(|difference| U512::from(difference.base_units()));
        let risen = (rise * part / width).to_string();
        // A rise of less than one base unit counts as zero.
        risen.parse().map_or(Some(start_output), |risen| start_output.checked_add(risen))
    }
}
