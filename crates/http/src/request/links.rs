//! URLs of the error pages that error responses link to.

use actix_web::http::header::{HOST, HeaderMap};

use crate::service::PublicUrl;

/// The URL scheme under which a listener is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `http`.
    Http,
    /// `https`.
    Https,
}

impl Scheme {
    /// Returns the scheme as written in URLs.
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// Returns the URL of the page about `kind`, for a client that uses `scheme` and sent these headers.
///
/// It starts with the public URL, else with the host that the request names and the path that the routes are mounted
/// below. A host with other than plain host characters is omitted, so that no other client input ever appears in a
/// link.
pub(crate) fn error_page(
    public_url: Option<&PublicUrl>,
    scheme: Scheme,
    headers: &HeaderMap,
    mount_path: &str,
    kind: &str,
) -> String {
    match (public_url, host(headers)) {
        (Some(url), _) => format!("{}/errors/{kind}", url.as_str()),
        (None, Some(host)) => format!("{}://{host}{mount_path}/errors/{kind}", scheme.name()),
        (None, None) => format!("{mount_path}/errors/{kind}"),
    }
}

fn host(headers: &HeaderMap) -> Option<&str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    let mut hosts = headers.get_all(HOST);
    let host = hosts.next()?.to_str().ok()?;
    let fits = hosts.next().is_none() && (1..=255).contains(&host.len()) && host.bytes().all(is_plain);
    fits.then_some(host)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn links_start_with_the_public_url_or_a_plain_host() {
        let of = |host: &str| HeaderMap::from_iter([(HOST, HeaderValue::from_str(host).unwrap())]);
        let url = PublicUrl::new("https://rfq.example/swap/").unwrap();
        let page = "https://rfq.example/swap/errors/missing";
        assert_eq!(error_page(Some(&url), Scheme::Http, &of("evil.example"), "", "missing"), page);
        for (host, link) in [
            ("localhost:8080", "http://localhost:8080/errors/missing"),
            ("[::1]:8080", "http://[::1]:8080/errors/missing"),
            ("a/../b", "/errors/missing"),
            ("user@host", "/errors/missing"),
            ("", "/errors/missing"),
        ] {
            assert_eq!(error_page(None, Scheme::Http, &of(host), "", "missing"), link);
        }
        assert_eq!(error_page(None, Scheme::Https, &of("h"), "/swap", "missing"), "https://h/swap/errors/missing");
    }
}
