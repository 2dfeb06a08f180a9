//! Checks of the fuzz target `headers` on lists of `X-Forwarded-For`.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use super::{Network, client_address::client_address};

const TRUSTED: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];
const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
/// An address that is not trusted.
const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9));

/// Uses `lists` as the headers of a request, once from a proxy and once from an untrusted peer.
pub(crate) fn forwarded(lists: &[HeaderValue]) {
    let trusted: Vec<_> = TRUSTED.into_iter().filter_map(|text| Network::new(text).ok()).collect();
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let of = |peer, lists: &[HeaderValue]| {
        let name = HeaderName::from_static("x-forwarded-for");
        let mut headers = HeaderMap::new();
        lists.iter().for_each(|list| headers.append(name.clone(), list.clone()));
        client_address(peer, &headers, &trusted)
    };
    let list = HeaderValue::from_static;
    assert_eq!(of(STRANGER, lists), STRANGER, "{lists:?}");
    let address = of(PROXY, lists);
    assert_eq!(address, address.to_canonical());
    // The value written by the nearest proxy decides, whatever that proxy received.
    assert_eq!(of(PROXY, &[lists, &[list("203.0.113.9")]].concat()), STRANGER, "{lists:?}");
    assert_eq!(of(PROXY, &[lists, &[list("unknown")]].concat()), PROXY, "{lists:?}");
    assert_eq!(of(PROXY, &[lists, &[list("10.0.0.1")]].concat()), address, "{lists:?}");
    for invented in ["203.0.113.9", "10.0.0.7, fd00::7", "unknown", ""] {
        let behind = of(PROXY, &[&[list(invented)], lists].concat());
        // A forged hop counts only if every hop after it is trusted.
        assert!(behind == address || is_trusted(address), "{invented}, {lists:?}");
    }
    let texts: Option<Vec<_>> = lists.iter().map(|list| list.to_str().ok()).collect();
    if let Some(Ok(joined)) = texts.map(|texts| HeaderValue::from_str(&texts.join(","))) {
        assert_eq!(of(PROXY, &[joined]), address, "several headers are one list: {lists:?}");
    }
}
