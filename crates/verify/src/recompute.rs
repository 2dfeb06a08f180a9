//! Recomputes a swap from published pool data, to the base unit.

use std::slice;

use firmquote_domain::{FixedSide, GoodUntilKind, SwapAmount};
use firmquote_pricing::{PairState, PricingError, Swap, price};

use crate::{PricedSwap, PublishedPool, QuotedLevels};

/// The outcome of a recomputation.
#[derive(Clone, Copy, Debug)]
pub enum Recomputation<'p> {
    /// Exactly these amounts, on the published pool data.
    Equal(&'p PublishedPool, PairState),
    /// Exactly these amounts, at the prices implied by the response, which are not the published ones.
    AtImpliedPrices {
        /// The pool.
        pool: &'p PublishedPool,
        /// Its published state.
        published: PairState,
        /// The same with the implied prices.
        implied: PairState,
    },
    /// Exactly these amounts on the published pool data, but the values in US dollars imply other prices, at which the
    /// formula gives other amounts.
    ValuesDiffer(&'p PublishedPool, PairState),
    /// Other amounts, for a quote that names firm levels: those of the levels, which the formula does not give.
    Levels {
        /// The terms of the quote at the levels.
        terms: QuotedLevels,
        /// The result of the formula for the first pool that may have quoted it.
        expected: Result<Swap, PricingError>,
    },
    /// Other amounts, at the implied prices if the response implies any.
    Unequal {
        /// The first pool that may have quoted it.
        pool: &'p PublishedPool,
        /// The result of the formula for that pool.
        expected: Result<Swap, PricingError>,
    },
    /// No pool in the pool data trades these tokens on this chain.
    NoPool,
}

/// Recomputes `quoted` on every pool that may have quoted it.
pub fn recompute<'p>(quoted: &PricedSwap, pools: &'p [PublishedPool]) -> Recomputation<'p> {
    let candidates: Vec<_> = candidates(quoted, pools).collect();
    let Some(&(first, first_state)) = candidates.first() else { return Recomputation::NoPool };
    let is_equal = |state: &PairState| !quoted.prices.contradicts(state) && reproduces(state, quoted);
    let equal: Vec<_> = candidates.iter().filter(|(_, state)| is_equal(state)).collect();
    let has_equal_values =
        |state: &PairState| !quoted.prices.values_differ(state, quoted.input.amount, quoted.output.amount);
    if let Some((pool, state)) = equal.iter().find(|(_, state)| has_equal_values(state)) {
        return Recomputation::Equal(pool, *state);
    }
    let implied = |published: &PairState| quoted.prices.apply_to(published, quoted.input.amount, quoted.output.amount);
    for (pool, published) in &candidates {
        if let Some(implied) = implied(published).filter(|implied| reproduces(implied, quoted)) {
            return Recomputation::AtImpliedPrices { pool, published: *published, implied };
        }
    }
    if let Some((pool, state)) = equal.first() {
        return Recomputation::ValuesDiffer(pool, *state);
    }
    if let Some(terms) = quoted.levels {
        return Recomputation::Levels { terms, expected: expected(&first_state, quoted) };
    }
    let state = implied(&first_state).unwrap_or(first_state);
    Recomputation::Unequal { pool: first, expected: expected(&state, quoted) }
}

/// Returns the pools that may have quoted the swap, each with its published state.
pub fn candidates<'p>(
    quoted: &PricedSwap,
    pools: &'p [PublishedPool],
) -> impl Iterator<Item = (&'p PublishedPool, PairState)> {
    let PricedSwap { chain_id, pool: quoted_pool, input, output, .. } = *quoted;
    let is_candidate = move |pool: &&PublishedPool| {
        pool.id.chain_id == chain_id && quoted_pool.is_none_or(|address| address == pool.id.address)
    };
    pools.iter().filter(is_candidate).filter_map(move |pool| Some((pool, pool.pair_state(input.token, output.token)?)))
}

/// Whether the formula gives the quoted amounts. If the contract kind or the fixed side is unknown, either may match.
fn reproduces(state: &PairState, quoted: &PricedSwap) -> bool {
    let amounts = Swap { input: quoted.input.amount, output: quoted.output.amount };
    let kinds: &[GoodUntilKind] = match &quoted.kind {
        Some(kind) => slice::from_ref(kind),
        None => &[GoodUntilKind::Plain, GoodUntilKind::Verified],
    };
    let (input, output) = (SwapAmount::ExactInput(amounts.input), SwapAmount::ExactOutput(amounts.output));
    let fixed: &[SwapAmount] = match quoted.fixed {
        Some(FixedSide::Input) => &[input],
        Some(FixedSide::Output) => &[output],
        None => &[input, output],
    };
    kinds.iter().any(|kind| fixed.iter().any(|fixed| price(state, *kind, *fixed) == Ok(amounts)))
}

/// Returns the result of the formula; for the quoted input if the fixed side is unknown.
fn expected(state: &PairState, quoted: &PricedSwap) -> Result<Swap, PricingError> {
    let fixed = match quoted.fixed {
        Some(FixedSide::Output) => SwapAmount::ExactOutput(quoted.output.amount),
        Some(FixedSide::Input) | None => SwapAmount::ExactInput(quoted.input.amount),
    };
    price(state, quoted.kind.unwrap_or(GoodUntilKind::Plain), fixed)
}
