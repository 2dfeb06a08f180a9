//! Addresses to ask: a base that is checked once, and what is put behind it.

use hyper::{Uri, http::uri::Authority};

use crate::InvalidSettings;

/// Where a server is.
#[derive(Clone, Debug)]
pub(crate) struct BaseAddress {
    /// Without a slash at its end.
    text: String,
    is_tls: bool,
}

impl BaseAddress {
    /// Reads a base address.
    ///
    /// # Errors
    /// [`InvalidSettings::BaseUrl`].
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidSettings> {
        const INVALID: InvalidSettings = InvalidSettings::BaseUrl;
        let uri: Uri = text.parse().map_err(|_| INVALID)?;
        let is_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(INVALID),
        };
        let is_reachable = |authority: &Authority| !authority.host().is_empty() && is_port_right(authority);
        let is_plain = !text.contains(['@', '?', '#']) && uri.authority().is_some_and(is_reachable);
        if !is_plain {
            return Err(INVALID);
        }
        Ok(Self { text: text.trim_end_matches('/').to_owned(), is_tls })
    }

    /// Whether it is asked by TLS.
    pub(crate) const fn is_tls(&self) -> bool {
        self.is_tls
    }

    /// The address of a path with its query.
    ///
    /// # Errors
    /// When that is too long for an address.
    pub(crate) fn join(&self, path_and_query: &str) -> Result<Uri, hyper::http::Error> {
        Ok(Uri::try_from(format!("{}{path_and_query}", self.text))?)
    }
}

/// Whether what stands behind the host, if anything does, is a port that there is: 1 to 65535. Without a look at it a port
/// that is mistyped is none, and somebody else is asked, at the default one.
fn is_port_right(authority: &Authority) -> bool {
    let has_port = authority.as_str().len() > authority.host().len();
    !has_port || authority.port_u16().is_some_and(|port| port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_may_have_a_path_and_a_slash_at_its_end() {
        for (base, joined) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/rfq/pool?chain_id=1"),
            ("https://quotes.example/", "https://quotes.example/rfq/pool?chain_id=1"),
            ("https://quotes.example/api/", "https://quotes.example/api/rfq/pool?chain_id=1"),
            ("http://[::1]:80", "http://[::1]:80/rfq/pool?chain_id=1"),
        ] {
            let base = BaseAddress::parse(base).unwrap();
            assert_eq!(base.join("/rfq/pool?chain_id=1").unwrap(), joined);
        }
    }

    #[test]
    fn what_is_no_base_is_refused() {
        for base in [
            "",
            "quotes.example",
            "ftp://quotes.example",
            "https://",
            "http://h:99999",
            "http://h:184800/api",
            "https://h:",
            "https://h:0",
            "http://[::1]:99999",
            "https://user:password@quotes.example",
            "https://quotes.example?key=1",
            "https://quotes.example/#top",
            "/rfq",
        ] {
            assert_eq!(BaseAddress::parse(base).err(), Some(InvalidSettings::BaseUrl), "{base}");
        }
    }
}
