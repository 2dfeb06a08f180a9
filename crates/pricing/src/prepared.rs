//! A pair with what its prices have in common, computed once.

use firmquote_domain::BasisPoints;

use crate::{PairState, curve::RelativeWorth};

/// A pair whose state has been evaluated as far as neither an amount nor the fee comes into it: about half the work of a
/// price.
///
/// It answers what the functions of the same name answer for its [`PairState`], bit for bit. Worth keeping for as long as
/// prices and reserves stand; it is immutable, and knows by [`Self::is_of`] which states it serves.
#[derive(Clone, Copy, Debug)]
pub struct PreparedPair {
    state: PairState,
    shape: Shape,
}

/// What the curve of a pair looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// k = 0: a straight line, whose prices are fractions of integers.
    Straight,
    /// Any other k, with the relative worth in the narrowest width, which nearly always decides.
    Curved(RelativeWorth<2>),
}

impl PreparedPair {
    /// Evaluates `state`.
    pub fn new(state: PairState) -> Self {
        let shape = if state.k.steps() == 0 { Shape::Straight } else { Shape::Curved(RelativeWorth::new(&state)) };
        Self { state, shape }
    }

    /// The state it answers for.
    pub const fn state(&self) -> &PairState {
        &self.state
    }

    /// Whether it is what [`Self::new`] makes of `state`, but for the fee.
    pub fn is_of(&self, state: &PairState) -> bool {
        let PairState { input, output, k, fee: _ } = state;
        self.state.input == *input && self.state.output == *output && self.state.k == *k
    }

    /// The same pair with another fee.
    #[must_use]
    pub const fn with_fee(self, fee: BasisPoints) -> Self {
        Self { state: PairState { fee, ..self.state }, ..self }
    }

    pub(crate) const fn shape(&self) -> &Shape {
        &self.shape
    }
}
