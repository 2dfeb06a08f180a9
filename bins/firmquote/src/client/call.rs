//! A decoded pool contract call in readable form.

use alloy_primitives::hex;
use firmquote_calldata::DecodedSwap;
use firmquote_client::SignedSwap;
use firmquote_domain::{Address, Amount, U256};
use firmquote_verify::{PublishedPool, TokenAmount};
use serde::Serialize;

use super::{DerivedAmount, display};

/// A decoded call in readable form.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Call {
    pub(crate) function: &'static str,
    /// Transaction value in wei.
    pub(crate) value: String,
    pub(crate) arguments: Vec<Argument>,
}

/// A call argument: its raw value and, where useful, its meaning.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) meaning: String,
}

impl Call {
    /// Describes `swap`, the decoded calldata of `signed`, with the tokens' symbols in the data of `pools`.
    pub(crate) fn new(swap: &DecodedSwap, signed: &SignedSwap, pools: &[PublishedPool]) -> Self {
        let argument = |name, value: String, meaning: String| Argument { name, value, meaning };
        let symbol = |token: Address| {
            let listed = pools.iter().find_map(|pool| pool.token(token));
            listed.map(|listed| listed.asset.symbol.to_string()).unwrap_or_default()
        };
        let tokens = |token: Address, amount: Amount| {
            DerivedAmount::new(TokenAmount { token, amount }, pools)
                .map(|amount| amount.to_string())
                .unwrap_or_default()
        };
        let mut arguments = Vec::new();
        if let Some(token) = swap.input_token {
            arguments.push(argument("inputToken", token.to_string(), symbol(token)));
        }
        if let Some(token) = swap.output_token {
            arguments.push(argument("outputToken", token.to_string(), symbol(token)));
        }
        let (input, output) = (*signed.input_asset_address, *signed.output_asset_address);
        let (input_amount, output_amount) = (swap.input_amount, swap.output_amount);
        let (signature, until) = (swap.signature, swap.good_until);
        arguments.extend([
            argument("inputAmount", input_amount.to_string(), tokens(input, input_amount)),
            argument("outputAmount", output_amount.to_string(), tokens(output, output_amount)),
            argument("goodUntil", until.to_word().to_string(), display::utc(until.expires_at())),
            argument("destinationAddress", swap.destination.to_string(), String::new()),
            argument("theSignature.v", signature.v().to_string(), String::new()),
            argument("theSignature.r", signature.r().to_string(), String::new()),
            argument("theSignature.s", signature.s().to_string(), String::new()),
            argument("auxiliaryData", hex::encode_prefixed(&swap.aux_data), text_of(&swap.aux_data)),
        ]);
        let value = if swap.function.is_payable() { input_amount.base_units() } else { U256::ZERO };
        Self { function: swap.function.name(), value: value.to_string(), arguments }
    }
}

/// Returns auxiliary data as quoted text if it is printable ASCII with trailing zeros, such as a service name, else an
/// empty string.
fn text_of(aux_data: &[u8]) -> String {
    let end = aux_data.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = aux_data.get(..end).unwrap_or_default();
    let is_text = !text.is_empty() && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    if is_text { format!("{:?}", String::from_utf8_lossy(text)) } else { String::new() }
}
