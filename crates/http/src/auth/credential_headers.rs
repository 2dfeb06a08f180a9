//! Extracts the credentials of a request, without checking whether they are right.

use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use base64::{Engine, engine::general_purpose::STANDARD};
use zeroize::Zeroizing;

use crate::service::ServiceName;

static API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The kinds of credentials that an operation accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AcceptedCredentials {
    pub(crate) api_key: bool,
    pub(crate) basic: bool,
    pub(crate) anonymous: bool,
}

impl AcceptedCredentials {
    /// Returns the challenges for a client without credentials.
    pub(super) fn challenges(self, realm: &ServiceName) -> Vec<HeaderValue> {
        let realm = realm.as_str();
        let api_key = self.api_key.then(|| format!("ApiKey realm=\"{realm}\", header=\"x-api-key\""));
        let basic = self.basic.then(|| format!("Basic realm=\"{realm}\", charset=\"UTF-8\""));
        api_key.into_iter().chain(basic).filter_map(|challenge| HeaderValue::from_str(&challenge).ok()).collect()
    }
}

/// A header that may carry a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CredentialHeader<'r> {
    /// Absent.
    Absent,
    /// Present once.
    Value(&'r [u8]),
    /// Present more than once, so that the intended value is unknown.
    Ambiguous,
}

impl<'r> CredentialHeader<'r> {
    /// The `x-api-key` header.
    pub(super) fn api_key(headers: &'r HeaderMap) -> Self {
        // Clients without a key send an empty header.
        Self::only(headers.get_all(&API_KEY).filter(|value| !value.is_empty()))
    }

    /// The `Authorization` header.
    pub(super) fn authorization(headers: &'r HeaderMap) -> Self {
        Self::only(headers.get_all(AUTHORIZATION))
    }

    fn only<V: AsRef<[u8]> + ?Sized + 'r>(mut values: impl Iterator<Item = &'r V>) -> Self {
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => Self::Value(value.as_ref()),
            (Some(_), Some(_)) => Self::Ambiguous,
        }
    }
}

/// Whether the request has an `Authorization` header of the Basic scheme, valid or not.
pub(crate) fn presents_basic(headers: &HeaderMap) -> bool {
    headers.get_all(AUTHORIZATION).any(|value| basic_token(value.as_bytes()).is_some())
}

/// Returns the token after the scheme name, or `None` for another scheme (RFC 7617; the name is case-insensitive).
pub(super) fn basic_token(authorization: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = authorization.split_at_checked(5)?;
    let is_basic = scheme.eq_ignore_ascii_case(b"basic") && token.first().is_none_or(|byte| *byte == b' ');
    is_basic.then(|| token.trim_ascii())
}

/// The username and password of a Basic login.
pub(super) struct BasicLogin {
    login: Zeroizing<String>,
    colon: usize,
}

impl BasicLogin {
    /// Decodes a token of the Basic scheme; `None` if it is not the base64 of `<username>:<password>` in UTF-8, or is
    /// longer than 1,024 bytes.
    pub(super) fn decode(token: &[u8]) -> Option<Self> {
        const MAX_LENGTH: usize = 1_024;
        let token = Some(token).filter(|token| token.len() <= MAX_LENGTH)?;
        let login = Zeroizing::new(String::from_utf8(STANDARD.decode(token).ok()?).ok()?);
        let colon = login.find(':')?;
        Some(Self { login, colon })
    }

    /// Returns username, colon and password.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.login.as_bytes()
    }

    /// Returns everything before the first colon.
    pub(super) fn username(&self) -> &str {
        self.login.get(..self.colon).unwrap_or_default()
    }

    /// Returns everything after the first colon.
    pub(super) fn password(&self) -> &str {
        self.login.get(self.colon + 1..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_basic_scheme_is_case_insensitive() {
        for (header, token) in [
            ("Basic YTpi", Some("YTpi")),
            ("bASIC   YTpi ", Some("YTpi")),
            ("Basic", Some("")),
            ("Basic ", Some("")),
            ("Basically YTpi", None),
            ("Bearer YTpi", None),
            ("", None),
        ] {
            assert_eq!(basic_token(header.as_bytes()), token.map(str::as_bytes), "{header:?}");
        }
    }

    #[test]
    fn the_first_colon_ends_the_username() {
        for (text, expected) in
            [("a:b", Some(("a", "b"))), ("a:b:c", Some(("a", "b:c"))), (":", Some(("", ""))), ("ab", None)]
        {
            let login = BasicLogin::decode(STANDARD.encode(text).as_bytes());
            assert_eq!(login.as_ref().map(|login| (login.username(), login.password())), expected);
        }
        let long = STANDARD.encode(format!("a:{}", "b".repeat(1_000)));
        for token in ["%%%", "/w==", "YTpi=", &long] {
            assert!(BasicLogin::decode(token.as_bytes()).is_none(), "{token}");
        }
    }
}
