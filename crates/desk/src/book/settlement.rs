//! Outcomes of the signed swaps of a pool, from the events of its contract: the states of the whole book follow from
//! the events since its oldest swap at every block, also after a restart or a reorganization.

use std::collections::BTreeMap;

use firmquote_domain::{
    BookEntry, GoodUntilKind, MAX_REORG_DEPTH, PoolId, Settlement, SignedSwap, SwapOutcome, SwapState, Timestamp,
    UnixSeconds, is_lapsed,
};
use firmquote_store::BookChange;

use super::{
    attribution::{Attribution, attribute},
    candidates::{event_key, swap_key},
    match_quality::amounts,
    observed::{CountedSwaps, ExecutedSwap, ObservedBlock, first_block},
    outcome_log::ObservedOutcome,
};
use crate::{Desk, DeskError, ServedPool};

/// The number of blocks for which the end of a swap is remembered after its block: replicas may be behind by half of
/// them.
const MEMORY_DEPTH: u64 = 2 * MAX_REORG_DEPTH;

/// The changes of an observation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservationReport {
    /// Swaps that were found executed.
    pub settled: usize,
    /// Swaps that lapsed without being executed.
    pub lapsed: usize,
    /// Swaps that are outstanding again after a reorganization.
    pub reorganized: usize,
    /// Executed swaps that were not counted before, of signatures that had been executed already.
    pub replayed: usize,
    /// Executed swaps that were not counted before and that no signature of the book explains.
    pub unmatched: Vec<ExecutedSwap>,
    /// Whether the pool was paused because of [`Self::replayed`].
    pub is_paused: bool,
    /// Whether a reorganization may have undone settlements that count as final.
    pub is_deeply_reorganized: bool,
}

impl Desk {
    /// Updates the book of `pool` to what is known as of a block, and stores the outcomes that follow.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached, [`DeskError::Clock`] if the clock cannot be trusted; the
    /// next observation makes up for it.
    pub async fn observe(&self, pool: PoolId, block: &ObservedBlock) -> Result<ObservationReport, DeskError> {
        let report = self.update_book(pool, block, &CountedSwaps::default()).await?;
        if let Some(pool) = self.pool(pool) {
            self.store_outcomes(pool).await?;
        }
        Ok(report)
    }

    /// Updates the book of `pool` to what is known as of a block. The outcomes that follow remain to be stored by
    /// [`Self::store_outcomes`]; the report counts no swap that is `counted` already.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached, [`DeskError::Clock`] if the clock cannot be trusted; the
    /// next update makes up for it.
    pub async fn update_book(
        &self,
        pool: PoolId,
        block: &ObservedBlock,
        counted: &CountedSwaps,
    ) -> Result<ObservationReport, DeskError> {
        let Some(pool) = self.pool(pool) else { return Ok(ObservationReport::default()) };
        if block.is_deeply_reorganized {
            pool.suspend_guarantees(self.clock.now());
        }
        // Before reserves that contain them are published.
        pool.book().record_executions(block);
        // Events are attributed beside all swaps that may have caused them, those of other replicas included.
        self.refresh_book(pool).await?;
        let ObservationResult { changes, outcomes, mut report } = observe(pool, block, counted);
        report.is_deeply_reorganized = block.is_deeply_reorganized;
        if report.replayed > 0 {
            report.is_paused = self.stop_after_replay(pool).await?;
        }
        // The book will no longer show that these had ended.
        pool.book().reopen(&changes);
        // Kept until they are stored, also if the book is changed, but cannot be read again.
        pool.book().add_outcomes(outcomes);
        if !changes.is_empty() {
            self.store.apply_changes(pool.id(), &changes, self.clock.now()).await.map_err(DeskError::from_store)?;
            // The changes are made and reported once; if they cannot be read now, the next refresh reads them.
            drop(self.refresh_book(pool).await);
        }
        Ok(report)
    }

    /// Gives no guarantee for a pool any more, whose contract executes signatures repeatedly, and pauses it if the contract
    /// does not check the price either. Returns whether it is paused.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the pause could not be stored; here it holds.
    async fn stop_after_replay(&self, pool: &ServedPool) -> Result<bool, DeskError> {
        pool.book().suspend_guarantees(Timestamp::from_micros(u64::MAX));
        let is_paused = pool.policy.pause_on_replay && pool.spec().pricing_kind() == GoodUntilKind::Plain;
        if is_paused {
            self.pauses.set(&[pool.id()], true, None, self.clock.now()).await?;
        }
        Ok(is_paused)
    }

    /// Whether the reserves as of `block` need the book as of this block: swaps whose end this replica knows are
    /// outstanding again after a reorganization. Until the book was updated and read again, neither the book nor these
    /// reserves count them.
    pub fn needs_updated_book(&self, pool: PoolId, block: &ObservedBlock) -> bool {
        self.pool(pool).is_some_and(|pool| observe(pool, block, &CountedSwaps::default()).report.reorganized > 0)
    }
}

impl ServedPool {
    /// Returns the block from which on the events of the pool are needed as of block `head`, which is the newest one in
    /// its book if none was observed yet; `None` if nothing in the book may change.
    pub fn events_since(&self, head: Option<u64>) -> Option<u64> {
        let entries = self.book().swaps();
        let newest = || entries.iter().filter_map(|entry| entry.state.block().max(entry.swap.block)).max();
        earliest_block(&entries, head.or_else(newest)?)
    }

    /// Returns the blocks that executed swaps of the book, each with their number: as long as the block is part of the
    /// chain, so are these executions.
    pub fn execution_blocks(&self) -> BTreeMap<u64, usize> {
        let mut blocks = BTreeMap::new();
        for block in self.book().swaps().iter().filter_map(|entry| entry.state.settled_in()) {
            *blocks.entry(block).or_default() += 1;
        }
        blocks
    }

    /// Returns the first block and the last second in which outstanding swaps may have been executed that are no longer
    /// valid at `time`, that of the newest block. They lapse once no block in between is known to have executed them.
    pub fn lapsing_blocks(&self, time: Timestamp) -> Option<(u64, UnixSeconds)> {
        let expires_at = |entry: &BookEntry| entry.swap.offer.good_until.expires_at();
        let mut lapsing = self.book().swaps();
        lapsing.retain(|entry| entry.state == SwapState::Outstanding && is_lapsed(expires_at(entry), time));
        let first = lapsing.iter().filter_map(|entry| entry.swap.block).min()?.saturating_add(1);
        Some((first, lapsing.iter().map(expires_at).max()?))
    }

    /// Gives no guarantee for as long as a signature may last that was settled, and no longer is.
    fn suspend_guarantees(&self, now: Timestamp) {
        let max_lifetime_seconds = self.book().max_lifetime_seconds(self.spec().max_lifetime_seconds());
        self.book().suspend_guarantees(now.plus_seconds(max_lifetime_seconds));
    }
}

/// What follows from a block for the book of a pool.
#[derive(Default)]
struct ObservationResult {
    changes: Vec<BookChange>,
    /// How swaps ended, as far as that is known.
    outcomes: Vec<ObservedOutcome>,
    report: ObservationReport,
}

fn observe(pool: &ServedPool, block: &ObservedBlock, counted: &CountedSwaps) -> ObservationResult {
    let mut entries: Vec<BookEntry> = pool.book().swaps();
    entries.retain(|entry| entry.swap.block.is_some());
    let mut executions: Vec<Option<Settlement>> = vec![None; entries.len()];
    let mut result = ObservationResult::default();
    let wrapped_native = pool.spec().chain.wrapped_native;
    let Attribution { positions, is_reorganized, is_ambiguous, is_doubtful } =
        attribute(&entries, &pool.book().transactions(), block, wrapped_native);
    for ((executed, position), is_counted) in block.swaps.iter().zip(positions).zip(counted.contain(block)) {
        match position.and_then(|position| executions.get_mut(position)) {
            Some(execution) => *execution = Some(Settlement::from(executed)),
            None if is_counted => {}
            None if is_of_signature(&entries, executed) => result.report.replayed += 1,
            None => result.report.unmatched.push(executed.clone()),
        }
    }
    let oldest = earliest_block(&entries, block.number);
    let executions =
        executions.into_iter().zip(is_doubtful).map(|(execution, is_doubtful)| execution.filter(|_| !is_doubtful));
    let flags = is_reorganized.into_iter().zip(is_ambiguous);
    for ((entry, execution), (is_reorganized, is_ambiguous)) in entries.into_iter().zip(executions).zip(flags) {
        if is_over(&entry, block, oldest) {
            result.changes.push(BookChange::Removed(entry.swap.quote_id));
        } else {
            let is_used_up = pool.spec().single_use && !is_ambiguous;
            let state = state(is_used_up, &entry, execution, is_reorganized, block);
            let is_open = is_ambiguous && state == SwapState::Outstanding;
            result.add(entry, execution.filter(|_| !is_open), state);
        }
    }
    result
}

/// Whether `executed` is exactly what one of the signatures of `entries` allows.
fn is_of_signature(entries: &[BookEntry], executed: &ExecutedSwap) -> bool {
    let event = &executed.event;
    let is_exact = |entry: &BookEntry| {
        swap_key(&entry.swap) == event_key(event) && amounts(&entry.swap) == [event.input_amount, event.output_amount]
    };
    entries.iter().any(is_exact)
}

/// The first block that may execute one of `entries` whose end is not final as of block `head`.
fn earliest_block(entries: &[BookEntry], head: u64) -> Option<u64> {
    let is_final = |closed: u64| head.saturating_sub(closed) > MAX_REORG_DEPTH;
    let open = entries.iter().filter(|entry| !entry.state.block().is_some_and(is_final));
    open.filter_map(|entry| first_block(&entry.swap)).min()
}

impl ObservationResult {
    /// Adds a swap that was executed or not, and is therefore in `state`.
    fn add(&mut self, entry: BookEntry, execution: Option<Settlement>, state: SwapState) {
        let (id, is_changed) = (entry.swap.quote_id, state != entry.state);
        let outcome = match (execution, state) {
            (Some(settlement), _) => Some(Some(SwapOutcome::Settled(settlement))),
            (None, SwapState::Lapsed(_) | SwapState::Released(_)) => Some(Some(SwapOutcome::Lapsed)),
            (None, SwapState::Outstanding) => Some(None),
            // Added to the outcomes when it was executed.
            (None, SwapState::Settled(_) | SwapState::PartlySettled(_)) => None,
        };
        self.outcomes.extend(outcome.map(|outcome| ObservedOutcome { entry, outcome }));
        if is_changed {
            match state {
                SwapState::Settled(_) | SwapState::PartlySettled(_) => self.report.settled += 1,
                SwapState::Lapsed(_) | SwapState::Released(_) => self.report.lapsed += 1,
                SwapState::Outstanding => self.report.reorganized += 1,
            }
            self.changes.push(BookChange::State(id, state));
        }
    }
}

/// The state of a swap as of `block`, up to which it was executed or not. Unless an execution certainly uses it up, the
/// contract may execute it until it lapses: one that executes signatures repeatedly, and any if the execution may be
/// that of another swap. A state from a later block, seen by another replica, is kept unless the events of its key are
/// attributed anew: then its event may be that of another swap. A settlement in the same block is kept as well, so that
/// a swap executed in part is released only once.
fn state(
    is_used_up: bool,
    entry: &BookEntry,
    execution: Option<Settlement>,
    is_reorganized: bool,
    block: &ObservedBlock,
) -> SwapState {
    let is_late = is_lapsed(entry.swap.offer.good_until.expires_at(), block.time);
    let is_covered = block.is_confirmed && first_block(&entry.swap).is_none_or(|first| first >= block.since);
    let is_undone = is_reorganized && entry.state.settled_in().is_some_and(|number| number > block.number);
    let previous = if is_undone { SwapState::Outstanding } else { entry.state };
    match (execution, previous) {
        (_, later) if later.block().is_some_and(|number| number > block.number) => later,
        (Some(execution), settled) if !is_reorganized && settled.settled_in() == Some(execution.block_number) => {
            settled
        }
        (Some(execution), _) if is_used_up || is_late => settled(&entry.swap, &execution, block.time),
        // Executed before the events that are known.
        (None, settled) if settled.settled_in().is_some_and(|number| number < block.since) => settled,
        // It may have been executed before the events that are known.
        (None, unknown) if is_late && !is_covered && unknown.settled_in().is_none() => unknown,
        (None, lapsed @ (SwapState::Lapsed(Some(_)) | SwapState::Released(Some(_)))) if is_late => lapsed,
        (None, SwapState::Released(None)) if is_late => SwapState::Released(Some(block.number)),
        (None, _) if is_late => SwapState::Lapsed(Some(block.number)),
        _ => SwapState::Outstanding,
    }
}

/// The state of a swap after `execution`, which no longer counts for its client once it is released.
fn settled(swap: &SignedSwap, execution: &Settlement, now: Timestamp) -> SwapState {
    match swap.settled(execution.block_number, execution.input_amount) {
        SwapState::PartlySettled(block) if now.seconds() >= swap.deadlines().release => SwapState::Settled(block),
        state => state,
    }
}

/// Whether a swap no longer matters: its end is final, it can no longer be executed, it no longer counts for its
/// client, and no block is read again that may have executed it: without it, its event would be taken for that of
/// another swap.
fn is_over(BookEntry { swap, state }: &BookEntry, block: &ObservedBlock, oldest: Option<u64>) -> bool {
    let (SwapState::Settled(closed) | SwapState::Released(Some(closed))) = *state else { return false };
    // A replica whose newest block is this old would count the swap neither in its reserves nor in the book.
    let last_reader = swap.offer.good_until.expires_at().saturating_add(block.max_age_seconds);
    block.number.saturating_sub(closed) > MEMORY_DEPTH
        && oldest.is_none_or(|oldest| oldest > closed)
        && is_lapsed(last_reader, block.time)
}
