//! The unit by which clients without credentials are counted.

use std::net::IpAddr;

/// An IPv4 address, or the /64 network prefix of an IPv6 address: a client with one address of a /64 can use all of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AddressBlock {
    V4(u32),
    V6(u64),
}

impl AddressBlock {
    /// Returns the block of an address. An IPv4-mapped IPv6 address counts as its IPv4 address.
    pub(crate) fn from_address(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6([a, b, c, d].into_iter().fold(0, |bits, segment| bits << 16 | u64::from(segment)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_64_bit_network_are_one_client() {
        let of = |text: &str| AddressBlock::from_address(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), AddressBlock::V6(0x2001_0db8_0001_0002));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.7"), of("192.0.2.8"));
        assert_eq!(of("::ffff:192.0.2.7"), of("192.0.2.7"));
        assert_ne!(of("::1"), of("0.0.0.0"));
    }
}
