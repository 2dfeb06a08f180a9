//! The check of calldata: what it asks the pool contract for is what was signed, argument by argument.

use alloy_primitives::hex;
use firmquote_calldata::{DecodedSwap, SwapFunction, decode};
use firmquote_client::SignedSwap;
use firmquote_domain::{Terms, U256};
use serde::Serialize;

use super::{
    check::{Check, Difference, Standing, expect},
    document::Asked,
    moment,
    names::Names,
};

/// The name of the check.
const CALLDATA: &str = "calldata";

/// A decoded call, for people.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Call {
    pub(crate) function: &'static str,
    /// Wei to send along.
    pub(crate) value: String,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument of a call as it is, and what that means where there is more to say.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) meaning: String,
}

/// Holds the calldata of `signed` against its terms and what was asked for; `None` if there is none.
pub(crate) fn check(signed: &SignedSwap, asked: &Asked, names: Names<'_>) -> Option<(Check, Option<Call>)> {
    let swap = match decode(signed.calldata.as_ref()?) {
        Ok(swap) => swap,
        Err(error) => {
            let says = format!("it is no call of a swap function: {error}");
            return Some((Check::new(CALLDATA, Standing::Differs, says), None));
        }
    };
    let equal = match (swap.input_token, swap.output_token) {
        (None, _) => "it says the same as the signed terms; the contract takes its wrapped native coin for the input",
        (_, None) => "it says the same as the signed terms; the contract takes its wrapped native coin for the output",
        _ => "it says the same as the signed terms",
    };
    let unequal = "it asks the contract for something else than was signed or asked for";
    let check = Check::of_equals(CALLDATA, differences(&swap, signed, asked), equal, unequal);
    Some((check, Some(Call::of(&swap, signed, names))))
}

fn differences(swap: &DecodedSwap, signed: &SignedSwap, asked: &Asked) -> Vec<Difference> {
    let mut found = Vec::new();
    expect(
        &mut found,
        "inputToken",
        &swap.input_token.unwrap_or(signed.input_asset_address),
        &signed.input_asset_address,
    );
    let output_token = swap.output_token.unwrap_or(signed.output_asset_address);
    expect(&mut found, "outputToken", &output_token, &signed.output_asset_address);
    expect(&mut found, "inputAmount", &swap.input_amount, &signed.input_amount);
    expect(&mut found, "outputAmount", &swap.output_amount, &signed.output_amount);
    expect(&mut found, "goodUntil", &swap.good_until.to_word(), &signed.good_until.to_word());
    expect(&mut found, "destinationAddress", &swap.destination, &signed.destination_address);
    expect(&mut found, "theSignature.v", &swap.signature.v(), &signed.signature.v());
    expect(&mut found, "theSignature.r", &swap.signature.r(), &signed.signature.r());
    expect(&mut found, "theSignature.s", &swap.signature.s(), &signed.signature.s());
    if let (Some(native), Some(transmit)) = (asked.native(), asked.transmit) {
        let destination = signed.destination_address;
        let terms = Terms { destination, sender: destination, aux_data: Default::default(), native, transmit };
        expect(&mut found, "function", &swap.function.name(), &SwapFunction::of(&terms).name());
    }
    if let Some(aux_data) = asked.aux_data {
        expect(&mut found, "auxiliaryData", &swap.aux_data.to_string(), &aux_data.to_string());
    }
    found
}

impl Call {
    fn of(swap: &DecodedSwap, signed: &SignedSwap, names: Names<'_>) -> Self {
        let argument = |name, value: String, meaning: String| Argument { name, value, meaning };
        let mut arguments = Vec::new();
        if let Some(token) = swap.input_token {
            arguments.push(argument("inputToken", token.to_string(), names.symbol(token)));
        }
        if let Some(token) = swap.output_token {
            arguments.push(argument("outputToken", token.to_string(), names.symbol(token)));
        }
        let (input, output) = (signed.input_asset_address, signed.output_asset_address);
        let (given, got) = (swap.input_amount, swap.output_amount);
        let (signature, until) = (swap.signature, swap.good_until);
        arguments.extend([
            argument("inputAmount", given.to_string(), names.tokens(input, given)),
            argument("outputAmount", got.to_string(), names.tokens(output, got)),
            argument("goodUntil", until.to_word().to_string(), moment::utc(until.expires_at())),
            argument("destinationAddress", swap.destination.to_string(), String::new()),
            argument("theSignature.v", signature.v().to_string(), String::new()),
            argument("theSignature.r", signature.r().to_string(), String::new()),
            argument("theSignature.s", signature.s().to_string(), String::new()),
            argument("auxiliaryData", hex::encode_prefixed(&swap.aux_data), text_of(&swap.aux_data)),
        ]);
        let value = if swap.function.is_payable() { given.base_units() } else { U256::ZERO };
        Self { function: swap.function.name(), value: value.to_string(), arguments }
    }
}

/// The text that auxiliary data is, if it is one, as a service's name is.
fn text_of(aux_data: &[u8]) -> String {
    let end = aux_data.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = aux_data.get(..end).unwrap_or_default();
    let is_text = !text.is_empty() && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    if is_text { format!("{:?}", String::from_utf8_lossy(text)) } else { String::new() }
}
