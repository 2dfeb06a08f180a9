//! What an operator decides about the HTTP side, as typed values. Nothing here reads a file or the environment.

use std::time::Duration;

use firmquote_domain::{B256, Clock, UnixSeconds};

use crate::{
    cors::CorsOrigin,
    limits::{Limits, Network},
};

/// What an operator decides about the HTTP side, and may decide anew while the server runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name of the service: realm of its challenges and default `aux_data` of its swaps.
    pub service_name: ServiceName,
    /// Where clients reach the service; links in error answers start with it. When absent, they start with the
    /// `Host` the request itself named.
    pub public_url: Option<PublicUrl>,
    /// Whether quote and sign of version 1 answer requests without credentials.
    pub anonymous: bool,
    /// How often clients may ask.
    pub limits: Limits,
    /// How long a client may take for the body of a request.
    pub body_timeout: Duration,
    /// Proxies whose `X-Forwarded-For` is believed when it says which address a request comes from.
    pub trusted_proxies: Vec<Network>,
    /// Web pages whose scripts may use the public listeners.
    pub cors_origins: Vec<CorsOrigin>,
    /// How long the deprecated Basic scheme is taken, and what its clients are told.
    pub basic: BasicRetirement,
}

impl Default for Settings {
    /// `Firmquote`, links by the request's host, anonymous use allowed, the default limits, no proxies, no pages of other
    /// origins, no date for the end of Basic, 5 s for a body.
    fn default() -> Self {
        Self {
            service_name: ServiceName::default(),
            public_url: None,
            anonymous: true,
            limits: Limits::default(),
            body_timeout: Duration::from_secs(5),
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            basic: BasicRetirement::default(),
        }
    }
}

/// When Basic authentication was deprecated, and when it ends. From its end on it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicRetirement {
    /// Since when it is deprecated (RFC 9745, `Deprecation`).
    pub deprecated_at: UnixSeconds,
    /// When it ends (RFC 8594, `Sunset`), if that is decided.
    pub sunset_at: Option<UnixSeconds>,
    /// Whether it is refused already, whatever the dates say.
    pub is_switched_off: bool,
}

impl BasicRetirement {
    /// Whether Basic is refused as `clock` stands: from the very second of its end.
    pub(crate) fn is_over(&self, clock: &dyn Clock) -> bool {
        self.is_switched_off || self.sunset_at.is_some_and(|end| clock.now().seconds() >= end)
    }
}

impl Default for BasicRetirement {
    /// Deprecated since the first second of 2026, no end decided, not switched off.
    fn default() -> Self {
        Self { deprecated_at: UnixSeconds::new(1_767_225_600), sunset_at: None, is_switched_off: false }
    }
}

/// Limits of connections, fixed for the life of a server. Every listener has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionSettings {
    /// Worker threads of each public listener, 1 to 512; what is beyond is taken for the nearest of them.
    pub workers: usize,
    /// Connections each worker keeps open at once; further ones wait in the backlog.
    pub connections_per_worker: usize,
    /// Connections of all public listeners together; further ones are refused.
    pub max_connections: usize,
    /// Connections of one address, or of one IPv6 network of 64 bits, at all public listeners together; further ones are
    /// refused. Trusted proxies have no such limit.
    pub max_connections_per_address: usize,
    /// Connections the kernel keeps waiting.
    pub backlog: u32,
    /// How long an idle connection stays open, also one on which nothing was ever asked.
    pub keep_alive: Duration,
    /// How long a client may take for the head of a request, counted from its first byte, and for a TLS handshake. What
    /// a client sends of a body that nobody reads counts as well.
    pub head_timeout: Duration,
    /// How long a client may take to read the answers that are ready for it.
    pub write_timeout: Duration,
    /// How long requests under way may take after a stop was asked for, in whole seconds.
    pub shutdown_timeout_seconds: u64,
}

impl Default for ConnectionSettings {
    /// As many workers as the machine runs threads, 10,000 connections each and altogether, 256 of one
    /// address, a backlog of 1,024,
    /// 75 s of keep-alive, 5 s for a head, 10 s to read answers, 15 s to stop.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(2, std::num::NonZero::get).min(512),
            connections_per_worker: 10_000,
            max_connections: 10_000,
            max_connections_per_address: 256,
            backlog: 1_024,
            keep_alive: Duration::from_secs(75),
            head_timeout: Duration::from_secs(5),
            write_timeout: Duration::from_secs(10),
            shutdown_timeout_seconds: 15,
        }
    }
}

/// Name of the service, 1 to 32 printable ASCII characters, no quotation mark and no backslash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceName(String);

impl ServiceName {
    /// Checks the shape and keeps the text.
    ///
    /// # Errors
    /// [`InvalidSetting::ServiceName`] for any other text.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let is_plain = |byte: u8| (byte.is_ascii_graphic() || byte == b' ') && byte != b'"' && byte != b'\\';
        let fits = (1..=32).contains(&text.len()) && text.bytes().all(is_plain);
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidSetting::ServiceName) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in ASCII, padded with zeros on the right to 32 bytes: the default `aux_data`.
    pub fn to_aux_data(&self) -> B256 {
        B256::right_padding_from(self.0.as_bytes())
    }
}

impl Default for ServiceName {
    /// `Firmquote`.
    fn default() -> Self {
        Self("Firmquote".to_owned())
    }
}

/// Where clients reach the service: `http://` or `https://`, a host, perhaps a port and a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Checks the shape and keeps the text without slashes at its end.
    ///
    /// Only the characters are checked, not that the host exists.
    ///
    /// # Errors
    /// [`InvalidSetting::PublicUrl`] for another scheme, no host, a user, a query, a fragment, blanks, or more
    /// than 512 characters.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let rest = rest.ok_or(InvalidSetting::PublicUrl)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&byte);
        let fits = text.len() <= 512 && has_host(rest) && rest.bytes().all(is_plain);
        if fits { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(InvalidSetting::PublicUrl) }
    }

    /// The text, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether there is a host in front of port and path.
fn has_host(rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split(']').next(),
        None => authority.split(':').next(),
    };
    host.is_some_and(|host| !host.is_empty())
}

/// Which setting is not usable, and what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSetting {
    /// Not a [`ServiceName`].
    #[error("a service name is 1 to 32 printable ASCII characters without quotation marks and backslashes")]
    ServiceName,
    /// Not a [`PublicUrl`].
    #[error("a public URL is http:// or https://, a host, perhaps a port and a path, and nothing else")]
    PublicUrl,
    /// Not a [`Network`].
    #[error("a network is an address and a prefix such as 10.0.0.0/8, zero beyond its prefix")]
    Network,
    /// Not a [`CorsOrigin`].
    #[error("an origin is http:// or https://, a host in lower case and perhaps a port, as browsers send it")]
    CorsOrigin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_name_becomes_auxiliary_data_padded_on_the_right() {
        let aux_data = ServiceName::default().to_aux_data();
        assert_eq!(&aux_data[..9], b"Firmquote");
        assert!(aux_data[9..].iter().all(|byte| *byte == 0));
        assert!(ServiceName::new(&"N".repeat(32)).is_ok());
        for text in ["", "a\"b", "a\\b", "tab\t", "ünicode", &"N".repeat(33)] {
            assert_eq!(ServiceName::new(text), Err(InvalidSetting::ServiceName), "{text:?}");
        }
    }

    #[test]
    fn public_urls_are_kept_without_their_last_slash() {
        for (text, kept) in [
            ("https://rfq.example", "https://rfq.example"),
            ("https://rfq.example/", "https://rfq.example"),
            ("http://[::1]:8080/swap/", "http://[::1]:8080/swap"),
        ] {
            assert_eq!(PublicUrl::new(text).unwrap().as_str(), kept);
        }
        for text in [
            "",
            "rfq.example",
            "ftp://x",
            "https://",
            "https:///x",
            "https://:1",
            "https://:/x",
            "https://[]:1",
            "https://a b",
            "https://u@h",
            "https://h?q",
        ] {
            assert_eq!(PublicUrl::new(text), Err(InvalidSetting::PublicUrl), "{text}");
        }
    }
}
