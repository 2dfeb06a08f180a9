//! The URL of a Redis server. It may contain credentials, so it is never shown in full.

use std::fmt;

use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _};

/// The accepted forms of an address.
pub const ALLOWED_ADDRESSES: &str = "redis://[username:password@]host[:port][/database], the same with rediss:// for \
                                     TLS, or redis+unix:///path[?db=database&user=username&pass=password]";

/// The location of a server, with its protocol, database and credentials.
#[derive(Clone)]
pub struct RedisAddress(ConnectionInfo);

/// A string that is not the address of a Redis server. The error does not repeat the string, which may contain a
/// password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a Redis address, allowed: {ALLOWED_ADDRESSES}")]
pub struct InvalidAddress;

impl RedisAddress {
    /// Parses one of [`ALLOWED_ADDRESSES`]; the port defaults to 6379 and the database to 0.
    ///
    /// # Errors
    /// [`InvalidAddress`] for anything else, including the form of `rediss://` that does not verify certificates.
    pub fn parse(url: &str) -> Result<Self, InvalidAddress> {
        let info = url.into_connection_info().map_err(|_| InvalidAddress)?;
        let is_blind = matches!(info.addr(), ConnectionAddr::TcpTls { insecure: true, .. });
        if is_blind || info.redis_settings().db() < 0 {
            return Err(InvalidAddress);
        }
        let settings = info.tcp_settings().clone().set_nodelay(true);
        Ok(Self(info.set_tcp_settings(settings)))
    }

    /// Whether the connection uses TLS.
    pub fn is_tls(&self) -> bool {
        matches!(self.addr(), ConnectionAddr::TcpTls { .. })
    }

    /// Whether the address is a Unix domain socket.
    pub fn is_unix_socket(&self) -> bool {
        matches!(self.addr(), ConnectionAddr::Unix(_))
    }

    /// The number of the database.
    pub fn database(&self) -> i64 {
        self.0.redis_settings().db()
    }

    /// Whether `other` has the same credentials.
    pub fn has_credentials_of(&self, other: &Self) -> bool {
        let of = |address: &Self| {
            let settings = address.0.redis_settings();
            (settings.username().map(str::to_owned), settings.password().map(str::to_owned))
        };
        of(self) == of(other)
    }

    fn addr(&self) -> &ConnectionAddr {
        self.0.addr()
    }

    pub(super) const fn info(&self) -> &ConnectionInfo {
        &self.0
    }
}

impl fmt::Display for RedisAddress {
    /// Host and port, or the path of the socket; never a credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.addr().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_addresses_are_parsed_and_shown_without_credentials() {
        for (url, shown, is_tls, database) in [
            ("redis://127.0.0.1", "127.0.0.1:6379", false, 0),
            ("redis://user:p%40ss@redis.internal:7000/3", "redis.internal:7000", false, 3),
            ("rediss://:secret@redis.internal", "redis.internal:6379", true, 0),
            ("redis+unix:///run/redis.sock?db=2&pass=secret", "/run/redis.sock", false, 2),
        ] {
            let address = RedisAddress::parse(url).unwrap();
            assert_eq!(
                (address.to_string().as_str(), address.is_tls(), address.database()),
                (shown, is_tls, database),
                "{url}"
            );
        }
        let unescaped = RedisAddress::parse("redis://user:p%40ss@h").unwrap();
        assert_eq!(unescaped.info().redis_settings().password(), Some("p@ss"));
    }

    #[test]
    fn other_addresses_are_rejected_and_not_echoed() {
        for url in [
            "",
            "redis",
            "127.0.0.1:6379",
            "http://127.0.0.1",
            "redis://",
            "redis://h/x",
            "redis://h/-1",
            "redis://0.0.0.0",
            "redis://h:99999",
            "rediss://user:secret@h/#insecure",
        ] {
            let error = RedisAddress::parse(url).err();
            assert_eq!(error, Some(InvalidAddress), "{url}");
            assert!(!InvalidAddress.to_string().contains("secret"));
        }
    }
}
