//! Prevents pages of other web sites from reading the data of the operator's page.
//!
//! A page of another site can make the operator's browser send requests to this listener and, if its name resolves to
//! this listener (DNS rebinding), even read the responses as same-origin. It cannot choose the host name that its
//! requests carry.

use std::net::{Ipv4Addr, Ipv6Addr};

use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};

use crate::error::ApiError;

static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Suffixes of names that cannot be registered: RFC 6761, RFC 6762, RFC 8375, and `internal` as reserved by ICANN.
const LOCAL_SUFFIXES: [&str; 4] = [".localhost", ".local", ".home.arpa", ".internal"];

/// Rejects a request that names a host that another party may own. Links from other sites are allowed.
///
/// # Errors
/// [`ApiError::CrossSite`].
pub(super) fn check_host(headers: &HeaderMap) -> Result<(), ApiError> {
    if has_local_host(headers) { Ok(()) } else { Err(ApiError::CrossSite) }
}

/// Like [`check_host`], and rejects a request unless it comes from a client other than a browser, from a page of this
/// listener, or from the browser's user directly.
///
/// # Errors
/// [`ApiError::CrossSite`].
pub(super) fn check_same_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_same_origin(headers) && is_same_origin_fetch(headers) {
        check_host(headers)
    } else {
        Err(ApiError::CrossSite)
    }
}

/// Returns whether every host that the request names is an address, a name without a dot, or a name that cannot be
/// registered.
fn has_local_host(headers: &HeaderMap) -> bool {
    headers.get_all(HOST).all(|host| host.to_str().is_ok_and(|host| is_local(&host.to_ascii_lowercase())))
}

fn is_local(host: &str) -> bool {
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let name = host.split(':').next().unwrap_or_default();
    let is_address = name.parse::<Ipv4Addr>().is_ok();
    is_address || !name.contains('.') || LOCAL_SUFFIXES.iter().any(|end| name.ends_with(end))
}

/// Returns whether the `Origin`, if present, matches the requested host.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST) else { return !headers.contains_key(ORIGIN) };
    headers.get_all(ORIGIN).all(|origin| {
        let origin = origin.as_bytes();
        let authority = origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://"));
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host.as_bytes()))
    })
}

/// Returns whether `Sec-Fetch-Site` (Fetch Metadata), if present, marks the request as same-origin or initiated by the
/// user.
fn is_same_origin_fetch(headers: &HeaderMap) -> bool {
    headers.get_all(&SEC_FETCH_SITE).all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrable_names_are_not_local() {
        for host in [
            "127.0.0.1:9090",
            "10.1.2.3",
            "[::1]:9090",
            "[fe80::1]",
            "localhost:9090",
            "admin.localhost",
            "firmquote:9090",
            "admin.rfq.svc.cluster.local:9090",
            "desk.internal",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in
            ["evil.example:9090", "127.0.0.1.evil.example", "localhost.evil.example", "local.example", "[x]:1", "a."]
        {
            assert!(!is_local(host), "{host}");
        }
    }
}
