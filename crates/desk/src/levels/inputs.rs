//! The inputs of a book of levels: the state that quotes are priced on, and the quoted sizes.

use std::sync::Arc;

use firmquote_domain::{Amount, Asset, BasisPoints, BookTotals, GoodUntilKind, StateId, Timestamp};
use firmquote_market::{PoolState, Trusted};
use firmquote_pricing::{Levels, PairState, PreparedPair};

use super::LevelBookKey;
use crate::{
    Desk, DeskError, FirmLevelsPolicy, OutstandingPolicy, SigningPolicy,
    firm::FirmBudgetInputs,
    quoting::directed_pair::directed_pairs,
    quoting::price::{input_range, validate_time},
};

/// How long a book is valid whose inputs never expire, in seconds: it is renewed long before.
const FIXED_VALIDITY_SECONDS: u32 = 5;

/// The inputs that a quote would be priced on, with everything needed to tell whether they are still current.
pub(super) struct LevelInputs {
    pub(super) knot_inputs: KnotInputs,
    pub(super) state_id: StateId,
    pub(super) assets: [Asset; 2],
    pub(super) kind: GoodUntilKind,
    /// The firm budget.
    pub(super) firm: Option<FirmBudgetInputs>,
    prepared: PreparedPair,
}

/// The shared values that determine everything else, compared by address.
#[derive(Clone, Debug)]
pub(super) struct InputSnapshot {
    market: Arc<PoolState>,
    totals: Arc<BookTotals>,
}

/// The inputs of the knots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KnotInputs {
    pub(super) state: PairState,
    /// The smallest input and the largest.
    pub(super) range: [Amount; 2],
    /// The operator's settings that bound the firm budget.
    pub(super) settings: FirmSettings,
    /// The number of clients that firm levels have to cover.
    pub(super) clients: usize,
}

/// The time of the oldest price or reserve of a book, and the time until which all of them are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Freshness {
    pub(super) as_of: Timestamp,
    pub(super) until: Timestamp,
}

/// The settings that bound the firm budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FirmSettings {
    levels: Option<FirmLevelsPolicy>,
    outstanding: OutstandingPolicy,
    min_fee_share: BasisPoints,
}

impl InputSnapshot {
    /// Returns the current source of a book.
    ///
    /// # Errors
    /// The reason why nothing is quoted.
    pub(super) fn current(desk: &Desk, key: &LevelBookKey) -> Result<Self, DeskError> {
        let pool = desk.pool(key.pool).ok_or(DeskError::SwapsDisabled)?;
        let (_, output) = pool.signer().pool().asset(key.output.as_str()).ok_or(DeskError::SwapsDisabled)?;
        desk.pauses.check(key.pool, output.address, desk.clock.now())?;
        let snapshot = desk.market.adjusted_snapshot(key.terms.fee_adjustment);
        let market = snapshot.pool(key.pool).ok_or(DeskError::Market(key.pool))?;
        Ok(Self { market: Arc::clone(market), totals: Arc::clone(&pool.book().totals()) })
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.market, &other.market) && Arc::ptr_eq(&self.totals, &other.totals)
    }
}

impl LevelInputs {
    /// Returns the inputs of a book at `now`, from `source`, firm for this number of `clients`.
    ///
    /// # Errors
    /// The reason why nothing is quoted.
    pub(super) fn new(
        desk: &Desk,
        key: &LevelBookKey,
        source: &InputSnapshot,
        clients: usize,
        now: Timestamp,
    ) -> Result<(Self, Freshness), DeskError> {
        let pools = desk.pools_of(key.pool.chain_id, Some(key.pool.address))?;
        let directed_pair = directed_pairs(pools, [(&key.input).into(), (&key.output).into()])?.next();
        let directed_pair = directed_pair.ok_or(DeskError::SwapsDisabled)?;
        let spec = directed_pair.spec();
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let time_in_seconds = validate_time(spec, Some(key.time_in_seconds))?;
        let snapshot = desk.market.adjusted_snapshot(key.terms.fee_adjustment);
        let state = directed_pair.state(&snapshot, &source.totals, time_in_seconds, now)?;
        let limits = directed_pair.pool.limits_of_named(&key.terms.to_client_terms(), &snapshot, now);
        let range = input_range(&directed_pair, &state, &limits)?;
        let retained =
            directed_pair.pool.remember_state(&snapshot, &source.totals, now).ok_or(DeskError::Market(spec.id))?;
        let market = snapshot.pool(spec.id).ok_or(DeskError::Market(spec.id))?;
        let freshness = Freshness::new(market, [directed_pair.input.0, directed_pair.output.0], now);
        let firm = FirmBudgetInputs::new(&directed_pair, (&snapshot, &source.totals), time_in_seconds, clients, now)?;
        let (state, clients) = firm.as_ref().map_or((state, 0), |firm| (firm.state, clients));
        let SigningPolicy { firm_levels: levels, outstanding, .. } = directed_pair.pool.policy;
        let settings = FirmSettings { levels, outstanding, min_fee_share: spec.min_fee_share };
        let inputs = Self {
            knot_inputs: KnotInputs { state, range, settings, clients },
            firm,
            state_id: retained.id,
            assets: [directed_pair.input.1.clone(), directed_pair.output.1.clone()],
            kind: spec.pricing_kind(),
            prepared: directed_pair.prepare(&state),
        };
        Ok((inputs, freshness))
    }

    /// Returns the levels.
    pub(super) fn levels(&self, max_knots: u32) -> Result<Levels, DeskError> {
        let max_knots = usize::try_from(max_knots).unwrap_or(usize::MAX);
        self.prepared.levels(self.kind, self.knot_inputs.range, max_knots).map_err(|_| DeskError::Exhausted)
    }
}

impl Freshness {
    fn new(market: &PoolState, positions: [usize; 2], now: Timestamp) -> Self {
        let fixed = Self { as_of: now, until: now.plus_seconds(FIXED_VALIDITY_SECONDS) };
        let assets = positions.into_iter().filter_map(|position| market.assets.get(position));
        let trusted = assets.flat_map(|asset| {
            let price = asset.price.as_ref().ok().and_then(since_and_until);
            let reserve = asset.reserve.as_ref().ok().and_then(since_and_until);
            price.into_iter().chain(reserve)
        });
        trusted
            .reduce(|one, other| Self { as_of: one.as_of.min(other.as_of), until: one.until.min(other.until) })
            .unwrap_or(fixed)
    }
}

/// Returns the time and the end of a value; `None` if it never expires.
fn since_and_until<T>(value: &Trusted<T>) -> Option<Freshness> {
    value.time().map(|as_of| Freshness { as_of, until: value.until })
}
