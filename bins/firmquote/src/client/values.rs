//! The check of a quote against itself: its rate and its values in US dollars belong to its amounts.

use firmquote_client::Quote;
use firmquote_domain::{Amount, Decimals, Price};
use firmquote_pricing::rate;

use super::{
    check::{Check, Difference},
    published::PublishedPool,
    stated::price_of,
};

/// How far a rate may be from the quotient of the amounts: some steps of a double.
const RATE_TOLERANCE: f64 = 1e-14;

/// Holds a quote against itself, with the decimals that `pools` publish; `None` where they do not list its tokens.
pub(crate) fn check(quote: &Quote, pools: &[PublishedPool]) -> Option<Check> {
    let listed = |token| pools.iter().find_map(|pool| pool.token(token)).map(|one| (one.asset.decimals, one.price));
    let (input, output) = (listed(quote.input_asset_address)?, listed(quote.output_asset_address)?);
    let mut differences = Vec::new();
    let expected = rate((quote.input_amount, input.0), (quote.output_amount, output.0));
    let is_rate = (quote.rate / expected - 1.0).abs() <= RATE_TOLERANCE;
    if !is_rate {
        differences.push(Difference { of: "rate", is: quote.rate.to_string(), expected: expected.to_string() });
    }
    let mut value = |of, value: f64, amount: Amount, (decimals, price): (Decimals, Price)| {
        if price_of(value, amount, decimals, price).is_none() {
            let expected = "the amount at a price with 8 decimals".to_owned();
            differences.push(Difference { of, is: value.to_string(), expected });
        }
    };
    value("input_value_in_usd", quote.input_value_in_usd, quote.input_amount, input);
    value("output_value_in_usd", quote.output_value_in_usd, quote.output_amount, output);
    Some(Check::of_equals(
        "values",
        differences,
        "rate and values in US dollars belong to the amounts",
        "the quote contradicts itself: rate or values in US dollars do not belong to the amounts",
    ))
}
