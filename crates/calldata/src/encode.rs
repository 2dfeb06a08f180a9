//! From a signed offer to what a transaction carries.

use alloy_primitives::{B256, U256};
use firmquote_domain::{Offer, Signature, Terms};

use crate::SwapFunction;

/// Arguments that every function has: two amounts, `goodUntil`, destination, v, r, s and the offset of the data.
const COMMON_ARGUMENTS: usize = 8;

/// Bytes of one word of the [contract ABI](https://docs.soliditylang.org/en/latest/abi-spec.html).
const WORD: usize = 32;

/// The calldata that has the pool of `offer` execute it, by the function that [`SwapFunction::from_terms`] names.
///
/// `terms` give native side, `transmit` and `aux_data`. The destination is `offer.destination`, the one that
/// `signature` covers. Neither is it checked that `signature` belongs to `offer`, nor that a native side is
/// wrapped native.
pub fn encode(offer: &Offer, terms: &Terms, signature: &Signature) -> Vec<u8> {
    let function = SwapFunction::from_terms(terms);
    // Nothing of either is left out unseen. The pool is where the call goes; the destination is that of the offer.
    let &Offer { pool: _, input_token, output_token, input_amount, output_amount, good_until, destination } = offer;
    let &Terms { destination: _, sender: _, aux_data, native: _, transmit: _ } = terms;
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

/// The native coin, in wei, that the transaction has to carry: the input amount if the input is native, else none.
///
/// Less makes the transaction revert; what is more stays in the pool.
pub fn transaction_value(offer: &Offer, terms: &Terms) -> U256 {
    if SwapFunction::from_terms(terms).is_payable() { offer.input_amount.base_units() } else { U256::ZERO }
}

fn number(number: U256) -> B256 {
    B256::new(number.to_be_bytes())
}
