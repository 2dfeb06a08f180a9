//! A pair with the part of the computation that all its prices share.

use firmquote_domain::BasisPoints;

use crate::{PairState, curve::Parameters};

/// A pair with everything precomputed that depends neither on the amount nor on the fee: about two
/// thirds of the work of a price.
///
/// Its methods return the same results as the functions of the same name for its [`PairState`], bit for bit. Immutable,
/// and worth caching until prices or reserves change; [`Self::is_of`] checks whether it can be used for a state.
#[derive(Clone, Copy, Debug)]
pub struct PreparedPair {
    state: PairState,
    shape: Shape,
}

/// The shape of the curve of a pair.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly every pair is curved")]
pub(crate) enum Shape {
    /// k = 0: a straight line, whose prices are ratios of integers.
    Straight,
    /// Any other k, with its parameters in the narrowest width, which is nearly always sufficient.
    Curved(Parameters<2>),
}

impl PreparedPair {
    /// Evaluates `state`.
    pub fn new(state: PairState) -> Self {
        let shape = if state.k.steps() == 0 { Shape::Straight } else { Shape::Curved(Parameters::new(&state)) };
        Self { state, shape }
    }

    /// The state that was evaluated.
    pub const fn state(&self) -> &PairState {
        &self.state
    }

    /// Whether `state` equals the evaluated one in everything but the fee.
    pub fn is_of(&self, state: &PairState) -> bool {
        let PairState { input, output, k, fee: _, max_improvement } = state;
        self.state.input == *input
            && self.state.output == *output
            && self.state.k == *k
            && self.state.max_improvement == *max_improvement
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
