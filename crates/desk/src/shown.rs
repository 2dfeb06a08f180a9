//! What is derived from a quote for those who show or send it.

use firmquote_domain::{Leg, Quote, SignedQuote};

/// The value of a leg in US dollars at the quoted price, as the nearest double. For display only.
pub fn value_in_usd(leg: &Leg) -> f64 {
    firmquote_pricing::value_in_usd(leg.amount, leg.price, leg.decimals)
}

/// Whole tokens out for each whole token in. For display only.
pub fn rate(quote: &Quote) -> f64 {
    firmquote_pricing::rate((quote.input.amount, quote.input.decimals), (quote.output.amount, quote.output.decimals))
}

/// The call of the pool contract that executes a signed quote.
pub fn calldata(signed: &SignedQuote) -> Vec<u8> {
    firmquote_calldata::encode(&signed.offer(), &signed.terms, &signed.signature)
}
