//! Networks in CIDR notation.

use std::{fmt, net::IpAddr};

use super::{error::Mistake, reader::Field};

/// A network such as `10.0.0.0/8` or `fd00::/8`; an address alone is a network of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Reads the value of a key.
    ///
    /// # Errors
    /// [`Mistake`] for another notation, a prefix that is too long, and an address with bits beyond the prefix.
    pub(super) fn read(field: &Field<'_>) -> Result<Self, Mistake> {
        field.text("a network such as 10.0.0.0/8, zero beyond its prefix", |text| Self::parse(text).ok_or(()))
    }

    fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().ok()?;
        let (bits, longest) = match address {
            IpAddr::V4(address) => (u128::from(address.to_bits()) << 96, 32),
            IpAddr::V6(address) => (address.to_bits(), 128),
        };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().ok().filter(|prefix| *prefix <= longest && !text.contains('+'))?,
            None => longest,
        };
        let beyond = u128::MAX.checked_shr(u32::from(prefix)).unwrap_or(0);
        (bits & beyond == 0 || prefix == longest).then_some(Self { address, prefix })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_read_in_both_families() {
        for (text, network) in [
            ("10.0.0.0/8", "10.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("192.0.2.7", "192.0.2.7/32"),
            ("192.0.2.7/32", "192.0.2.7/32"),
            ("fd00::/8", "fd00::/8"),
            ("::/0", "::/0"),
            ("::1", "::1/128"),
        ] {
            assert_eq!(Network::parse(text).map(|network| network.to_string()).as_deref(), Some(network));
        }
        for text in ["", "10.0.0.0/33", "10.0.0.1/8", "fd00::/129", "fd00::1/64", "10.0.0.0/", "10.0.0.0/+8", "host/8"]
        {
            assert_eq!(Network::parse(text), None, "{text}");
        }
    }
}
