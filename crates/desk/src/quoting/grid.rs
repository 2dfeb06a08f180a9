//! Hypothetical quotes for several sizes and validities at one instant: the same prices, reserves and outstanding
//! swaps.

use firmquote_domain::{Address, Amount, Asset, BasisPoints, ChainId, Client, PoolId, StateId, SwapAmount, Timestamp};
use firmquote_market::Snapshot;
use firmquote_pricing::is_worth_at_least;

use crate::{
    AssetKey, Desk, DeskError,
    quoting::directed_pair::{DirectedPair, directed_pairs},
    quoting::price::{best_of, price, validate_time},
};

/// A request for hypothetical quotes of several inputs.
#[derive(Clone, Debug)]
pub struct QuoteGridRequest<'a> {
    /// The requesting client, whose limits apply.
    pub client: Client,
    /// The chain to swap on.
    pub chain_id: ChainId,
    /// The input asset.
    pub input: AssetKey<'a>,
    /// The output asset.
    pub output: AssetKey<'a>,
    /// The inputs, in base units.
    pub inputs: &'a [Amount],
    /// The `time_in_seconds` of each row; the pool's default if empty.
    pub times: &'a [u32],
    /// The pool; the one that serves most of the sizes when absent.
    pub pool_address: Option<Address>,
}

/// Hypothetical quotes in one state of one pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteGrid<'a> {
    /// The pool.
    pub pool: PoolId,
    /// The state, for the pool data.
    pub state_id: StateId,
    /// The input asset.
    pub input: &'a Asset,
    /// The output asset.
    pub output: &'a Asset,
    /// A row for each requested time.
    pub rows: Vec<QuoteGridRow>,
}

/// Hypothetical quotes of one validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteGridRow {
    /// The `time_in_seconds`.
    pub time_in_seconds: u32,
    /// The fee included in the outputs.
    pub fee: BasisPoints,
    /// The output of each requested input, in base units; `None` for an input that a quote refuses as too small or too
    /// large.
    pub outputs: Vec<Option<Amount>>,
}

impl QuoteGrid<'_> {
    /// The number of inputs and times that are served.
    fn served(&self) -> usize {
        self.rows.iter().flat_map(|row| &row.outputs).flatten().count()
    }
}

impl Desk {
    /// Returns hypothetical quotes for each input and each validity in the current state. Nothing is stored.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`], [`DeskError::NotAllowed`], [`DeskError::Exhausted`], [`DeskError::SwapsDisabled`] if
    /// the request cannot be served; [`DeskError::Paused`] if the operator paused the pool; [`DeskError::Market`] and
    /// [`DeskError::Untrusted`] for temporary failures.
    pub fn quote_grid<'a>(&'a self, request: &QuoteGridRequest<'_>) -> Result<QuoteGrid<'a>, DeskError> {
        let (pools, now) = (self.pools_of(request.chain_id, request.pool_address)?, self.clock.now());
        let snapshot = self.snapshot_for(&request.client);
        let pairs = directed_pairs(pools, [request.input, request.output])?;
        let grids = pairs.map(|directed_pair| self.grid(&directed_pair, request, &snapshot, now));
        best_of(grids, |one, other| one.served() > other.served())
    }

    fn grid<'a>(
        &self,
        directed_pair: &DirectedPair<'a>,
        request: &QuoteGridRequest<'_>,
        snapshot: &Snapshot,
        now: Timestamp,
    ) -> Result<QuoteGrid<'a>, DeskError> {
        let spec = directed_pair.spec();
        directed_pair.pool.check_terms(&request.client, directed_pair.symbols())?;
        self.pauses.check(spec.id, directed_pair.output.1.address, now)?;
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let limits = directed_pair.pool.limits(snapshot, &request.client, now);
        // Shared by all rows, so that they are of one book.
        let totals = directed_pair.pool.book().totals();
        let row = |time: Option<u32>| {
            let time_in_seconds = validate_time(spec, time).map_err(times_error)?;
            let state = directed_pair.state(snapshot, &totals, time_in_seconds, now)?;
            let output = |input: &Amount| {
                // A quote searches for the smallest size that is served, which takes as long as many prices.
                if !is_worth_at_least(*input, state.input.price, state.input.decimals, spec.min_trade) {
                    return Ok(None);
                }
                match price(directed_pair, &state, SwapAmount::ExactInput(*input), &limits) {
                    Ok(swap) => Ok(Some(swap.output)),
                    Err(
                        DeskError::TooSmall { .. }
                        | DeskError::TooLarge { .. }
                        | DeskError::AmountAboveTradeLimit { .. }
                        | DeskError::Exhausted,
                    ) => Ok(None),
                    Err(error) => Err(error),
                }
            };
            let outputs = request.inputs.iter().map(output).collect::<Result<_, DeskError>>()?;
            Ok(QuoteGridRow { time_in_seconds, fee: state.fee, outputs })
        };
        let rows = match request.times {
            [] => vec![row(None)?],
            times => times.iter().map(|time| row(Some(*time))).collect::<Result<_, DeskError>>()?,
        };
        let state = directed_pair.pool.remember_state(snapshot, &totals, now).ok_or(DeskError::Market(spec.id))?;
        Ok(QuoteGrid {
            pool: spec.id,
            state_id: state.id,
            input: directed_pair.input.1,
            output: directed_pair.output.1,
            rows,
        })
    }
}

/// Attributes a refused time to the input that contained it.
fn times_error(error: DeskError) -> DeskError {
    match error {
        DeskError::NotAllowed { reason, .. } => DeskError::NotAllowed { field: "times", reason },
        error => error,
    }
}
