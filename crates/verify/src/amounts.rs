//! The check of amounts. How conclusive it is depends on when the pool data was read: prices, reserves and fees move,
//! and no response contains the reserves that it was computed from.

use firmquote_domain::{BasisPoints, Price, U256};
use firmquote_pricing::{PairAsset, PairState, PricingError, Swap, value_in_usd};

use crate::{
    Check, CheckStatus, Difference, ImpliedPrices, PricedSwap, PublishedPool, PublishedPools, QuotedLevels,
    Recomputation, check::compare, recompute,
};

/// The name of the check.
const AMOUNTS: &str = "amounts";

/// Checks the amounts of `quoted` against the published pool data.
pub(crate) fn check(quoted: &PricedSwap, data: PublishedPools<'_>) -> Check {
    match recompute(quoted, data.pools) {
        Recomputation::NoPool => Check::new(
            AMOUNTS,
            CheckStatus::Undecided,
            "no pool in the pool data trades these tokens on this chain: use the data of the pool that quoted them",
        ),
        Recomputation::Equal(pool, state) => {
            let message = format!(
                "exact to the base unit, at the prices, reserves and fee ({} basis points) published by pool {}",
                state.fee, pool.id.address
            );
            Check::new(AMOUNTS, CheckStatus::Holds, message)
        }
        Recomputation::Levels { terms, expected } => compare_levels(quoted, terms, expected),
        Recomputation::ValuesDiffer(pool, state) => report_value_difference(quoted, pool, &state, data),
        Recomputation::Unequal { pool, .. } | Recomputation::AtImpliedPrices { pool, .. }
            if quoted.levels.is_none() && quoted.time_in_seconds.is_some_and(|time| time != pool.time_in_seconds) =>
        {
            let message = format!(
                "the pool data has the fees for {} seconds, but the quote is for {}: use pool data for that time",
                pool.time_in_seconds,
                quoted.time_in_seconds.unwrap_or_default()
            );
            Check::new(AMOUNTS, CheckStatus::Undecided, message)
        }
        Recomputation::AtImpliedPrices { published, implied, .. } => compare_prices(&published, &implied, data),
        Recomputation::Unequal { expected, .. } => report_unequal(quoted, expected, data),
    }
}

/// The check of amounts that the formula does not give.
fn report_unequal(quoted: &PricedSwap, expected: Result<Swap, PricingError>, data: PublishedPools<'_>) -> Check {
    let mut differences = Vec::new();
    let mut unpriced = String::new();
    match expected {
        Ok(swap) => {
            compare(&mut differences, "input_amount", &quoted.input.amount, &swap.input);
            compare(&mut differences, "output_amount", &quoted.output.amount, &swap.output);
        }
        Err(error) => unpriced = format!(" (the formula has no price: {error})"),
    }
    let (status, message) = if data.is_unchanged {
        (CheckStatus::Differs, "the formula gives other amounts on the pool data that is published for this quote")
    } else {
        (
            CheckStatus::Undecided,
            "the formula gives other amounts on the published pool data: either reserves, prices or fee have moved \
             since, as with every swap, or the amounts are wrong; only pool data read together with the quote can \
             decide",
        )
    };
    Check::new(AMOUNTS, status, format!("{message}{unpriced}")).with_differences(differences)
}

/// The check of amounts at firm levels. Levels are a promise made by an earlier book, so the formula is only a lower
/// bound: amounts that meet it hold, others are undecided.
fn compare_levels(quoted: &PricedSwap, terms: QuotedLevels, expected: Result<Swap, PricingError>) -> Check {
    if quoted.output.amount < terms.output {
        let message = "less than the output that the quote promises for its levels";
        let difference = Difference {
            field: "output_amount",
            actual: quoted.output.amount.to_string(),
            expected: format!("at least {}", terms.output),
        };
        return Check::new(AMOUNTS, CheckStatus::Differs, message).with_differences(vec![difference]);
    }
    let formula = match expected {
        Ok(swap) if swap.output <= quoted.output.amount && swap.input >= quoted.input.amount => {
            let message = "those of the levels that the quote names: no worse than the formula gives on the published \
                           pool data";
            return Check::new(AMOUNTS, CheckStatus::Holds, message);
        }
        Ok(swap) => format!("gives {} for {}", swap.output, swap.input),
        Err(error) => format!("has no price: {error}"),
    };
    let message = format!(
        "those of the levels that the quote names, which pool data do not decide: compare them with the book; the \
         formula {formula} on the published pool data"
    );
    Check::new(AMOUNTS, CheckStatus::Undecided, message)
}

/// The check of correct amounts whose values in US dollars do not follow from the published prices.
fn report_value_difference(
    quoted: &PricedSwap,
    pool: &PublishedPool,
    state: &PairState,
    data: PublishedPools<'_>,
) -> Check {
    let mut differences = Vec::new();
    if let ImpliedPrices::Values { input, output } = &quoted.prices {
        let value = |side: &PairAsset, amount| value_in_usd(amount, side.price, side.decimals);
        compare(&mut differences, "input_value_in_usd", input, &value(&state.input, quoted.input.amount));
        compare(&mut differences, "output_value_in_usd", output, &value(&state.output, quoted.output.amount));
    }
    let status = if data.is_unchanged { CheckStatus::Differs } else { CheckStatus::Undecided };
    let message = format!(
        "exact to the base unit on the data published by pool {}, but the values in US dollars imply other prices, at \
         which the formula gives other amounts",
        pool.id.address
    );
    Check::new(AMOUNTS, status, message).with_differences(differences)
}

/// The check of amounts that are correct at the prices they imply, which are not the published ones.
fn compare_prices(published: &PairState, implied: &PairState, data: PublishedPools<'_>) -> Check {
    let prices = [(implied.input.price, published.input.price), (implied.output.price, published.output.price)];
    let parameters = |state: &PairState| (state.k, state.input.weight, state.output.weight);
    let is_within_tolerance = prices.iter().all(|(implied, published)| {
        distance_hundredths(*implied, *published) <= U256::from(data.price_tolerance.hundredths())
    });
    let is_same_curve = parameters(published) == parameters(implied);
    // Moved even if the data is published for the quote: a price may have moved and returned in between, or another
    // replica of the service may have quoted.
    let status = if is_within_tolerance && is_same_curve { CheckStatus::Holds } else { CheckStatus::Moved };
    let [input, output] = prices.map(|(implied, published)| movement(implied, published));
    let curve = if is_same_curve { "" } else { ", and k or a listing weight differs" };
    let unchanged_note = if data.is_unchanged {
        ", although this data is published for the quote: prices moved and returned, or one of several replicas was \
         behind, or the service quotes at prices that it does not publish"
    } else {
        ""
    };
    let message = format!(
        "exact to the base unit at the prices implied by the response itself; published prices: \
         input {input}, output {output}{curve}{unchanged_note}"
    );
    Check::new(AMOUNTS, status, message)
}

fn movement(implied: Price, published: Price) -> String {
    if implied == published {
        return format!("{published} USD as implied");
    }
    let distance = format_hundredths(distance_hundredths(implied, published));
    format!("{published} USD instead of {implied}, {distance} basis points away")
}

/// The distance between two prices, in hundredths of a basis point of the published one, rounded up.
fn distance_hundredths(implied: Price, published: Price) -> U256 {
    let distance = U256::from(implied.steps().abs_diff(published.steps())) * U256::from(BasisPoints::SCALE);
    distance.div_ceil(U256::from(published.steps()))
}

/// Formats hundredths as a decimal number without trailing zeros.
fn format_hundredths(hundredths: U256) -> String {
    let (whole, rest) = hundredths.div_rem(U256::from(100));
    let decimal = format!("{whole}.{:0>2}", rest.to_string());
    decimal.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_rounded_up_and_shown_without_trailing_zeros() {
        let price = |steps| Price::new(steps).unwrap();
        for (implied, published, text) in [
            (100_000_000, 100_000_001, "0.01"),
            (100_000_000, 101_000_000, "99.01"),
            (150_000_000, 100_000_000, "5000"),
            (u64::MAX, 1, "184467440737095516140000"),
        ] {
            assert_eq!(
                format_hundredths(distance_hundredths(price(implied), price(published))),
                text,
                "{implied} {published}"
            );
        }
    }
}
