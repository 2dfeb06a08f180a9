//! Validated settings: the name of the service and the URL where clients reach it.

use firmquote_domain::B256;
use url::Url;

/// The name of the service: 1 to 32 printable ASCII characters without quotation marks and backslashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceName(String);

impl ServiceName {
    /// Checks the syntax and stores the text.
    ///
    /// # Errors
    /// [`InvalidSetting::ServiceName`] for any other text.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let is_plain = |byte: u8| (byte.is_ascii_graphic() || byte == b' ') && byte != b'"' && byte != b'\\';
        let fits = (1..=32).contains(&text.len()) && text.bytes().all(is_plain);
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidSetting::ServiceName) }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name in ASCII, right-padded with zeros to 32 bytes: the default `aux_data`.
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

/// The URL where clients reach the service: `http://` or `https://`, a host, and optionally a port and a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Checks the syntax and stores the text without trailing slashes.
    ///
    /// Only the syntax is checked (the URL Standard), not that the host exists.
    ///
    /// # Errors
    /// [`InvalidSetting::PublicUrl`] for another scheme, no host, a user, a query, a fragment, blanks, or more than 512
    /// characters.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let rest = rest.ok_or(InvalidSetting::PublicUrl)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&byte);
        // The parser treats several slashes before a host as two.
        let fits = text.len() <= 512 && rest.bytes().all(is_plain) && !rest.starts_with('/');
        if fits && Url::parse(text).is_ok() {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(InvalidSetting::PublicUrl)
        }
    }

    /// Returns the text, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The invalid setting; its message describes the allowed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSetting {
    /// Not a [`ServiceName`].
    #[error("a service name is 1 to 32 printable ASCII characters without quotation marks and backslashes")]
    ServiceName,
    /// Not a [`PublicUrl`].
    #[error("a public URL is http:// or https://, a host, optionally a port and a path, and nothing else")]
    PublicUrl,
    /// Not a [`Network`](crate::Network).
    #[error("a network is an address and a prefix such as 10.0.0.0/8, zero beyond its prefix")]
    Network,
    /// Not a [`CorsOrigin`](crate::CorsOrigin).
    #[error("an origin is http:// or https://, a host in lower case and perhaps a port, as browsers send it")]
    CorsOrigin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_name_is_auxiliary_data_padded_on_the_right() {
        let aux_data = ServiceName::default().to_aux_data();
        assert_eq!(&aux_data[..9], b"Firmquote");
        assert!(aux_data[9..].iter().all(|byte| *byte == 0));
        assert!(ServiceName::new(&"N".repeat(32)).is_ok());
        for text in ["", "a\"b", "a\\b", "tab\t", "ünicode", &"N".repeat(33)] {
            assert_eq!(ServiceName::new(text), Err(InvalidSetting::ServiceName), "{text:?}");
        }
    }

    #[test]
    fn public_urls_lose_their_trailing_slash() {
        for (text, stored) in [
            ("https://rfq.example", "https://rfq.example"),
            ("https://rfq.example/", "https://rfq.example"),
            ("http://[::1]:8080/swap/", "http://[::1]:8080/swap"),
        ] {
            assert_eq!(PublicUrl::new(text).unwrap().as_str(), stored);
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
