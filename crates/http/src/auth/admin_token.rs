//! The admin token that the operator's own machines send: generated once, displayed once, stored only as a hash.

use actix_web::http::header::{HeaderMap, HeaderValue};

use super::{ApiKeyHash, InvalidCredential, NewApiKey, RandomnessUnavailable, credential_headers::CredentialHeader};
use crate::{error::ApiError, service::ServiceName};

/// The SHA-256 of the token that authorizes the operator routes. Does not implement `Debug`.
#[derive(Clone)]
pub struct AdminTokenHash(ApiKeyHash);

impl AdminTokenHash {
    /// Parses the 64 hex digits from the configuration.
    ///
    /// # Errors
    /// [`InvalidCredential::AdminTokenHash`] for any other text.
    pub fn from_hex(text: &str) -> Result<Self, InvalidCredential> {
        ApiKeyHash::from_hex(text).map(Self).map_err(|_| InvalidCredential::AdminTokenHash)
    }

    /// Whether `token` has this hash. The comparison takes constant time.
    fn matches(&self, token: &[u8]) -> bool {
        self.0.constant_time_eq(&ApiKeyHash::from_key(token))
    }
}

/// Checks that a request carries the admin token as `Authorization: Bearer <token>` (RFC 6750).
///
/// # Errors
/// [`ApiError::NoAdminToken`] when no token is configured, [`ApiError::NoCredentials`] with the challenge when the
/// request has no `Authorization` header, [`ApiError::BadCredentials`] for a wrong token, another scheme, or more than
/// one header.
pub(crate) fn check_operator(
    headers: &HeaderMap,
    expected: Option<&AdminTokenHash>,
    realm: &ServiceName,
) -> Result<(), ApiError> {
    let expected = expected.ok_or(ApiError::NoAdminToken)?;
    match CredentialHeader::authorization(headers) {
        CredentialHeader::Absent => Err(ApiError::NoCredentials(challenge(realm))),
        CredentialHeader::Value(header) if bearer_token(header).is_some_and(|token| expected.matches(token)) => Ok(()),
        CredentialHeader::Value(_) | CredentialHeader::Ambiguous => Err(ApiError::BadCredentials),
    }
}

fn challenge(realm: &ServiceName) -> Vec<HeaderValue> {
    HeaderValue::from_str(&format!("Bearer realm=\"{}\"", realm.as_str())).into_iter().collect()
}

/// The token after the scheme name, which is case-insensitive.
fn bearer_token(authorization: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = authorization.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

/// A newly generated token, to be displayed once.
pub struct NewAdminToken(NewApiKey);

impl NewAdminToken {
    /// Generates a token of 32 random bytes.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system provides no randomness.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        NewApiKey::generate().map(Self)
    }

    /// Returns the token as it is sent: 64 hex digits.
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// Returns the SHA-256 of the token as it is configured: 64 hex digits.
    pub fn sha256_hex(&self) -> String {
        self.0.sha256_hex()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_token_matches_its_hash_and_the_scheme_is_case_insensitive() {
        let token = NewAdminToken::generate().unwrap();
        let expected = AdminTokenHash::from_hex(&token.sha256_hex()).unwrap();
        for (header, is_right) in [
            (format!("Bearer {}", token.reveal()), true),
            (format!("bEARER   {} ", token.reveal()), true),
            (format!("Bearer{}", token.reveal()), false),
            (format!("Basic {}", token.reveal()), false),
            (token.reveal().to_owned(), false),
            ("Bearer ".to_owned(), false),
            (format!("Bearer {}", NewAdminToken::generate().unwrap().reveal()), false),
            (format!("Bearer {}", token.sha256_hex()), false),
        ] {
            let found = bearer_token(header.as_bytes()).is_some_and(|token| expected.matches(token));
            assert_eq!(found, is_right, "{header}");
        }
        assert_eq!(AdminTokenHash::from_hex("a").err(), Some(InvalidCredential::AdminTokenHash));
    }
}
