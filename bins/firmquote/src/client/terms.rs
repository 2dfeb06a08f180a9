//! The check that what was signed is what was quoted, and for whom it was asked.

use firmquote_client::{Quote, SignedSwap};
use firmquote_domain::Address;

use super::{
    check::{Check, Standing, expect},
    document::Asked,
};

/// The name of the check.
const TERMS: &str = "terms";

/// Holds the signed terms against the quote, what was asked for, and the `destination` that the command line names, as far as
/// they are known.
pub(crate) fn check(signed: &SignedSwap, quote: Option<&Quote>, asked: &Asked, destination: Option<Address>) -> Check {
    let mut differences = Vec::new();
    let mut expect_all = |quote: &Quote| {
        expect(&mut differences, "chain_id", &signed.chain_id, &quote.chain_id);
        expect(&mut differences, "input_asset_address", &signed.input_asset_address, &quote.input_asset_address);
        expect(&mut differences, "output_asset_address", &signed.output_asset_address, &quote.output_asset_address);
        expect(&mut differences, "input_amount", &signed.input_amount, &quote.input_amount);
        expect(&mut differences, "output_amount", &signed.output_amount, &quote.output_amount);
        let seconds = signed.good_until.expires_at().get();
        expect(&mut differences, "good_until (seconds)", &seconds, &quote.good_until.get());
    };
    if let Some(quote) = quote {
        expect_all(quote);
    }
    let destinations = [asked.destination, destination];
    for destination in destinations.iter().flatten() {
        expect(&mut differences, "destination_address", &signed.destination_address, destination);
    }
    if differences.is_empty() && destinations.iter().all(Option::is_none) {
        let says = format!("it pays to {}, and nobody says who asked: give --destination", signed.destination_address);
        return Check::new(TERMS, Standing::Undecided, says);
    }
    let equal = match quote {
        Some(_) => "what was signed is what was quoted, for the destination that was asked for",
        None => "it pays to the destination that was asked for",
    };
    Check::of_equals(TERMS, differences, equal, "what was signed is not what was quoted or asked for")
}
