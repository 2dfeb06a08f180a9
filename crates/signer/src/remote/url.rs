//! Where a signing service is. Its path may be a secret, so nothing but host and port is ever shown.

use std::fmt;

use hyper::{Uri, http::uri::Authority};

use super::InvalidRemoteAccess;

/// The longest address.
const LONGEST: usize = 2_048;

/// The address that all routes are below, without a slash at its end.
#[derive(Clone)]
pub(super) struct RemoteUrl {
    base: String,
    /// Host and port.
    shown: String,
    is_tls: bool,
}

impl RemoteUrl {
    /// # Errors
    /// [`InvalidRemoteAccess::Url`] for anything but `http` or `https`, a host and maybe a path.
    pub(super) fn parse(text: &str) -> Result<Self, InvalidRemoteAccess> {
        const ALLOWED: InvalidRemoteAccess = InvalidRemoteAccess::Url {
            allowed: "https:// or http://, a host, maybe a port of 1 to 65535, and maybe a path; no credentials before the host, no query",
        };
        let uri: Uri = text.parse().map_err(|_| ALLOWED)?;
        let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(ALLOWED);
        };
        let is_reachable = !authority.host().is_empty() && is_port_right(authority);
        let is_plain = is_reachable && !authority.as_str().contains('@') && uri.query().is_none();
        if !is_plain || text.contains('#') || text.len() > LONGEST {
            return Err(ALLOWED);
        }
        let base = text.trim_end_matches('/').to_owned();
        Ok(Self { base, shown: authority.to_string(), is_tls: scheme == "https" })
    }

    /// The address of a route, whose characters are all allowed in one.
    pub(super) fn join(&self, route: &str) -> Result<Uri, InvalidRemoteAccess> {
        let joined = format!("{}/{route}", self.base).parse();
        joined.map_err(|_| InvalidRemoteAccess::Url { allowed: "one that routes can be added to" })
    }

    pub(super) const fn is_tls(&self) -> bool {
        self.is_tls
    }
}

/// Whether what stands behind the host, if anything does, is a port that there is: 1 to 65535. Without a look at it a port
/// that is mistyped is none, and somebody else is asked, at the default one.
fn is_port_right(authority: &Authority) -> bool {
    let has_port = authority.as_str().len() > authority.host().len();
    !has_port || authority.port_u16().is_some_and(|port| port != 0)
}

impl fmt::Display for RemoteUrl {
    /// Host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_added_and_only_host_and_port_are_shown() {
        for (text, shown, joined) in [
            ("http://127.0.0.1:9000", "127.0.0.1:9000", "http://127.0.0.1:9000/a/b"),
            ("http://127.0.0.1:9000/", "127.0.0.1:9000", "http://127.0.0.1:9000/a/b"),
            ("https://keys.example/secret", "keys.example", "https://keys.example/secret/a/b"),
            ("https://[::1]:1/secret//", "[::1]:1", "https://[::1]:1/secret/a/b"),
        ] {
            let Ok(url) = RemoteUrl::parse(text) else { panic!("{text}") };
            assert_eq!((url.to_string().as_str(), url.is_tls()), (shown, text.starts_with("https")));
            assert_eq!(url.join("a/b").unwrap().to_string(), joined);
        }
    }

    #[test]
    fn other_addresses_are_refused_without_being_told() {
        for text in [
            "",
            "secret",
            "/secret",
            "ftp://host/secret",
            "http://",
            "http:///secret",
            "http://host:99999/secret",
            "http://host:/secret",
            "http://host:0/secret",
            "http://me:secret@host",
            "http://host/?key=secret",
            "http://host/#secret",
            "http://ho st/secret",
            &format!("http://host/secret/{}", "a".repeat(2_048)),
        ] {
            let Err(error) = RemoteUrl::parse(text) else { panic!("{text} is taken") };
            assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
        }
    }
}
