//! The check of amounts. What it may claim depends on when the pool data was taken: prices, reserves and fees move, and no
//! answer says which reserves it was computed on.

use firmquote_domain::{BasisPoints, Decimals, Price, U256};
use firmquote_pricing::{PairState, Side, value_in_usd};

use super::{
    check::{Check, Standing, expect},
    claim::Claim,
    published::PublishedPool,
    recompute::{Recomputed, recompute},
    stated::Stated,
    whole_tokens::WholeTokens,
};

/// The name of the check.
const AMOUNTS: &str = "amounts";

/// How pool data stands to the answer that is held against it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standpoint {
    /// Whether the pool published this very data before and after the answer.
    pub(crate) is_still: bool,
    /// How far each price may have moved since.
    pub(crate) price_tolerance: BasisPoints,
}

/// Holds the amounts of `claim` against what `pools` publish.
pub(crate) fn check(claim: &Claim, pools: &[PublishedPool], standpoint: Standpoint) -> Check {
    match recompute(claim, pools) {
        Recomputed::NoPool => Check::new(
            AMOUNTS,
            Standing::Undecided,
            "no pool of the data trades these tokens on this chain: look at the pool that quoted them",
        ),
        Recomputed::Equal(pool, state) => {
            let says = format!(
                "the formula gives them to the base unit, on the prices, reserves and fee ({} basis points) that pool {} \
                 publishes",
                state.fee, pool.id.address
            );
            Check::new(AMOUNTS, Standing::Holds, says)
        }
        Recomputed::OtherValues(pool, state) => valued_otherwise(claim, pool, &state, standpoint),
        Recomputed::Unequal { pool, .. } | Recomputed::AtStatedPrices { pool, .. }
            if claim.time_in_seconds.is_some_and(|time| time != pool.time_in_seconds) =>
        {
            let says = format!(
                "the pool data has the fees for {} seconds, and the quote is for {}: take it for those",
                pool.time_in_seconds,
                claim.time_in_seconds.unwrap_or_default()
            );
            Check::new(AMOUNTS, Standing::Undecided, says)
        }
        Recomputed::AtStatedPrices { published, stated, .. } => moved(&published, &stated, standpoint),
        Recomputed::Unequal { expected, .. } => {
            let mut differences = Vec::new();
            let mut unpriced = String::new();
            match expected {
                Ok(swap) => {
                    expect(&mut differences, "input_amount", &claim.input.1, &swap.input);
                    expect(&mut differences, "output_amount", &claim.output.1, &swap.output);
                }
                Err(error) => unpriced = format!(" (it has no price for this: {error})"),
            }
            let (standing, says) = if standpoint.is_still {
                (
                    Standing::Differs,
                    "the formula gives others, and the pool published the same before and after the quote",
                )
            } else {
                (
                    Standing::Undecided,
                    "the formula gives others on what the pool publishes: either its reserves, prices or fee have moved \
                     since, as with every swap, or the amounts are wrong; pool data of another moment cannot tell which \
                     (quote --json takes both together)",
                )
            };
            Check::new(AMOUNTS, standing, format!("{says}{unpriced}")).with_differences(differences)
        }
    }
}

/// The check of amounts that are right, beside values in US dollars that are not those of the prices.
fn valued_otherwise(claim: &Claim, pool: &PublishedPool, state: &PairState, standpoint: Standpoint) -> Check {
    let mut differences = Vec::new();
    if let Stated::Values { input, output } = &claim.stated {
        let value = |side: &Side, amount| value_in_usd(amount, side.price, side.decimals);
        expect(&mut differences, "input_value_in_usd", input, &value(&state.input, claim.input.1));
        expect(&mut differences, "output_value_in_usd", output, &value(&state.output, claim.output.1));
    }
    let standing = if standpoint.is_still { Standing::Differs } else { Standing::Undecided };
    let says = format!(
        "the formula gives them to the base unit on what pool {} publishes, and the values in US dollars are those of \
         other prices, on which it gives others",
        pool.id.address
    );
    Check::new(AMOUNTS, standing, says).with_differences(differences)
}

/// The check of amounts that are right on prices of their own.
fn moved(published: &PairState, stated: &PairState, standpoint: Standpoint) -> Check {
    let prices = [(stated.input.price, published.input.price), (stated.output.price, published.output.price)];
    let parameters = |state: &PairState| (state.k, state.input.weight, state.output.weight);
    let is_near = prices
        .iter()
        .all(|(was, is)| moved_hundredths(*was, *is) <= U256::from(standpoint.price_tolerance.hundredths()));
    let is_same_curve = parameters(published) == parameters(stated);
    // Even where the pool published the same before and after: a price may have moved there and back in between, and
    // another replica of the service may have quoted.
    let standing = if is_near && is_same_curve { Standing::Holds } else { Standing::Moved };
    let [input, output] = prices.map(|(was, is)| movement(was, is));
    let curve = if is_same_curve { "" } else { ", and k or a listing weight has changed" };
    let still = if standpoint.is_still {
        ", although the pool published the same before and after the quote: they moved there and back, or one of several \
         replicas was behind, or the service quotes on prices that it does not publish"
    } else {
        ""
    };
    let says = format!(
        "the formula gives them to the base unit on the prices that the answer itself states; those published are others: \
         input {input}, output {output}{curve}{still}"
    );
    Check::new(AMOUNTS, standing, says)
}

fn movement(was: Price, is: Price) -> String {
    if was == is {
        return format!("{is} USD as stated");
    }
    let two = Decimals::new(2).map(|decimals| WholeTokens(moved_hundredths(was, is), decimals).to_string());
    format!("{is} USD instead of {was}, {} basis points away", two.unwrap_or_default())
}

/// How far `is` is from `was`, in hundredths of a basis point of `is`, rounded up.
fn moved_hundredths(was: Price, is: Price) -> U256 {
    let distance = U256::from(was.steps().abs_diff(is.steps())) * U256::from(BasisPoints::ONE_HUNDREDTHS);
    distance.div_ceil(U256::from(is.steps()))
}
