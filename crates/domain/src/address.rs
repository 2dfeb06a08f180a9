//! Addresses as text, with EIP-55 checksums. Each checksum takes a hash, and nearly every request and response has the same
//! few addresses, so each thread retains the texts of those that it used last.

use std::{cell::RefCell, fmt};

use alloy_primitives::{Address, AddressChecksumBuffer, hex};

use crate::InvalidValue;

/// The number of retained texts, one for each value of the last bits of an address.
const SLOTS: usize = 64;

thread_local! {
    static TEXTS: RefCell<[Option<(Address, AddressChecksumBuffer)>; SLOTS]> = const { RefCell::new([const { None }; SLOTS]) };
}

/// Displays an address with its EIP-55 checksum.
#[derive(Clone, Copy, Debug)]
pub struct ChecksummedAddress(pub Address);

impl fmt::Display for ChecksummedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(checksummed(self.0).as_str())
    }
}

fn checksummed(address: Address) -> AddressChecksumBuffer {
    let slot = address.last().map_or(0, |byte| usize::from(*byte) % SLOTS);
    let retained = TEXTS.try_with(|texts| match texts.borrow_mut().get_mut(slot)? {
        Some((retained, text)) if *retained == address => Some(text.clone()),
        entry => Some(entry.insert((address, address.to_checksum_buffer(None))).1.clone()),
    });
    retained.ok().flatten().unwrap_or_else(|| address.to_checksum_buffer(None))
}

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
    if is_mixed && checksummed(address).as_str() != text {
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
    fn addresses_that_share_a_slot_have_their_own_checksums() {
        let texts = ["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eBc2"];
        let addresses = texts.map(|text| text.to_lowercase().parse::<Address>().unwrap());
        for address in [addresses[0], addresses[1], addresses[0], Address::ZERO, addresses[1]] {
            let text = ChecksummedAddress(address).to_string();
            assert_eq!(text, address.to_checksum(None));
            assert_eq!(parse_address(&text), Ok(address));
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
