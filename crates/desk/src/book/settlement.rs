//! What became of the signed swaps of a pool, from the events of its contract: the states of the whole book follow from
//! the events since its oldest swap, so that restarts and reorganizations need no treatment of their own.

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{BookEntry, BookedSwap, PoolId, SwapState, Timestamp, is_lapsed};
use firmquote_store::BookChange;

use super::matching;
use crate::{Desk, DeskError, ServedPool};

/// The number of blocks below which none is replaced by a reorganization any more.
const REORGANIZATION_DEPTH: u64 = 64;

/// A block of the chain of a pool, with the swaps that the contract executed up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedBlock {
    /// The number of the block.
    pub number: u64,
    /// Its timestamp.
    pub time: Timestamp,
    /// The block from which on [`Self::swaps`] are known.
    pub since: u64,
    /// The block up to which swaps without a signature were counted before.
    pub counted_until: u64,
    /// The executed swaps, each with the number of its block, in the order of the chain.
    pub swaps: Vec<(u64, SwappedEvent)>,
}

/// What an observation changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SettlementReport {
    /// Swaps that were found executed.
    pub settled: usize,
    /// Swaps that lapsed without being executed.
    pub lapsed: usize,
    /// Swaps that are outstanding again after a reorganization.
    pub reorganized: usize,
    /// Executed swaps after [`ObservedBlock::counted_until`] that no signature of this service explains.
    pub unmatched: usize,
}

impl Desk {
    /// Updates the book of `pool` to what is known as of a block.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached; the next observation makes up for it.
    pub async fn observe(&self, pool: PoolId, block: &ObservedBlock) -> Result<SettlementReport, DeskError> {
        let Some(served) = self.pools.iter().find(|served| served.spec().id == pool) else {
            return Ok(SettlementReport::default());
        };
        let (changes, report) = changes(served, block);
        if !changes.is_empty() {
            self.books.amend(pool, &changes, self.clock.now()).await.map_err(DeskError::Store)?;
            self.refresh_book(served).await?;
        }
        Ok(report)
    }
}

impl ServedPool {
    /// Returns the block from which on the events of the pool are needed; `None` if its book is empty.
    pub fn events_since(&self) -> Option<u64> {
        let first = |booked: &BookedSwap| match booked.state {
            SwapState::Outstanding | SwapState::Lapsed(_) => booked.swap.block,
            SwapState::Settled(block) => Some(block),
        };
        self.book().swaps().iter().filter_map(first).min()
    }
}

fn changes(pool: &ServedPool, block: &ObservedBlock) -> (Vec<BookChange>, SettlementReport) {
    let mut booked: Vec<BookedSwap> = pool.book().swaps();
    booked.retain(|booked| booked.swap.block.is_some());
    let candidates: Vec<&BookEntry> = booked.iter().map(|booked| &*booked.swap).collect();
    let mut executed_in: Vec<Option<u64>> = vec![None; candidates.len()];
    let mut report = SettlementReport::default();
    for (number, event) in &block.swaps {
        let taken: Vec<bool> = executed_in.iter().map(Option::is_some).collect();
        let found = matching::find(event, &candidates, &taken).and_then(|position| executed_in.get_mut(position));
        match found {
            Some(executed) => *executed = Some(*number),
            None => report.unmatched += usize::from(*number > block.counted_until),
        }
    }
    let mut changes = Vec::new();
    for (booked, executed) in booked.iter().zip(executed_in) {
        if is_over(booked, block) {
            changes.push(BookChange::Removed(booked.swap.quote_id));
            continue;
        }
        let state = state(pool, booked, executed, block);
        if state == booked.state {
            continue;
        }
        match state {
            SwapState::Settled(_) => report.settled += 1,
            SwapState::Lapsed(_) => report.lapsed += 1,
            SwapState::Outstanding => report.reorganized += 1,
        }
        changes.push(BookChange::State(booked.swap.quote_id, state));
    }
    (changes, report)
}

/// The state of a swap as of `block`, which executed it or not. A contract that executes signatures repeatedly may execute
/// it again until it lapses.
fn state(pool: &ServedPool, booked: &BookedSwap, executed: Option<u64>, block: &ObservedBlock) -> SwapState {
    let is_late = is_lapsed(booked.swap.offer.good_until.expires_at(), block.time);
    match (executed, booked.state) {
        (Some(number), _) if pool.spec().single_use || is_late => SwapState::Settled(number),
        // Executed before the events that are known.
        (None, settled @ SwapState::Settled(number)) if number < block.since => settled,
        (None, lapsed @ SwapState::Lapsed(_)) if is_late => lapsed,
        (None, _) if is_late => SwapState::Lapsed(Some(block.number)),
        _ => SwapState::Outstanding,
    }
}

/// Whether a swap no longer matters: its end is final, it can no longer be executed, and it no longer counts for its
/// client.
fn is_over(BookedSwap { swap, state }: &BookedSwap, block: &ObservedBlock) -> bool {
    let expires_at = swap.offer.good_until.expires_at();
    let Some(closed) = state.block() else { return false };
    let penalty = match state {
        SwapState::Lapsed(_) => expires_at.get().saturating_sub(swap.signed_at.seconds().get()),
        SwapState::Settled(_) | SwapState::Outstanding => 0,
    };
    let counts_until = expires_at.checked_add(penalty).unwrap_or(expires_at);
    block.number.saturating_sub(closed) > REORGANIZATION_DEPTH && is_lapsed(counts_until, block.time)
}
