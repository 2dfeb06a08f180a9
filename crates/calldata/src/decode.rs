//! Decodes the calldata of a swap transaction.

use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::{SolCall, SolType};
use firmquote_domain::{Amount, GoodUntil, InvalidValue, NativeSide, Signature};

use crate::{
    CalldataError, SwapFunction,
    abi::{self, STRICT},
};

/// A decoded call of a swap function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedSwap {
    /// The called function.
    pub function: SwapFunction,
    /// Token paid in; `None` if the function omits it because it is wrapped native.
    pub input_token: Option<Address>,
    /// Token paid out; `None` if the function omits it because it is wrapped native.
    pub output_token: Option<Address>,
    /// Base units paid in.
    pub input_amount: Amount,
    /// Base units paid out.
    pub output_amount: Amount,
    /// Expiry, in the form that the contract reads.
    pub good_until: GoodUntil,
    /// Account that receives the output.
    pub destination: Address,
    /// The signature in the call. Not verified: the signer is known only after recovery.
    pub signature: Signature,
    /// Auxiliary data. This service sends 32 bytes; the signature does not cover them, so a sender may have replaced
    /// them.
    pub aux_data: Bytes,
}

impl DecodedSwap {
    /// The side paid in native coin: the one whose token the call omits.
    pub const fn native(&self) -> NativeSide {
        match (self.input_token, self.output_token) {
            (None, _) => NativeSide::Input,
            (Some(_), None) => NativeSide::Output,
            (Some(_), Some(_)) => NativeSide::Neither,
        }
    }
}

/// Decodes the calldata of any of the five swap functions; the inverse of [`encode`](crate::encode).
///
/// # Errors
/// [`CalldataError::UnknownFunction`] for other selectors, [`CalldataError::Malformed`] for fewer than four bytes
/// and for anything but the canonical encoding, [`CalldataError::InvalidArgument`] for a zero amount, a `goodUntil`
/// that voids the pool's check, and a signature with high s or a v other than 27 and 28.
pub fn decode(calldata: &[u8]) -> Result<DecodedSwap, CalldataError> {
    let (selector, arguments) =
        calldata.split_first_chunk().ok_or(CalldataError::Malformed(alloy_sol_types::Error::Overrun))?;
    let function =
        SwapFunction::from_selector(*selector).ok_or_else(|| CalldataError::UnknownFunction(selector.into()))?;
    let (input_token, output_token, arguments) = read_arguments(function, arguments)?;
    let (input_amount, output_amount, good_until, destination, signature, aux_data) = arguments;
    Ok(DecodedSwap {
        function,
        input_token,
        output_token,
        input_amount: amount("inputAmount", input_amount)?,
        output_amount: amount("outputAmount", output_amount)?,
        good_until: GoodUntil::from_word(good_until).map_err(invalid_argument("goodUntil"))?,
        destination,
        signature: to_signature(&signature)?,
        aux_data,
    })
}

/// The arguments common to all functions: amounts, `goodUntil`, destination, signature, auxiliary data.
type Arguments = (U256, U256, U256, Address, abi::Signature, Bytes);

/// Decodes the arguments in one of two layouts: with both tokens, or with only the one that is not native.
fn read_arguments(
    function: SwapFunction,
    data: &[u8],
) -> Result<(Option<Address>, Option<Address>, Arguments), CalldataError> {
    if function.names_input_token() && function.names_output_token() {
        let (input, output, paid, received, until, to, signature, aux) = strict::<abi::swapCall>(data)?;
        return Ok((Some(input), Some(output), (paid, received, until, to, signature, aux)));
    }
    let (token, paid, received, until, to, signature, aux) = strict::<abi::sellTokenForEthCall>(data)?;
    let input = function.names_input_token().then_some(token);
    let output = function.names_output_token().then_some(token);
    Ok((input, output, (paid, received, until, to, signature, aux)))
}

fn strict<'a, C: SolCall>(data: &'a [u8]) -> Result<<C::Parameters<'a> as SolType>::RustType, CalldataError> {
    C::Parameters::abi_decode_sequence_with_config(data, STRICT).map_err(CalldataError::Malformed)
}

fn amount(field: &'static str, base_units: U256) -> Result<Amount, CalldataError> {
    const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "1 to 2^256 - 1 base units" };
    Amount::new(base_units).ok_or_else(|| invalid_argument(field)(RANGE))
}

fn to_signature(signature: &abi::Signature) -> Result<Signature, CalldataError> {
    const PARITY: InvalidValue = InvalidValue::OutOfRange { allowed: "27 or 28" };
    let is_y_odd = match signature.v {
        27 => false,
        28 => true,
        _ => return Err(invalid_argument("v")(PARITY)),
    };
    Signature::new(signature.r, signature.s, is_y_odd).map_err(invalid_argument("theSignature"))
}

fn invalid_argument(field: &'static str) -> impl Fn(InvalidValue) -> CalldataError {
    move |source| CalldataError::InvalidArgument { field, source }
}
