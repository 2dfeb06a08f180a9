//! URLs of outbound calls. A path may contain an API key, so only host and port are ever displayed.

use std::fmt;

use hyper::{
    Uri,
    http::uri::{Authority, PathAndQuery, Scheme},
};

/// An absolute URL of a server: `http`, `https`, `ws` or `wss`, a host, and optionally a port, a path and a query.
///
/// It has no `Debug`, and its `Display` shows only host and port: providers put keys into paths and queries. The URL is
/// parsed once, by the parser of the HTTP client; there is no second parser that could extract a different host from
/// the same string.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    uri: Uri,
    has_fragment: bool,
}

/// The part of a URL that makes it invalid. The error does not repeat the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEndpoint {
    /// It is not a URL.
    #[error("is not a URL")]
    Malformed,
    /// It is not absolute, or has a scheme other than `http`, `https`, `ws` and `wss`.
    #[error("has to start with a scheme and a host")]
    Scheme,
    /// It has a user name or a password before the host.
    #[error("cannot have credentials before the host")]
    Credentials,
    /// The port is not 1 to 65535.
    #[error("has a port that is not 1 to 65535")]
    Port,
}

impl Endpoint {
    /// Parses a URL.
    ///
    /// # Errors
    /// [`InvalidEndpoint`] for the first invalid part.
    pub fn parse(text: &str) -> Result<Self, InvalidEndpoint> {
        let uri: Uri = text.parse().map_err(|_| InvalidEndpoint::Malformed)?;
        let (Some("http" | "https" | "ws" | "wss"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(InvalidEndpoint::Scheme);
        };
        if authority.as_str().contains('@') {
            return Err(InvalidEndpoint::Credentials);
        }
        if authority.host().is_empty() {
            return Err(InvalidEndpoint::Scheme);
        }
        if !has_valid_port(authority) {
            return Err(InvalidEndpoint::Port);
        }
        Ok(Self { has_fragment: text.contains('#'), uri })
    }

    /// The whole URL without its fragment, for the HTTP client. Must never be displayed or logged.
    pub const fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Appends `path_and_query` to the path of this URL, whose own query and trailing slashes are dropped.
    /// `path_and_query` must be empty or start with a slash, so that it cannot become part of the host.
    ///
    /// # Errors
    /// [`InvalidEndpoint::Malformed`] for any other `path_and_query`, and when the result is too long for a URL.
    pub fn join(&self, path_and_query: &str) -> Result<Uri, InvalidEndpoint> {
        if !path_and_query.is_empty() && !path_and_query.starts_with('/') {
            return Err(InvalidEndpoint::Malformed);
        }
        let scheme = self.uri.scheme_str().unwrap_or_default();
        let joined = format!("{scheme}://{self}{}{path_and_query}", self.path().trim_end_matches('/'));
        joined.parse().map_err(|_| InvalidEndpoint::Malformed)
    }

    /// The same URL with an HTTP scheme, for the handshake of a WebSocket (RFC 6455, section 4.1).
    pub fn handshake_uri(&self) -> Uri {
        let mut parts = self.uri.clone().into_parts();
        parts.scheme = Some(if self.is_tls() { Scheme::HTTPS } else { Scheme::HTTP });
        parts.path_and_query = parts.path_and_query.or(Some(PathAndQuery::from_static("/")));
        // Never fails: scheme, host and path are all set.
        Uri::from_parts(parts).unwrap_or_default()
    }

    /// The host, without the port.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// The path; `/` if the URL has none.
    pub fn path(&self) -> &str {
        self.uri.path()
    }

    /// Whether there is a query.
    pub fn has_query(&self) -> bool {
        self.uri.query().is_some()
    }

    /// Whether the parsed text had a fragment, which is not part of [`Self::uri`].
    pub const fn has_fragment(&self) -> bool {
        self.has_fragment
    }

    /// Whether the connection uses TLS: `https` and `wss`.
    pub fn is_tls(&self) -> bool {
        matches!(self.uri.scheme_str(), Some("https" | "wss"))
    }

    /// Whether it is the URL of a WebSocket: `ws` and `wss`.
    pub fn is_web_socket(&self) -> bool {
        matches!(self.uri.scheme_str(), Some("ws" | "wss"))
    }
}

/// Whether the port, if present, is 1 to 65535. The HTTP client treats an invalid port as absent, and would connect to
/// the default port.
fn has_valid_port(authority: &Authority) -> bool {
    let has_port = authority.as_str().len() > authority.host().len();
    !has_port || authority.port_u16().is_some_and(|port| port != 0)
}

impl fmt::Display for Endpoint {
    /// Host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.uri.authority().map(Authority::as_str).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_host_and_port_are_shown_and_paths_are_joined() {
        for (text, shown, joined) in [
            ("http://127.0.0.1:9000", "127.0.0.1:9000", "http://127.0.0.1:9000/a?b=1"),
            ("https://node.example:443/?key=secret#x", "node.example:443", "https://node.example:443/a?b=1"),
            ("https://keys.example/secret", "keys.example", "https://keys.example/secret/a?b=1"),
            ("wss://[::1]:1/secret//", "[::1]:1", "wss://[::1]:1/secret/a?b=1"),
        ] {
            let Ok(endpoint) = Endpoint::parse(text) else { panic!("{text}") };
            assert_eq!(endpoint.to_string(), shown);
            assert_eq!(endpoint.join("/a?b=1").unwrap(), joined);
            for other_host in ["@evil.example/a", ".evil.example", ":81/a", "a"] {
                assert_eq!(endpoint.join(other_host).err(), Some(InvalidEndpoint::Malformed), "{other_host}");
            }
            assert_eq!(endpoint.has_fragment(), text.contains('#'));
            assert_eq!(endpoint.is_tls(), text.starts_with("https") || text.starts_with("wss"));
        }
    }

    #[test]
    fn a_handshake_uses_the_same_address_over_http() {
        for (text, uri) in [
            ("ws://node.example", "http://node.example/"),
            ("wss://node.example:8546/v3/key?x=1", "https://node.example:8546/v3/key?x=1"),
        ] {
            let Ok(endpoint) = Endpoint::parse(text) else { panic!("{text}") };
            assert!(endpoint.is_web_socket());
            assert_eq!(endpoint.handshake_uri(), uri);
        }
    }

    #[test]
    fn invalid_urls_are_rejected_by_their_first_invalid_part() {
        for (text, error) in [
            ("", InvalidEndpoint::Malformed),
            ("http://", InvalidEndpoint::Malformed),
            ("http:///path", InvalidEndpoint::Malformed),
            ("http://ho st", InvalidEndpoint::Malformed),
            ("http://host/a b", InvalidEndpoint::Malformed),
            ("http://host\\@other", InvalidEndpoint::Malformed),
            ("host.example", InvalidEndpoint::Scheme),
            ("/path", InvalidEndpoint::Scheme),
            ("ftp://host", InvalidEndpoint::Scheme),
            ("http://me:secret@host", InvalidEndpoint::Credentials),
            ("http://me@host:0", InvalidEndpoint::Credentials),
            ("http://host:", InvalidEndpoint::Port),
            ("http://host:0", InvalidEndpoint::Port),
            ("http://[::1]:99999", InvalidEndpoint::Port),
        ] {
            assert_eq!(Endpoint::parse(text).err(), Some(error), "{text}");
        }
    }
}
