//! The check of a quote against itself: its rate and its values in US dollars belong to its amounts, and to the prices that
//! were signed, where they were.

use firmquote_domain::{Amount, Decimals, GoodUntil, Price};
use firmquote_pricing::{rate, value_in_usd};

use crate::{Check, Difference, PublishedPool, QuoteResponse, SignResponse, implied_prices::price_of};

/// How far a rate may be from the quotient of the amounts: some steps of a double.
const RATE_TOLERANCE: f64 = 1e-14;

/// Holds a quote against itself and what was `signed`, with the decimals that `pools` publish; `None` where they do not list
/// its tokens.
pub(crate) fn check(quote: &QuoteResponse, signed: Option<&SignResponse>, pools: &[PublishedPool]) -> Option<Check> {
    let of_chain = || pools.iter().filter(|pool| pool.id.chain_id == quote.chain_id);
    let listed = |token| of_chain().find_map(|pool| pool.token(token)).map(|one| (one.asset.decimals, one.price));
    let (input, output) = (listed(quote.input.0)?, listed(quote.output.0)?);
    let mut differences = Vec::new();
    let expected = rate((quote.input.1, input.0), (quote.output.1, output.0));
    let is_rate = (quote.rate / expected - 1.0).abs() <= RATE_TOLERANCE;
    if !is_rate {
        differences.push(Difference { of: "rate", is: quote.rate.to_string(), expected: expected.to_string() });
    }
    let mut value = |of, value: f64, amount: Amount, (decimals, price): (Decimals, Price), signed: Option<Price>| {
        let at_signed = signed.map(|price| value_in_usd(amount, price, decimals));
        let is_right = match at_signed {
            Some(expected) => value.to_bits() == expected.to_bits(),
            None => price_of(value, amount, decimals, price).is_some(),
        };
        if !is_right {
            let any = || "the amount at a price with 8 decimals".to_owned();
            let expected = at_signed.map_or_else(any, |expected| expected.to_string());
            differences.push(Difference { of, is: value.to_string(), expected });
        }
    };
    let (input_price, output_price) = signed.and_then(signed_prices).unzip();
    value("input_value_in_usd", quote.input_value_in_usd, quote.input.1, input, input_price);
    value("output_value_in_usd", quote.output_value_in_usd, quote.output.1, output, output_price);
    Some(Check::of_equals(
        "values",
        differences,
        "rate and values in US dollars belong to the amounts",
        "the quote contradicts itself: rate or values in US dollars do not belong to the amounts",
    ))
}

/// The prices of input and output that a packed `good_until` holds.
const fn signed_prices(signed: &SignResponse) -> Option<(Price, Price)> {
    match signed.offer.good_until {
        GoodUntil::Packed(packed) => Some((packed.input_price, packed.output_price)),
        GoodUntil::Plain(_) => None,
    }
}
