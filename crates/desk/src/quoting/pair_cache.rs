//! A cache of pair evaluations, so that a quote only computes the part that depends on its amount.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use firmquote_domain::Pool;
use firmquote_pricing::{PairState, PreparedPair};

/// The last evaluation of each pair of a pool, in each direction. It is used only for exactly the state that it was
/// made from, so it never changes a price; the evaluation of a new state replaces it. Takes no lock: concurrent callers
/// may both evaluate.
#[derive(Debug)]
pub(crate) struct PairCache(Vec<[ArcSwapOption<PreparedPair>; 2]>);

/// The direction in which a pair is swapped.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    /// The pair's first asset is the input.
    Forward,
    /// The pair's first asset is the output.
    Backward,
}

impl PairCache {
    /// Creates an empty cache.
    pub(crate) fn new(pool: &Pool) -> Self {
        Self(pool.spec().pairs.iter().map(|_| Default::default()).collect())
    }

    /// Returns the evaluation of `state` for the pair at `position` of the pool.
    pub(crate) fn prepare(&self, position: usize, direction: Direction, state: &PairState) -> PreparedPair {
        let Some([forward, backward]) = self.0.get(position) else { return PreparedPair::new(*state) };
        let last = match direction {
            Direction::Forward => forward,
            Direction::Backward => backward,
        };
        if let Some(prepared) = last.load().as_ref().filter(|prepared| prepared.is_of(state)) {
            return prepared.with_fee(state.fee);
        }
        let prepared = PreparedPair::new(*state);
        last.store(Some(Arc::new(prepared)));
        prepared
    }
}
