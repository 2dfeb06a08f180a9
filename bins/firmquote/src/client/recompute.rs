//! Recomputes a swap from what its pool publishes, to the base unit.

use firmquote_domain::{FixedSide, GoodUntilKind};
use firmquote_pricing::{Fixed, PairState, PricingError, Swap, price};

use super::{claim::Claim, published::PublishedPool};

/// What the formula says of a claim.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Recomputed<'p> {
    /// These very amounts, on what the pool publishes.
    Equal(&'p PublishedPool, PairState),
    /// These very amounts on the prices that the claim states, which are not the published ones.
    AtStatedPrices { pool: &'p PublishedPool, published: PairState, stated: PairState },
    /// These very amounts on what the pool publishes, with values in US dollars that are those of other prices, on which the
    /// formula gives others.
    OtherValues(&'p PublishedPool, PairState),
    /// Other amounts, on the prices that the claim states if it does.
    Unequal { pool: &'p PublishedPool, expected: Result<Swap, PricingError> },
    /// No pool of the data trades these tokens.
    NoPool,
}

/// Looks for a pool whose formula gives what is claimed.
pub(crate) fn recompute<'p>(claim: &Claim, pools: &'p [PublishedPool]) -> Recomputed<'p> {
    let candidates: Vec<_> = candidates(claim, pools).collect();
    let is_equal = |state: &PairState| !claim.stated.contradicts(state) && gives(state, claim);
    let equal = || candidates.iter().filter(|(_, state)| is_equal(state));
    let is_valued = |state: &PairState| !claim.stated.is_valued_otherwise(state, claim.input.1, claim.output.1);
    if let Some((pool, state)) = equal().find(|(_, state)| is_valued(state)) {
        return Recomputed::Equal(pool, *state);
    }
    let stated = |published: &PairState| claim.stated.over(published, claim.input.1, claim.output.1);
    let at_stated = candidates.iter().find_map(|(pool, published)| {
        let stated = stated(published).filter(|stated| gives(stated, claim))?;
        Some(Recomputed::AtStatedPrices { pool, published: *published, stated })
    });
    let first = || match candidates.first() {
        Some((pool, published)) => {
            let state = stated(published).unwrap_or(*published);
            Recomputed::Unequal { pool, expected: expected(&state, claim) }
        }
        None => Recomputed::NoPool,
    };
    let otherwise_valued = || equal().next().map(|(pool, state)| Recomputed::OtherValues(pool, *state));
    at_stated.or_else(otherwise_valued).unwrap_or_else(first)
}

/// The pools that may have quoted it, each with the state that it publishes.
pub(crate) fn candidates<'p>(
    claim: &Claim,
    pools: &'p [PublishedPool],
) -> impl Iterator<Item = (&'p PublishedPool, PairState)> {
    let Claim { chain_id, pool: named, input: (input, _), output: (output, _), .. } = *claim;
    let is_candidate = move |pool: &&PublishedPool| {
        pool.id.chain_id == chain_id && named.is_none_or(|address| address == pool.id.address)
    };
    pools.iter().filter(is_candidate).filter_map(move |pool| Some((pool, pool.pair_state(input, output)?)))
}

/// Whether the formula gives the claimed amounts. What the claim leaves open may be either.
fn gives(state: &PairState, claim: &Claim) -> bool {
    let claimed = Swap { input: claim.input.1, output: claim.output.1 };
    let kinds = match claim.kind {
        Some(kind) => [kind; 2],
        None => [GoodUntilKind::Plain, GoodUntilKind::Verified],
    };
    let (input, output) = (Fixed::Input(claimed.input), Fixed::Output(claimed.output));
    let fixed = match claim.fixed {
        Some(FixedSide::Input) => [input; 2],
        Some(FixedSide::Output) => [output; 2],
        None => [input, output],
    };
    kinds.into_iter().any(|kind| fixed.into_iter().any(|fixed| price(state, kind, fixed) == Ok(claimed)))
}

/// What the formula gives instead; for the claimed input where it is open what the client named.
fn expected(state: &PairState, claim: &Claim) -> Result<Swap, PricingError> {
    let fixed = match claim.fixed {
        Some(FixedSide::Output) => Fixed::Output(claim.output.1),
        Some(FixedSide::Input) | None => Fixed::Input(claim.input.1),
    };
    price(state, claim.kind.unwrap_or(GoodUntilKind::Plain), fixed)
}
