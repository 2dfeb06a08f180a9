//! Parsing of addresses.

use alloy_primitives::{Address, hex};

use crate::InvalidValue;

/// Reads a 20-byte address: `0x` and 40 hex digits.
///
/// All-lowercase and all-uppercase digits are accepted without a checksum; mixed case must carry a correct checksum
/// (EIP-55), so that one mistyped digit does not send tokens to a stranger.
///
/// # Errors
/// [`InvalidValue::Malformed`] for another shape or a wrong checksum.
pub fn parse_address(text: &str) -> Result<Address, InvalidValue> {
    const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "0x and 40 hex digits" };
    const CHECKSUM: InvalidValue =
        InvalidValue::Malformed { expected: "a mixed-case address with its EIP-55 checksum" };
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40).ok_or(SHAPE)?;
    let mut bytes = [0; 20];
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| SHAPE)?;
    let address = Address::from(bytes);
    let is_mixed =
        digits.bytes().any(|byte| byte.is_ascii_lowercase()) && digits.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_mixed && address.to_checksum_buffer(None).as_str() != text {
        return Err(CHECKSUM);
    }
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of EIP-55.
    const CHECKSUMMED: [&str; 4] = [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ];

    #[test]
    fn checksummed_and_single_case_addresses_are_parsed() {
        for text in CHECKSUMMED {
            assert_eq!(parse_address(text).unwrap().to_string(), text);
            assert_eq!(parse_address(&text.to_lowercase()).unwrap().to_string(), text);
            assert_eq!(parse_address(&text.to_uppercase().replacen("0X", "0x", 1)).unwrap().to_string(), text);
        }
    }

    #[test]
    fn invalid_checksums_and_shapes_are_rejected() {
        let swapped = CHECKSUMMED[0].replacen('a', "A", 1);
        for text in [
            swapped.as_str(),
            "",
            "0x",
            "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00",
            "0x5aAeb6",
            "0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        ] {
            assert!(parse_address(text).is_err(), "{text}");
        }
        assert!(parse_address(&format!("{}g", &CHECKSUMMED[0][..41])).is_err());
        assert!(parse_address(&format!("{}00", CHECKSUMMED[0])).is_err());
    }
}
