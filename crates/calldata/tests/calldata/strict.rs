//! Decoding accepts only canonical calldata of the five functions.

use crate::common::{offer, signature, terms};
use firmquote_calldata::{CalldataError, decode, encode};
use firmquote_domain::{B256, InvalidValue, U256};

/// Returns calldata of `swap` with `number` in argument word `at` (0 to 11).
fn with_word(at: usize, number: U256) -> Vec<u8> {
    let mut calldata = encode(&offer(), &terms(), &signature());
    let start = 4 + at * 32;
    calldata.splice(start..start + 32, number.to_be_bytes::<32>());
    calldata
}

#[test]
fn calldata_of_other_functions_is_distinguished_from_malformed_calldata() {
    let transfer = [0xa9, 0x05, 0x9c, 0xbb];
    let calldata = [&transfer[..], &[0; 64]].concat();
    assert_eq!(decode(&calldata), Err(CalldataError::UnknownFunction(transfer.into())));
}

#[test]
fn truncated_and_extended_calldata_is_malformed() {
    let calldata = encode(&offer(), &terms(), &signature());
    for length in 0..calldata.len() {
        assert!(matches!(decode(&calldata[..length]), Err(CalldataError::Malformed(_))), "{length} bytes");
    }
    for count in [1, 31, 32, 64] {
        let extended = [calldata.as_slice(), &vec![0; count]].concat();
        assert!(matches!(decode(&extended), Err(CalldataError::Malformed(_))), "{count} more bytes");
    }
}

#[test]
fn non_canonical_words_are_malformed() {
    let not_an_address = U256::from(1) << 160;
    for (at, number) in [
        (0, not_an_address),
        (1, not_an_address),
        (5, not_an_address),
        (6, U256::from(256 + 27)),
        (9, U256::from(0x160)),
        (9, U256::from(0x120)),
        (9, U256::MAX),
        (10, U256::from(33)),
        (10, U256::from(31)),
        (10, U256::MAX),
    ] {
        assert!(matches!(decode(&with_word(at, number)), Err(CalldataError::Malformed(_))), "word {at} is {number}");
    }
}

#[test]
fn values_that_are_never_signed_are_rejected_by_name() {
    for (at, number, message) in [
        (2, U256::ZERO, "inputAmount"),
        (3, U256::ZERO, "outputAmount"),
        (4, U256::from(1_700_000_000_000_u64), "goodUntil"),
        (4, U256::from(u64::MAX) << 128, "goodUntil"),
        (6, U256::ZERO, "v"),
        (6, U256::from(29), "v"),
        (7, U256::ZERO, "theSignature"),
        (8, U256::ZERO, "theSignature"),
        (8, U256::MAX, "theSignature"),
    ] {
        match decode(&with_word(at, number)) {
            Err(CalldataError::InvalidArgument { field, source: InvalidValue::OutOfRange { .. } }) => {
                assert_eq!(field, message);
            }
            result => panic!("word {at} is {number}: {result:?}"),
        }
    }
}

#[test]
fn auxiliary_data_of_any_length_is_decoded() {
    let calldata = encode(&offer(), &terms(), &signature());
    let (head, _) = calldata.split_at(4 + 10 * 32);
    let short = [head, &U256::from(3).to_be_bytes::<32>(), B256::right_padding_from(b"abc").as_slice()].concat();
    assert_eq!(decode(&short).unwrap().aux_data.as_ref(), b"abc");
    let empty = [head, &[0; 32]].concat();
    assert!(decode(&empty).unwrap().aux_data.is_empty());
}
