//! Addresses with EIP-55 checksums in responses and logs. Each checksum takes a hash, so the addresses that nearly
//! every response contains are formatted once.

use std::fmt;

use firmquote_desk::Desk;
use firmquote_domain::Address;
use serde::{Serialize, Serializer};

/// The checksummed addresses of the served tokens and pools. Any other address is formatted when it is
/// displayed.
#[derive(Default)]
pub(crate) struct Addresses(Vec<(Address, String)>);

/// An address in its checksummed form (EIP-55).
#[derive(Clone, Copy, Debug)]
pub(crate) enum DisplayedAddress<'a> {
    /// The address of a served pool or token, formatted once.
    Cached(&'a str),
    /// Any other address, formatted on display.
    Other(Address),
}

impl Addresses {
    /// Formats the addresses of the pools of `desk` and of their tokens.
    pub(crate) fn new(desk: &Desk) -> Self {
        let specs = desk.pools.iter().map(|pool| pool.signer().pool().spec());
        let addresses = specs.flat_map(|spec| spec.assets.iter().map(|asset| asset.address).chain([spec.id.address]));
        let mut texts: Vec<_> = addresses.map(|address| (address, address.to_string())).collect();
        texts.sort_unstable();
        Self(texts)
    }

    /// Returns the text of `address`.
    pub(crate) fn text(&self, address: Address) -> DisplayedAddress<'_> {
        let position = self.0.binary_search_by_key(&address, |(entry, _)| *entry).ok();
        let entry = position.and_then(|position| self.0.get(position));
        entry.map_or(DisplayedAddress::Other(address), |(_, text)| DisplayedAddress::Cached(text))
    }
}

impl fmt::Display for DisplayedAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cached(text) => f.write_str(text),
            Self::Other(address) => fmt::Display::fmt(address, f),
        }
    }
}

impl Serialize for DisplayedAddress<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Cached(text) => serializer.serialize_str(text),
            Self::Other(address) => serializer.collect_str(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::parse_address;

    use super::*;

    #[test]
    fn known_and_other_addresses_are_formatted_alike() {
        let [served, other] =
            ["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"]
                .map(|text| parse_address(text).unwrap());
        let addresses = Addresses(vec![(served, served.to_string())]);
        for address in [served, other] {
            assert_eq!(addresses.text(address).to_string(), address.to_string());
            let json = serde_json::to_string(&addresses.text(address)).unwrap();
            assert_eq!(json, format!("\"{address}\""));
        }
        assert!(matches!(addresses.text(served), DisplayedAddress::Cached(_)));
        assert!(matches!(addresses.text(other), DisplayedAddress::Other(_)));
    }
}
