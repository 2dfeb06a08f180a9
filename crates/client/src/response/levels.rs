//! Books of price levels.

use firmquote_domain::{Address, Amount, BasisPoints, ChainId, Decimals, LevelsId, StateId, Symbol, U512};
use serde::Deserialize;

use super::read;

/// The current levels of a chain's pools.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LevelsSnapshot {
    /// EIP-155 chain id.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The books that are live.
    pub books: Vec<LevelBook>,
    /// The books that are currently not quoted.
    pub withdrawn: Vec<WithdrawnLevels>,
}

/// Levels of one pair in one direction: for an input between two knots, a quote in the state pays at least the output
/// of the straight line between them, rounded down.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LevelBook {
    /// Increases with each book of the same pool, input and output, and may skip numbers.
    pub seq: u64,
    /// Identifies these levels.
    #[serde(deserialize_with = "read::text")]
    pub levels_id: LevelsId,
    /// The state that the levels were computed in.
    #[serde(deserialize_with = "read::text")]
    pub state_id: StateId,
    /// The pool contract.
    #[serde(deserialize_with = "read::address")]
    pub pool_address: Address,
    /// The asset paid to the pool.
    #[serde(deserialize_with = "read::symbol")]
    pub input_asset_symbol: Symbol,
    /// Its token.
    #[serde(deserialize_with = "read::address")]
    pub input_asset_address: Address,
    /// Its decimals.
    #[serde(deserialize_with = "read::decimals")]
    pub input_asset_decimals: Decimals,
    /// The asset paid by the pool.
    #[serde(deserialize_with = "read::symbol")]
    pub output_asset_symbol: Symbol,
    /// Its token.
    #[serde(deserialize_with = "read::address")]
    pub output_asset_address: Address,
    /// Its decimals.
    #[serde(deserialize_with = "read::decimals")]
    pub output_asset_decimals: Decimals,
    /// Unix milliseconds of the oldest price or reserve in the book.
    pub as_of_ms: u64,
    /// Unix milliseconds of the publication.
    pub published_ms: u64,
    /// Unix milliseconds at which a price or a reserve becomes too old, by the clock of the service.
    pub valid_until_ms: u64,
    /// The `time_in_seconds` that the fee is for.
    pub time_in_seconds: u32,
    /// The fee included in the outputs.
    #[serde(deserialize_with = "read::rate")]
    pub fee_in_basis_points: BasisPoints,
    /// Whether the levels are firm for quotes that name them.
    pub firm: bool,
    /// The maximum input of one client while the levels are firm, in base units; `None` for levels that are not firm.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub firm_budget_input: Option<Amount>,
    /// Whether quotes pay the stated output at all sizes. If not, the contract of a verified pool may refuse the output
    /// of the formula, and a quote may be lower or refused.
    pub certain: bool,
    /// The maximum shortfall of the line compared with a quote, in addition to less than two base units of rounding.
    #[serde(deserialize_with = "read::rate")]
    pub max_shortfall_bps: BasisPoints,
    /// Cumulative input and output in base units, from small to large.
    #[serde(deserialize_with = "read::amount_pairs")]
    pub knots: Vec<[Amount; 2]>,
}

/// A pair in one direction that is currently not quoted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WithdrawnLevels {
    /// The pool contract.
    #[serde(deserialize_with = "read::address")]
    pub pool_address: Address,
    /// The asset paid to the pool.
    #[serde(deserialize_with = "read::symbol")]
    pub input_asset_symbol: Symbol,
    /// The asset paid by the pool.
    #[serde(deserialize_with = "read::symbol")]
    pub output_asset_symbol: Symbol,
    /// Why, such as `stale_prices`; one line, without control characters.
    #[serde(deserialize_with = "read::line")]
    pub reason: String,
}

impl LevelBook {
    /// The smallest input and the largest; `None` if there are no knots.
    pub fn range(&self) -> Option<[Amount; 2]> {
        Some([self.knots.first()?[0], self.knots.last()?[0]])
    }

    /// Returns the minimum output of a quote for `input`, in base units; `None` outside the knots.
    pub fn output_for(&self, input: Amount) -> Option<Amount> {
        let position = self.knots.partition_point(|[knot, _]| *knot < input);
        let [end_input, end_output] = *self.knots.get(position)?;
        if end_input == input {
            return Some(end_output);
        }
        let [start_input, start_output] = *self.knots.get(position.checked_sub(1)?)?;
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

    /// Whether the knots rise, and the price from knot to knot never does.
    pub(crate) fn is_concave(&self) -> bool {
        let ends = self.knots.iter().zip(self.knots.iter().skip(1));
        let steps = ends.map(|([from_input, from_output], [to_input, to_output])| {
            Some([to_input.checked_sub(*from_input)?, to_output.checked_sub(*from_output)?])
        });
        let Some(steps) = steps.collect::<Option<Vec<_>>>() else { return false };
        let wide = |amount: Amount| U512::from(amount.base_units());
        let is_lower = |([width, rise], [next_width, next_rise]): (&[Amount; 2], &[Amount; 2])| {
            wide(*next_rise) * wide(*width) <= wide(*rise) * wide(*next_width)
        };
        !self.knots.is_empty() && steps.iter().zip(steps.iter().skip(1)).all(is_lower)
    }
}
