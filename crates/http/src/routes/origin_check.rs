//! Keeps other web sites' pages from reading what the operator's page shows.
//!
//! A page of another site can have the operator's browser ask this listener, and, if its name is made to lead here (DNS
//! rebinding), even read the answers as if they were its own. It cannot choose the name that its requests carry.

use std::net::{Ipv4Addr, Ipv6Addr};

use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};

use crate::error::ApiError;

static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Ends of names that nobody can register: RFC 6761, RFC 6762, RFC 8375, and `internal` as ICANN reserved it.
const LOCAL_ENDS: [&str; 4] = [".localhost", ".local", ".home.arpa", ".internal"];

/// Lets a request for the page itself pass unless it names a host that may be another's. A link on another site may lead
/// here.
///
/// # Errors
/// [`ApiError::ForeignSite`].
pub(crate) fn check_page(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_own_name(headers) { Ok(()) } else { Err(ApiError::ForeignSite) }
}

/// Lets a request for data pass if it is not a browser's, or one that a page of this listener or its user sent.
///
/// # Errors
/// [`ApiError::ForeignSite`].
pub(crate) fn check_data(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_own_origin(headers) && is_own_fetch(headers) { check_page(headers) } else { Err(ApiError::ForeignSite) }
}

/// Whether every host that the request names is an address, a name without a dot, or one that nobody can register.
fn is_own_name(headers: &HeaderMap) -> bool {
    headers.get_all(HOST).all(|host| host.to_str().is_ok_and(|host| is_local(&host.to_ascii_lowercase())))
}

fn is_local(host: &str) -> bool {
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let name = host.split(':').next().unwrap_or_default();
    let is_address = name.parse::<Ipv4Addr>().is_ok();
    is_address || !name.contains('.') || LOCAL_ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether the origin, where there is one, is that of the host which is asked.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST) else { return !headers.contains_key(ORIGIN) };
    headers.get_all(ORIGIN).all(|origin| {
        let origin = origin.as_bytes();
        let authority = origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://"));
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host.as_bytes()))
    })
}

/// Whether the request, where a browser says for whom it is (Fetch Metadata), is for this very origin or for its user.
fn is_own_fetch(headers: &HeaderMap) -> bool {
    headers.get_all(&SEC_FETCH_SITE).all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_others_can_own_are_not_local() {
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
