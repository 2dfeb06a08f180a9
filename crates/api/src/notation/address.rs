//! Addresses with EIP-55 checksums. Each checksum takes a hash, and nearly every response has the same few addresses,
//! so each thread retains the texts of those that it wrote last.

use std::{cell::RefCell, fmt};

use alloy_primitives::AddressChecksumBuffer;
use firmquote_domain::{Address, parse_address};
use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

use crate::Notation;

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

impl Notation for Address {
    const NAME: &'static str = "Address";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(checksummed(*self).as_str())
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse_address(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        super::text::text_schema("^0x[0-9a-fA-F]{40}$", "20 bytes of hex with the EIP-55 checksum.").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AddressText;

    #[test]
    fn addresses_that_share_a_slot_are_written_with_their_own_checksums() {
        let addresses = ["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eBc2"]
            .map(|text| parse_address(&text.to_lowercase()).unwrap());
        for address in [addresses[0], addresses[1], addresses[0], Address::ZERO, addresses[1]] {
            let json = serde_json::to_string(&AddressText::from(address)).unwrap();
            assert_eq!(json, format!("\"{}\"", address.to_checksum(None)));
            assert_eq!(*serde_json::from_str::<AddressText>(&json).unwrap(), address);
        }
    }
}
