//! The check that what was signed is what was quoted, and for whom it was asked.

use firmquote_domain::{Address, FixedSide};

use crate::{Check, CheckStatus, QuoteResponse, RequestedSwap, SignResponse, check::expect};

/// The name of the check.
const TERMS: &str = "terms";

/// Holds the signed terms against the quote, the request, and the `destination` that the caller expects, as far as they are
/// known.
pub(crate) fn check(
    signed: &SignResponse,
    quote: Option<&QuoteResponse>,
    requested: &RequestedSwap,
    destination: Option<Address>,
) -> Check {
    let offer = &signed.offer;
    let mut differences = Vec::new();
    if let Some(quote) = quote {
        expect(&mut differences, "chain_id", &offer.pool.chain_id, &quote.chain_id);
        expect(&mut differences, "input_asset_address", &offer.input_token, &quote.input.0);
        expect(&mut differences, "output_asset_address", &offer.output_token, &quote.output.0);
        expect(&mut differences, "input_amount", &offer.input_amount, &quote.input.1);
        expect(&mut differences, "output_amount", &offer.output_amount, &quote.output.1);
        let seconds = offer.good_until.expires_at().get();
        expect(&mut differences, "good_until (seconds)", &seconds, &quote.good_until.get());
    }
    if let Some(token) = requested.input_token {
        expect(&mut differences, "input_asset_address", &offer.input_token, &token);
    }
    if let Some(token) = requested.output_token {
        expect(&mut differences, "output_asset_address", &offer.output_token, &token);
    }
    match (requested.fixed, requested.fixed_amount) {
        (Some(FixedSide::Input), Some(amount)) => {
            expect(&mut differences, "input_amount", &offer.input_amount, &amount);
        }
        (Some(FixedSide::Output), Some(amount)) => {
            expect(&mut differences, "output_amount", &offer.output_amount, &amount);
        }
        (_, None) | (None, Some(_)) => {}
    }
    let destinations = [requested.destination, destination];
    for destination in destinations.iter().flatten() {
        expect(&mut differences, "destination_address", &offer.destination, destination);
    }
    if differences.is_empty() && destinations.iter().all(Option::is_none) {
        let says = format!("it pays to {}; which destination was asked for is not known", offer.destination);
        return Check::new(TERMS, CheckStatus::Undecided, says);
    }
    let equal = match quote {
        Some(_) => "what was signed is what was quoted, for the destination that was asked for",
        None => "it pays to the destination that was asked for",
    };
    Check::of_equals(TERMS, differences, equal, "what was signed is not what was quoted or asked for")
}
