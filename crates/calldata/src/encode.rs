//! Encodes a signed offer as calldata and value of a transaction.

use alloy_primitives::{B256, U256};
use firmquote_domain::{NativeSide, Offer, Signature, Terms};

use crate::SwapFunction;

/// Number of argument words in every function: two amounts, `goodUntil`, destination, v, r, s and the offset of the
/// data.
const COMMON_ARGUMENTS: usize = 8;

/// Bytes in one word of the [contract ABI](https://docs.soliditylang.org/en/latest/abi-spec.html).
const WORD: usize = 32;

/// Encodes a call that executes `offer`, of the function selected by [`SwapFunction::new`].
///
/// Native side, `transmit` and `aux_data` come from `terms`. The destination is `offer.destination`, the one that
/// `signature` covers. Does not check that `signature` belongs to `offer`, nor that the token of a native side is
/// wrapped native.
pub fn encode(offer: &Offer, terms: &Terms, signature: &Signature) -> Vec<u8> {
    let function = SwapFunction::new(terms.native, terms.transmit);
    // Full destructuring, so that a new field cannot be overlooked. The pool is the recipient of the call; the
    // destination is taken from the offer.
    let &Offer { pool: _, input_token, output_token, input_amount, output_amount, good_until, destination } = offer;
    let &Terms { destination: _, sender: _, aux_data, native: _, transmit: _, guarantee: _ } = terms;
    let tokens =
        [function.names_input_token().then_some(input_token), function.names_output_token().then_some(output_token)];
    let arguments = COMMON_ARGUMENTS + tokens.iter().flatten().count();
    let rest = [
        number(input_amount.base_units()),
        number(output_amount.base_units()),
        number(good_until.to_word()),
        destination.into_word(),
        number(U256::from(signature.v())),
        signature.r(),
        signature.s(),
        number(U256::from(arguments * WORD)),
        number(U256::from(aux_data.len())),
        aux_data,
    ];

    let mut calldata = Vec::with_capacity(function.selector().len() + (arguments + 2) * WORD);
    calldata.extend_from_slice(&function.selector());
    for token in tokens.into_iter().flatten() {
        calldata.extend_from_slice(token.into_word().as_slice());
    }
    calldata.extend_from_slice(rest.map(|word| word.0).as_flattened());
    calldata
}

/// Returns the transaction value in wei: the input amount if the input is native, otherwise zero.
///
/// With a smaller value the transaction reverts; any excess stays in the pool.
pub fn transaction_value(offer: &Offer, native: NativeSide) -> U256 {
    match native {
        NativeSide::Input => offer.input_amount.base_units(),
        NativeSide::Neither | NativeSide::Output => U256::ZERO,
    }
}

fn number(number: U256) -> B256 {
    B256::new(number.to_be_bytes())
}
