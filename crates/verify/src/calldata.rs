//! The check of calldata: what it asks the pool contract for is what was signed, argument by argument.

use firmquote_calldata::{DecodedSwap, SwapFunction, decode};
use firmquote_domain::{NativeSide, Terms};

use crate::{Check, CheckStatus, Difference, RequestedSwap, SignResponse, check::expect};

/// The name of the check.
const CALLDATA: &str = "calldata";

/// Holds the calldata of `signed` against its terms and the request, and decodes it; `None` if there is none.
pub fn check_calldata(signed: &SignResponse, requested: &RequestedSwap) -> Option<(Check, Option<DecodedSwap>)> {
    let swap = match decode(signed.calldata.as_ref()?) {
        Ok(swap) => swap,
        Err(error) => {
            let says = format!("it is no call of a swap function: {error}");
            return Some((Check::new(CALLDATA, CheckStatus::Differs, says), None));
        }
    };
    let equal = match (swap.input_token, swap.output_token) {
        (None, _) => "it says the same as the signed terms; the contract takes its wrapped native coin for the input",
        (_, None) => "it says the same as the signed terms; the contract takes its wrapped native coin for the output",
        _ => "it says the same as the signed terms",
    };
    let unequal = "it asks the contract for something else than was signed or asked for";
    let check = Check::of_equals(CALLDATA, differences(&swap, signed, requested), equal, unequal);
    Some((check, Some(swap)))
}

fn differences(swap: &DecodedSwap, signed: &SignResponse, requested: &RequestedSwap) -> Vec<Difference> {
    let offer = &signed.offer;
    let mut found = Vec::new();
    expect(&mut found, "inputToken", &swap.input_token.unwrap_or(offer.input_token), &offer.input_token);
    let output_token = swap.output_token.unwrap_or(offer.output_token);
    expect(&mut found, "outputToken", &output_token, &offer.output_token);
    expect(&mut found, "inputAmount", &swap.input_amount, &offer.input_amount);
    expect(&mut found, "outputAmount", &swap.output_amount, &offer.output_amount);
    expect(&mut found, "goodUntil", &swap.good_until.to_word(), &offer.good_until.to_word());
    expect(&mut found, "destinationAddress", &swap.destination, &offer.destination);
    expect(&mut found, "theSignature.v", &swap.signature.v(), &signed.signature.v());
    expect(&mut found, "theSignature.r", &swap.signature.r(), &signed.signature.r());
    expect(&mut found, "theSignature.s", &swap.signature.s(), &signed.signature.s());
    match (requested.native, requested.transmit) {
        (Some(native), Some(transmit)) => {
            let destination = offer.destination;
            let terms = Terms { destination, sender: destination, aux_data: Default::default(), native, transmit };
            expect(&mut found, "function", &swap.function.name(), &SwapFunction::of(&terms).name());
        }
        (Some(native), None) => {
            expect(&mut found, "native side", &side_name(native_side(swap)), &side_name(native));
        }
        (None, _) => {}
    }
    if let Some(aux_data) = requested.aux_data {
        expect(&mut found, "auxiliaryData", &swap.aux_data.to_string(), &aux_data.to_string());
    }
    found
}

/// The side that the contract takes or pays in native coin: the one whose token the call leaves out.
const fn native_side(swap: &DecodedSwap) -> NativeSide {
    match (swap.input_token, swap.output_token) {
        (None, _) => NativeSide::Input,
        (Some(_), None) => NativeSide::Output,
        (Some(_), Some(_)) => NativeSide::Neither,
    }
}

const fn side_name(side: NativeSide) -> &'static str {
    match side {
        NativeSide::Input => "input",
        NativeSide::Output => "output",
        NativeSide::Neither => "neither",
    }
}
