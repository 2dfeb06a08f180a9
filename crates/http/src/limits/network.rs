//! Networks in CIDR notation.

use std::{fmt, net::IpAddr};

use ipnet::IpNet;

use crate::InvalidSetting;

/// A network such as `10.0.0.0/8` or `fd00::/8`; an address alone is a network of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Reads CIDR notation (RFC 4632, RFC 4291).
    ///
    /// # Errors
    /// [`InvalidSetting::Network`] for another notation, a prefix that is too long, and an address with bits beyond
    /// the prefix.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let network = network.map_err(|_| InvalidSetting::Network)?;
        if network.trunc() == network { Ok(Self(network)) } else { Err(InvalidSetting::Network) }
    }

    /// Whether an address is of it. An IPv4 address in IPv6 notation is no IPv4 address here.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
            assert_eq!(Network::new(text).map(|network| network.to_string()).as_deref(), Ok(network));
        }
        for text in ["", "10.0.0.0/33", "10.0.0.1/8", "fd00::/129", "fd00::1/64", "10.0.0.0/", "10.0.0.0/+8", "host/8"]
        {
            assert_eq!(Network::new(text), Err(InvalidSetting::Network), "{text}");
        }
    }

    #[test]
    fn a_network_contains_the_addresses_of_its_prefix() {
        for (network, address, is_inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("fd00::/8", "fdff::1", true),
            ("0.0.0.0/0", "fd00::1", false),
            ("::/0", "192.0.2.7", false),
        ] {
            let found = Network::new(network).unwrap().contains(address.parse().unwrap());
            assert_eq!(found, is_inside, "{network} {address}");
        }
    }
}
