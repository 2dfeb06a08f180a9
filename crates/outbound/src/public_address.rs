//! Which addresses belong to the public internet, and a resolver that returns no others.
//!
//! For URLs that must not lead into the operator's own network, nor to the metadata service of a cloud. A public address of
//! the machine itself is public all the same. The name is resolved once for each connection, and the connection goes to an address that was checked, so that a second
//! answer of the name server cannot lead elsewhere.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
    vec,
};

use hyper::Uri;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use tower_service::Service;

/// What the error says about an address that a client with `public_only` does not connect to.
pub const NOT_PUBLIC: &str = "is not a public address";

/// Whether an address is globally reachable by the registries of special-purpose addresses (RFC 6890), and no other address
/// is embedded in it.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let octets = address.octets();
    let is_special = match octets {
        // This network (RFC 791), protocol assignments (RFC 6890), 6to4 relays (RFC 7526), reserved (RFC 1112).
        [0, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [240..=255, ..] => true,
        // Shared by carriers (RFC 6598), benchmarks (RFC 2544), and the metadata service of Azure, which is numbered publicly.
        [100, 64..=127, ..] | [198, 18..=19, ..] | [168, 63, 129, 16] => true,
        _ => address.is_loopback() || address.is_private() || address.is_link_local(),
    };
    !is_special && !address.is_documentation() && !address.is_multicast()
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Global unicast (RFC 4291): neither loopback, unique local, link local, multicast, IPv4-mapped nor NAT64.
    match address.segments() {
        // Protocol assignments, Teredo among them (RFC 2928), and documentation (RFC 3849).
        [0x2001, 0..=0x1ff | 0xdb8, ..] => false,
        // 6to4 (RFC 3056), and documentation (RFC 9637).
        [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

/// Resolves names; with `public_only`, to nothing if one of their addresses is not public.
#[derive(Clone)]
pub(crate) struct Resolver {
    system: GaiResolver,
    public_only: bool,
}

impl Resolver {
    pub(crate) fn new(public_only: bool) -> Self {
        Self { system: GaiResolver::new(), public_only }
    }

    /// Checks the host of a URL, if it is an address: that is connected to without a resolver.
    ///
    /// # Errors
    /// [`io::Error`] for an address that is not public, with `public_only`.
    pub(crate) fn check(&self, uri: &Uri) -> io::Result<()> {
        let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        match host.parse() {
            Ok(address) if self.public_only && !is_public(address) => Err(not_public(address)),
            _ => Ok(()),
        }
    }
}

impl Service<Name> for Resolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.system.poll_ready(context)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (resolving, public_only) = (self.system.call(name), self.public_only);
        Box::pin(async move {
            let addresses: Vec<SocketAddr> = resolving.await?.collect();
            match addresses.iter().find(|address| public_only && !is_public(address.ip())) {
                Some(address) => Err(not_public(address.ip())),
                None => Ok(addresses.into_iter()),
            }
        })
    }
}

fn not_public(address: IpAddr) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("{address} {NOT_PUBLIC}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for public in ["1.1.1.1", "100.128.0.1", "172.32.0.1", "192.0.1.1", "198.20.0.1", "2606:4700::1111"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        let special = [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "168.63.129.16",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:1.1.1.1",
            "::1.1.1.1",
            "64:ff9b::1.1.1.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:101:101::1",
            "3fff::1",
            "fc00::1",
            "fd00::1",
            "fe80::1",
            "ff02::1",
        ];
        for special in special {
            assert!(!is_public(special.parse().unwrap()), "{special}");
        }
    }

    #[test]
    fn addresses_in_urls_are_checked_as_well() {
        let check = |uri: &'static str| Resolver::new(true).check(&Uri::from_static(uri)).is_ok();
        assert!(
            check("https://1.1.1.1/hook") && check("https://[2606:4700::1111]:443/") && check("https://a.example/")
        );
        assert!(!check("https://127.0.0.1/") && !check("https://[::1]:8443/") && !check("http://[::ffff:10.0.0.1]/"));
        assert!(Resolver::new(false).check(&Uri::from_static("http://127.0.0.1/")).is_ok());
    }

    #[tokio::test]
    async fn names_of_the_machine_itself_do_not_resolve() {
        let resolve = async |public_only| {
            let name = "localhost".parse::<Name>().unwrap();
            Resolver::new(public_only).call(name).await.map(Iterator::count)
        };
        assert!(resolve(false).await.unwrap() > 0);
        assert_eq!(resolve(true).await.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}
