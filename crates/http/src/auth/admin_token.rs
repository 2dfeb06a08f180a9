//! The token of the operator's own machines: made once, shown once, kept as a hash.

use actix_web::http::header::{HeaderMap, HeaderValue};

use super::{ApiKeyHash, InvalidCredential, NewApiKey, RandomnessUnavailable, credential_headers::CredentialHeader};
use crate::{error::ApiError, service::ServiceName};

/// The SHA-256 of the token that opens the operator's own routes. Has no `Debug`.
#[derive(Clone)]
pub struct AdminTokenHash(ApiKeyHash);

impl AdminTokenHash {
    /// Reads the 64 hex digits that an operator keeps.
    ///
    /// # Errors
    /// [`InvalidCredential::AdminTokenHash`] for any other text.
    pub fn from_hex(text: &str) -> Result<Self, InvalidCredential> {
        ApiKeyHash::from_hex(text).map(Self).map_err(|_| InvalidCredential::AdminTokenHash)
    }

    /// Whether `token` is the one, in a time that does not depend on where a wrong one differs.
    fn is_of(&self, token: &[u8]) -> bool {
        self.0.is_same(&ApiKeyHash::from_key(token))
    }
}

/// Lets a request pass that shows the token, as `Authorization: Bearer <token>` (RFC 6750).
///
/// # Errors
/// [`ApiError::NoAdminToken`] when none is configured, [`ApiError::NoCredentials`] with the challenge when the request
/// shows nothing, [`ApiError::BadCredentials`] for another token, another scheme, and two headers.
pub(crate) fn check_operator(
    headers: &HeaderMap,
    kept: Option<&AdminTokenHash>,
    realm: &ServiceName,
) -> Result<(), ApiError> {
    let kept = kept.ok_or(ApiError::NoAdminToken)?;
    match CredentialHeader::authorization(headers) {
        CredentialHeader::Nothing => Err(ApiError::NoCredentials(challenge(realm))),
        CredentialHeader::Value(header) if bearer_token(header).is_some_and(|token| kept.is_of(token)) => Ok(()),
        CredentialHeader::Value(_) | CredentialHeader::Ambiguous => Err(ApiError::BadCredentials),
    }
}

fn challenge(realm: &ServiceName) -> Vec<HeaderValue> {
    HeaderValue::from_str(&format!("Bearer realm=\"{}\"", realm.as_str())).into_iter().collect()
}

/// What follows the scheme's name, whose case does not matter.
fn bearer_token(authorization: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = authorization.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

/// A new token, to be shown once.
pub struct NewAdminToken(NewApiKey);

impl NewAdminToken {
    /// Makes a token of 32 random bytes.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system has no randomness to give.
    pub fn create() -> Result<Self, RandomnessUnavailable> {
        NewApiKey::create().map(Self)
    }

    /// The token, 64 hex digits, as it is sent.
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// Its SHA-256, 64 hex digits, as it is configured.
    pub fn sha256_hex(&self) -> String {
        self.0.sha256_hex()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_token_is_known_by_its_hash_in_any_case_of_the_scheme() {
        let token = NewAdminToken::create().unwrap();
        let kept = AdminTokenHash::from_hex(&token.sha256_hex()).unwrap();
        for (header, is_right) in [
            (format!("Bearer {}", token.reveal()), true),
            (format!("bEARER   {} ", token.reveal()), true),
            (format!("Bearer{}", token.reveal()), false),
            (format!("Basic {}", token.reveal()), false),
            (token.reveal().to_owned(), false),
            ("Bearer ".to_owned(), false),
            (format!("Bearer {}", NewAdminToken::create().unwrap().reveal()), false),
            (format!("Bearer {}", token.sha256_hex()), false),
        ] {
            let found = bearer_token(header.as_bytes()).is_some_and(|token| kept.is_of(token));
            assert_eq!(found, is_right, "{header}");
        }
        assert_eq!(AdminTokenHash::from_hex("a").err(), Some(InvalidCredential::AdminTokenHash));
    }
}
