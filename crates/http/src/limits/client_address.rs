//! Determines the client address of a request, also behind trusted proxies.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
};

use actix_web::http::header::{HeaderMap, HeaderName};
use ipnet::{IpNet, Ipv4Net};

use crate::InvalidSetting;

/// A network such as `10.0.0.0/8` or `fd00::/8`; a bare address is a network of one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Parses CIDR notation (RFC 4632, RFC 4291). A network of IPv4-mapped IPv6 addresses is that of the IPv4
    /// addresses.
    ///
    /// # Errors
    /// [`InvalidSetting::Network`] for another notation, a prefix length that is too large, and an address with bits
    /// set beyond the prefix.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let network = network.map_err(|_| InvalidSetting::Network)?;
        let network = match network {
            IpNet::V6(mapped) if mapped.prefix_len() >= 96 => mapped
                .addr()
                .to_ipv4_mapped()
                .map_or(network, |address| Ipv4Net::new(address, mapped.prefix_len() - 96).map_or(network, IpNet::V4)),
            other => other,
        };
        if network.trunc() == network { Ok(Self(network)) } else { Err(InvalidSetting::Network) }
    }

    /// Whether an address is in the network. An IPv4-mapped IPv6 address does not match an IPv4 network.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the client address of a request that arrived from `peer` with these headers.
///
/// It is the peer, unless that is one of the `trusted` proxies. Then it is the last hop of `X-Forwarded-For` that is
/// not trusted: every trusted proxy appends the address of its own peer to the list, and everything before that can be
/// forged. Several headers are one list (RFC 9110, section 5.3). If a hop is not an address, or the list ends, it is
/// the last trusted proxy.
pub(super) fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.to_canonical();
    if !is_trusted(client) {
        return client;
    }
    let lists: Vec<_> = headers.get_all(&X_FORWARDED_FOR).map(|list| list.to_str().unwrap_or("not text")).collect();
    let hops = lists.iter().rev().flat_map(|list| list.rsplit(',')).map(str::trim).filter(|hop| !hop.is_empty());
    for hop in hops {
        let Some(address) = parse_hop(hop) else { break };
        client = address;
        if !is_trusted(client) {
            break;
        }
    }
    client
}

/// Parses an address as proxies write it: bare, in brackets, or with a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let in_brackets = || hop.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let bare = hop.parse::<IpAddr>().ok();
    let address = bare.or_else(|| hop.parse::<SocketAddr>().ok().map(|hop| hop.ip())).or_else(in_brackets);
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn networks_are_parsed_in_both_address_families() {
        for (text, network) in [
            ("10.0.0.0/8", "10.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("192.0.2.7", "192.0.2.7/32"),
            ("192.0.2.7/32", "192.0.2.7/32"),
            ("fd00::/8", "fd00::/8"),
            ("::/0", "::/0"),
            ("::1", "::1/128"),
            ("::ffff:10.0.0.5", "10.0.0.5/32"),
            ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
            ("::/95", "::/95"),
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

    fn found(peer: &str, lists: &[&[u8]]) -> String {
        let trusted = ["10.0.0.0/8", "fd00::/8"].map(|text| Network::new(text).unwrap());
        let mut headers = HeaderMap::new();
        for list in lists {
            headers.append(X_FORWARDED_FOR.clone(), HeaderValue::from_bytes(list).unwrap());
        }
        client_address(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_set_the_client_address() {
        for peer in ["203.0.113.9", "2001:db8::9"] {
            assert_eq!(found(peer, &[b"198.51.100.1"]), peer);
            assert_eq!(found(peer, &[]), peer);
        }
        assert_eq!(found("::ffff:203.0.113.9", &[b"198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn the_last_untrusted_hop_is_the_client() {
        for (lists, address) in [
            (&[b"198.51.100.1".as_slice()][..], "198.51.100.1"),
            (&[b"192.0.2.1, 198.51.100.1"], "198.51.100.1"),
            (&[b"192.0.2.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            (&[b"198.51.100.1,10.0.0.2,fd00::2"], "198.51.100.1"),
            (&[b"192.0.2.1, 198.51.100.1", b"10.0.0.2"], "198.51.100.1"),
            (&[b"192.0.2.1", b"198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            (&[b"198.51.100.1, , 10.0.0.2,"], "198.51.100.1"),
            (&[b"198.51.100.1:4711"], "198.51.100.1"),
            (&[b"[2001:db8::1]:4711"], "2001:db8::1"),
            (&[b"[2001:db8::1]"], "2001:db8::1"),
            (&[b"2001:db8::1"], "2001:db8::1"),
            (&[b"::ffff:198.51.100.1"], "198.51.100.1"),
            (&[b"198.51.100.1, ::ffff:10.0.0.2"], "198.51.100.1"),
        ] {
            assert_eq!(found("10.0.0.1", lists), address, "{lists:?}");
            assert_eq!(found("::ffff:10.0.0.1", lists), address, "{lists:?}");
        }
    }

    #[test]
    fn without_an_address_the_last_trusted_proxy_is_the_client() {
        for (lists, address) in [
            (&[][..], "10.0.0.1"),
            (&[b"".as_slice()], "10.0.0.1"),
            (&[b"unknown"], "10.0.0.1"),
            (&[b"198.51.100.1, unknown"], "10.0.0.1"),
            (&[b"198.51.100.1, unknown, 10.0.0.2"], "10.0.0.2"),
            (&[b"198.51.100.1, \xff"], "10.0.0.1"),
            (&[b"198.51.100.1, [10.0.0.2"], "10.0.0.1"),
            (&[b"198.51.100.1, 10.0.0.2:port"], "10.0.0.1"),
            (&[b"10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ] {
            assert_eq!(found("10.0.0.1", lists), address, "{lists:?}");
        }
    }
}
