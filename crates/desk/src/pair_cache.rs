//! The pairs of a pool as they were evaluated last, so that a quote evaluates only what its own amount needs.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use firmquote_domain::Pool;
use firmquote_pricing::{PairState, PreparedPair};

/// The last evaluation of each pair of a pool, in each direction. It is taken only for the very state that is priced on,
/// so that it changes no price; where prices have moved it is replaced. No lock: whoever comes second evaluates too.
#[derive(Debug)]
pub(crate) struct PairCache(Vec<[ArcSwapOption<PreparedPair>; 2]>);

/// Which way a pair is swapped.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    /// The asset that the pair names first comes in.
    Forward,
    /// The asset that the pair names first goes out.
    Backward,
}

impl PairCache {
    /// Nothing is evaluated yet.
    pub(crate) fn new(pool: &Pool) -> Self {
        Self(pool.spec().pairs.iter().map(|_| Default::default()).collect())
    }

    /// `state` evaluated, for the pair at `position` of the pool.
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
