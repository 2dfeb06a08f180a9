//! This replica's copy of the book of one pool. Quotes read its sums without a lock.

use std::{
    collections::BTreeMap,
    mem,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
};

use alloy_primitives::map::{HashMap, HashSet};
use arc_swap::{ArcSwap, Guard};
use firmquote_domain::{
    Address, B256, Book, BookEntry, BookTotals, Client, ExecutedAmounts, QuoteId, SignedSwap, SwapOutcome, SwapState,
    TimedSum, Timestamp, TokenFlows, U512, UnixSeconds, is_lapsed,
};
use firmquote_store::{BookChange, BookUpdate, BookVersion, ClientFlows};
use parking_lot::Mutex;

use super::{
    observed::ObservedBlock,
    other_swaps::OtherSwaps,
    outcome_log::{ObservedOutcome, OutcomeLog},
    recently_executed::RecentlyExecuted,
};

/// A copy of the book of one pool, which follows the store.
///
/// A stale copy may shift the price of a quote, but makes no signature unsound: the store checks each signature against
/// the book itself.
#[derive(Debug, Default)]
pub struct PoolBook {
    copy: Mutex<BookCopy>,
    totals: ArcSwap<BookTotals>,
    max_lifetime_seconds: AtomicU32,
    /// Until when no execution is guaranteed, in microseconds since the Unix epoch.
    guarantees_suspended_until: AtomicU64,
    /// The epoch of the store in which the pauses that this replica knows were last put back.
    pauses_epoch: Mutex<Option<u64>>,
}

#[derive(Debug, Default)]
struct BookCopy {
    book: Book,
    /// `None` before the first update.
    version: Option<BookVersion>,
    /// When the copy was last known to be complete.
    updated_at: Option<Timestamp>,
    /// What clients have recently executed.
    executed: RecentlyExecuted,
    /// Which outcomes of its swaps are stored.
    outcomes: OutcomeLog,
    /// Swaps that a reorganization reopened.
    reopened: HashSet<QuoteId>,
    /// What the store has lost of this copy, until it is put back.
    lost: Vec<BookChange>,
    /// Whether the contract has executed a swap of this book.
    has_executed: bool,
}

impl BookCopy {
    fn apply(&mut self, change: &BookChange, now: Timestamp) {
        let id = change.quote_id();
        let previous = self.book.get(id).map(|entry| entry.state);
        change.apply(&mut self.book);
        let entry = self.book.get(id);
        let state = entry.map(|entry| entry.state);
        match (entry, previous, state) {
            (Some(entry), Some(SwapState::Outstanding), Some(SwapState::Settled(_))) => {
                self.executed.add(&entry.swap, now);
            }
            (Some(entry), Some(SwapState::Settled(_)), Some(SwapState::Outstanding)) => {
                self.executed.subtract(&entry.swap, now);
            }
            _ => {}
        }
        self.has_executed |= matches!(state, Some(SwapState::Settled(_)));
        self.outcomes.update(id, state);
        if let BookChange::State(_, SwapState::Outstanding) = change {
            self.reopened.insert(id);
        } else if state != Some(SwapState::Outstanding) {
            self.reopened.remove(&id);
        }
    }

    /// Returns what a store with these `swaps` as of `version` has lost, if that is another epoch: swaps that may be
    /// executed, and states that only this replica knows.
    fn lost_changes(&self, version: BookVersion, swaps: &[BookEntry], now: Timestamp) -> Vec<BookChange> {
        if self.version.is_none_or(|current| current.epoch == version.epoch) {
            return Vec::new();
        }
        let stored: HashMap<QuoteId, SwapState> =
            swaps.iter().map(|entry| (entry.swap.quote_id, entry.state)).collect();
        let lost = |entry: &BookEntry| match (stored.get(&entry.swap.quote_id), entry.state) {
            (None, SwapState::Outstanding) => {
                let is_over = is_lapsed(entry.swap.offer.good_until.expires_at(), now);
                (!is_over || entry.swap.block.is_some()).then(|| BookChange::Entered(entry.clone()))
            }
            (None, _) => Some(BookChange::Entered(entry.clone())),
            (Some(SwapState::Outstanding), state) if state != SwapState::Outstanding => {
                Some(BookChange::State(entry.swap.quote_id, state))
            }
            (Some(stored), SwapState::Outstanding) if *stored != SwapState::Outstanding => {
                let id = entry.swap.quote_id;
                self.reopened.contains(&id).then_some(BookChange::State(id, SwapState::Outstanding))
            }
            (Some(_), _) => None,
        };
        self.book.swaps().filter_map(lost).collect()
    }
}

impl From<BookTotals> for PoolBook {
    /// A book of which only the sums are known: quotes can be priced beside it.
    fn from(totals: BookTotals) -> Self {
        Self { totals: ArcSwap::from_pointee(totals), ..Self::default() }
    }
}

impl PoolBook {
    /// Returns the sums of the book.
    pub(crate) fn totals(&self) -> Guard<Arc<BookTotals>> {
        self.totals.load()
    }

    /// Returns the swaps of other quotes than `id` as of `block`, if the chain may be reorganized by as many blocks as
    /// `depth`.
    pub(super) fn others(&self, id: QuoteId, tokens: [Address; 2], block: Option<u64>, depth: u64) -> OtherSwaps {
        let copy = self.copy.lock();
        let confirmed = block.map(|block| block.saturating_sub(depth));
        let others = OtherSwaps {
            version: copy.version,
            outstanding: tokens.map(|token| copy.book.flows_without(id, token, block)),
            reversal: tokens.map(|token| copy.book.reversal(token, block, depth)),
            ..OtherSwaps::default()
        };
        others.with_guaranteed(copy.book.guaranteed(id, confirmed), tokens)
    }

    /// Returns the guaranteed swaps of other quotes than `id` as of `block`.
    pub(super) fn guaranteed(&self, id: QuoteId, block: Option<u64>) -> Vec<Arc<SignedSwap>> {
        self.copy.lock().book.guaranteed(id, block).cloned().collect()
    }

    /// Returns what `client` has recently executed of each of `tokens`.
    pub(super) fn executed_by(&self, client: &Client, tokens: [Address; 2], now: Timestamp) -> [TokenFlows; 2] {
        let copy = self.copy.lock();
        tokens.map(|token| copy.executed.flows_of(client, token, now))
    }

    /// Returns the outflow of `token` by swaps that are outstanding now, and what of it leaves in each second.
    pub(super) fn outflow_departures(&self, token: Address) -> (U512, Vec<(UnixSeconds, U512)>) {
        let copy = self.copy.lock();
        let sum = copy.book.outstanding_flows(token);
        let departures = sum.into_iter().flat_map(TimedSum::departures).map(|(second, flows)| (second, flows.outflow));
        (sum.map_or(U512::ZERO, |sum| sum.total().outflow), departures.collect())
    }

    /// Returns by how much the swaps of a client, and of its source network, count beside `swap`, and what of it leaves
    /// in each second.
    pub(super) fn client_departures(&self, swap: &SignedSwap) -> (ClientFlows, Vec<(UnixSeconds, ClientFlows)>) {
        let copy = self.copy.lock();
        let (client, book) = (&swap.client, &copy.book);
        let [input, output] = [swap.offer.input_token, swap.offer.output_token];
        let mut departures: BTreeMap<UnixSeconds, ClientFlows> = BTreeMap::new();
        for (second, swaps) in book.swaps_of(client).into_iter().flat_map(TimedSum::departures) {
            departures.entry(second).or_default().swaps += swaps;
        }
        for (second, flows) in book.flows_of(client, input).into_iter().flat_map(TimedSum::departures) {
            departures.entry(second).or_default().inflow += flows.inflow;
        }
        for (second, flows) in book.flows_of(client, output).into_iter().flat_map(TimedSum::departures) {
            departures.entry(second).or_default().outflow += flows.outflow;
        }
        let of_network = swap.source_network.and_then(|network| book.flows_of_network(network, output));
        for (second, flows) in of_network.into_iter().flat_map(TimedSum::departures) {
            departures.entry(second).or_default().network_outflow += flows.outflow;
        }
        // Those that no longer count are kept for a number of blocks, whose time is not known.
        let mut sums = ClientFlows { entries: book.entries_of(client), ..ClientFlows::default() };
        departures.values().for_each(|part| sums += *part);
        (sums, departures.into_iter().collect())
    }

    /// Returns the guaranteed swaps of other quotes than `id` that count for `client`, or are outstanding as of
    /// `block`.
    pub(super) fn guaranteed_of(&self, client: &Client, id: QuoteId, block: Option<u64>) -> Vec<Arc<SignedSwap>> {
        self.copy.lock().book.guaranteed_of(client, id, block).cloned().collect()
    }

    /// Returns how long signatures of the pool last at most, in seconds: `current`, or longer if they did under an
    /// earlier configuration of this process.
    pub(super) fn max_lifetime_seconds(&self, current: u32) -> u32 {
        self.max_lifetime_seconds.fetch_max(current, Ordering::Relaxed).max(current)
    }

    /// Whether pauses have been put back in the epoch of this copy; also before it was read.
    pub(super) fn has_restored_pauses(&self) -> bool {
        self.version().is_none_or(|version| *self.pauses_epoch.lock() == Some(version.epoch))
    }

    /// Records that pauses have been put back in the epoch of `version`.
    pub(super) fn mark_pauses_restored(&self, version: Option<BookVersion>) {
        *self.pauses_epoch.lock() = version.map(|version| version.epoch);
    }

    /// Lets no execution be guaranteed before `until`.
    pub(super) fn suspend_guarantees(&self, until: Timestamp) {
        self.guarantees_suspended_until.fetch_max(until.as_micros(), Ordering::Relaxed);
    }

    /// Whether an execution can be guaranteed at `now`: not while swaps may be missing from the book.
    pub fn has_guarantees(&self, now: Timestamp) -> bool {
        self.guarantees_suspended_until.load(Ordering::Relaxed) <= now.as_micros()
    }

    /// The version of the copy.
    pub fn version(&self) -> Option<BookVersion> {
        self.copy.lock().version
    }

    /// When the copy was last known to be complete; `None` before the first update.
    pub fn updated_at(&self) -> Option<Timestamp> {
        self.copy.lock().updated_at
    }

    /// The number of outstanding swaps.
    pub fn outstanding(&self) -> usize {
        let is_outstanding = |entry: &&BookEntry| entry.state == SwapState::Outstanding;
        self.copy.lock().book.swaps().filter(is_outstanding).count()
    }

    /// The swaps of the book, in no particular order.
    pub fn swaps(&self) -> Vec<BookEntry> {
        self.copy.lock().book.swaps().cloned().collect()
    }

    /// Returns the swap that was signed for a quote, with its state.
    pub fn swap(&self, id: QuoteId) -> Option<BookEntry> {
        self.copy.lock().book.get(id).cloned()
    }

    /// Returns when the outstanding swaps of other quotes than `id` are over, unless the contract has executed a swap of
    /// this book.
    pub(super) fn unproved_until(&self, id: QuoteId) -> Option<UnixSeconds> {
        let copy = self.copy.lock();
        let is_open = |entry: &&BookEntry| entry.state == SwapState::Outstanding && entry.swap.quote_id != id;
        let open = copy.book.swaps().filter(is_open).filter(|_| !copy.has_executed);
        open.map(|entry| entry.swap.offer.good_until.expires_at()).max()
    }

    /// Whether the contract has executed a swap of this book.
    pub(super) fn has_executed(&self) -> bool {
        self.copy.lock().has_executed
    }

    /// Returns the swaps that lapsed by the clock, as far as this replica does not know that to be stored.
    pub(super) fn unstored_lapses(&self) -> Vec<BookEntry> {
        let copy = self.copy.lock();
        copy.outcomes.unstored_lapses().filter_map(|id| copy.book.get(id).cloned()).collect()
    }

    /// Whether a swap without a stored outcome may have been executed, or still may be.
    pub(crate) fn may_be_executed(&self, id: QuoteId) -> bool {
        let copy = self.copy.lock();
        let state = copy.book.get(id).map(|entry| entry.state);
        let is_open = |state: SwapState| state == SwapState::Outstanding || state.settled_in().is_some();
        state.is_some_and(is_open) || copy.outcomes.is_pending(id)
    }

    /// Records what the contract executed up to `block`.
    pub(super) fn record_executions(&self, block: &ObservedBlock) {
        let mut copy = self.copy.lock();
        if copy.book.record_executions(block.number, block.swaps.iter().map(ExecutedAmounts::from).collect()) {
            self.publish(&copy);
        }
    }

    /// Adds outcomes that were `observed` to those that this replica has to store.
    pub(super) fn add_outcomes(&self, observed: Vec<ObservedOutcome>) {
        self.copy.lock().outcomes.add(observed);
    }

    /// Returns the outcomes that this replica has to store.
    pub(super) fn pending_outcomes(&self) -> Vec<ObservedOutcome> {
        self.copy.lock().outcomes.pending()
    }

    /// The transactions that executed swaps, as far as this replica has seen them.
    pub(super) fn transactions(&self) -> HashMap<QuoteId, B256> {
        self.copy.lock().outcomes.transactions()
    }

    /// Notes that an outcome is stored.
    pub(super) fn mark_outcome_stored(&self, id: QuoteId, outcome: Option<SwapOutcome>) {
        let BookCopy { book, outcomes, .. } = &mut *self.copy.lock();
        outcomes.mark_stored(id, outcome, book.get(id).is_some());
    }

    /// Notes that the outcome of every closed swap is stored already.
    pub(super) fn assume_stored(&self) {
        let BookCopy { book, outcomes, .. } = &mut *self.copy.lock();
        *outcomes = OutcomeLog::with_stored(book);
    }

    /// Notes which of `changes` make swaps outstanding again, before the book says so.
    pub(super) fn reopen(&self, changes: &[BookChange]) {
        let mut copy = self.copy.lock();
        for change in changes {
            if let BookChange::State(id, SwapState::Outstanding) = change {
                copy.outcomes.mark_outdated(*id);
            }
        }
    }

    /// Applies an update of the store; changes that a concurrent caller has applied already are skipped. What a book of
    /// another epoch lacks stays in the copy, and is [lost](Self::lost) to the store.
    pub(crate) fn apply(&self, update: BookUpdate, now: Timestamp) {
        let mut copy = self.copy.lock();
        match update {
            BookUpdate::Snapshot { version, .. } if copy.version.is_some_and(|current| version.precedes(current)) => {}
            BookUpdate::Snapshot { version, swaps } => {
                let lost = match copy.version {
                    // Not put back yet.
                    Some(current) if current.epoch == version.epoch => mem::take(&mut copy.lost),
                    _ => copy.lost_changes(version, &swaps, now),
                };
                let is_first = copy.version.is_none();
                let BookCopy { book, outcomes, reopened, executed, has_executed, .. } = &mut *copy;
                book.clear();
                for change in swaps.into_iter().map(BookChange::Entered).chain(lost.iter().cloned()) {
                    change.apply(book);
                }
                reopened.retain(|id| book.get(*id).is_some_and(|entry| entry.state == SwapState::Outstanding));
                outcomes.rebuild(book);
                for entry in book.swaps().filter(|entry| matches!(entry.state, SwapState::Settled(_))) {
                    *has_executed = true;
                    if is_first {
                        executed.add(&entry.swap, now);
                    }
                }
                (copy.version, copy.lost) = (Some(version), lost);
                self.publish(&copy);
            }
            BookUpdate::Changes { version, changes } => {
                let missing = copy.version.filter(|current| current.precedes(version));
                let missing = missing.and_then(|current| usize::try_from(version.number - current.number).ok());
                // Not those of an epoch that the copy has left.
                if let Some(start) = missing.and_then(|missing| changes.len().checked_sub(missing)) {
                    changes.iter().skip(start).for_each(|change| copy.apply(change, now));
                    copy.version = Some(version);
                    self.publish(&copy);
                }
            }
        }
        copy.updated_at = Some(now);
    }

    /// Returns up to `limit` changes that the store has lost with an earlier epoch, and this replica has to put back,
    /// with the epoch of the copy.
    pub(crate) fn lost(&self, limit: usize) -> (Option<u64>, Vec<BookChange>) {
        let copy = self.copy.lock();
        (copy.version.map(|version| version.epoch), copy.lost.iter().take(limit).cloned().collect())
    }

    /// Notes that the store has `restored` again, which it had lost as of `epoch`. Returns whether the copy is still of
    /// that epoch; otherwise the changes were put back into a book that is lost, too, and stay lost.
    pub(crate) fn mark_restored(&self, epoch: Option<u64>, restored: &[BookChange]) -> bool {
        let mut copy = self.copy.lock();
        let is_current = copy.version.map(|version| version.epoch) == epoch;
        if is_current {
            let restored: HashSet<QuoteId> = restored.iter().map(BookChange::quote_id).collect();
            copy.lost.retain(|change| !restored.contains(&change.quote_id()));
        }
        is_current
    }

    /// Enters a swap that the store has just entered as `version`, unless the copy has this version already. Returns
    /// whether the copy is now of this version: if other changes precede it, the next update brings them; `None` if the
    /// copy is of another epoch and lacks the swap. The swap is not left to the update, since the store may lose it
    /// before.
    pub(crate) fn enter(&self, swap: &Arc<SignedSwap>, version: BookVersion) -> Option<bool> {
        let mut copy = self.copy.lock();
        let current = copy.version.filter(|current| current.epoch == version.epoch)?;
        if current.precedes(version) {
            let entry = BookEntry { swap: Arc::clone(swap), state: SwapState::Outstanding };
            copy.apply(&BookChange::Entered(entry), swap.signed_at);
            if version.follows(current) {
                copy.version = Some(version);
            }
            self.publish(&copy);
        }
        Some(copy.version == Some(version))
    }

    /// Called with the lock held, so that totals are published in order.
    fn publish(&self, copy: &BookCopy) {
        self.totals.store(Arc::new(copy.book.totals()));
    }
}

#[cfg(test)]
mod tests;
