//! Where the links in error answers point.

use actix_web::{
    HttpRequest,
    http::header::{HOST, HeaderMap},
};

use crate::settings::PublicUrl;

/// How the listener is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// `http`.
    Http,
    /// `https`.
    Https,
}

impl Scheme {
    /// As addresses begin.
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// The address of the page about `kind`, as the client of `request` reaches it.
///
/// It starts with the public URL, else with the host that the request itself named; a host that is not plainly
/// one is left out, so that nothing else a client sends ever stands in a link.
pub(crate) fn error_page(public_url: Option<&PublicUrl>, request: &HttpRequest, kind: &str) -> String {
    let scheme = request.app_data().copied().unwrap_or(Scheme::Http).name();
    match (public_url, host(request.headers())) {
        (Some(url), _) => format!("{}/errors/{kind}", url.as_str()),
        (None, Some(host)) => format!("{scheme}://{host}/errors/{kind}"),
        (None, None) => format!("/errors/{kind}"),
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
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn links_start_with_the_public_url_or_with_a_plain_host() {
        let request = |host: &str| TestRequest::default().insert_header((HOST, host)).to_http_request();
        let url = PublicUrl::new("https://rfq.example/swap/").unwrap();
        let page = "https://rfq.example/swap/errors/missing";
        assert_eq!(error_page(Some(&url), &request("evil.example"), "missing"), page);
        for (host, link) in [
            ("localhost:8080", "http://localhost:8080/errors/missing"),
            ("[::1]:8080", "http://[::1]:8080/errors/missing"),
            ("a/../b", "/errors/missing"),
            ("user@host", "/errors/missing"),
            ("", "/errors/missing"),
        ] {
            assert_eq!(error_page(None, &request(host), "missing"), link);
        }
        let request = TestRequest::default().insert_header((HOST, "h")).app_data(Scheme::Https).to_http_request();
        assert_eq!(error_page(None, &request, "missing"), "https://h/errors/missing");
    }
}
