//! The check that what was signed is what was quoted, and for whom it was asked.

use firmquote_client::{Quote, SignedSwap};

use super::{
    check::{Check, expect},
    document::Asked,
};

/// Holds the signed terms against the quote and what was asked for, as far as either is known; `None` if neither is.
pub(crate) fn check(signed: &SignedSwap, quote: Option<&Quote>, asked: &Asked) -> Option<Check> {
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
    if let Some(destination) = &asked.destination {
        expect(&mut differences, "destination_address", &signed.destination_address, destination);
    }
    (quote.is_some() || asked.destination.is_some()).then(|| {
        Check::of_equals(
            "terms",
            differences,
            "what was signed is what was quoted, for the destination that was asked for",
            "what was signed is not what was quoted or asked for",
        )
    })
}
