//! Credentials of a client. Secrets are wiped from memory, and have neither `Debug` nor `Display`.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hyper::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::InvalidSettings;

/// Minimum length of a secret that responses are searched for: shorter texts appear by chance.
const MIN_SECRET_CHARS: usize = 8;

/// An API key or a password; wiped from memory on drop. The header that a client sends holds a copy for the lifetime of
/// the client.
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes ownership of `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }
}

/// How the client authenticates. The credential determines the API version: version 2 for API keys, version 1 for
/// everything else.
pub enum Credential {
    /// No credential: quotes and signatures if the operator allows them, no pool data. Rate-limited by address.
    Anonymous,
    /// The `x-api-key` header: every operation.
    ApiKey(Secret),
    /// HTTP Basic (RFC 7617), deprecated by the service.
    Basic {
        /// The user name, without a colon.
        username: String,
        /// The password.
        password: Secret,
    },
}

/// A credential in its wire form, and the texts that no response may contain.
pub(crate) struct CredentialHeaders {
    pub(crate) header: Option<(HeaderName, HeaderValue)>,
    pub(crate) has_api_key: bool,
    secrets: Vec<Zeroizing<String>>,
}

impl CredentialHeaders {
    /// Creates the header for `credential`.
    ///
    /// # Errors
    /// [`InvalidSettings::Credential`] for text that is not valid in a header, or a user name with a colon.
    pub(crate) fn new(credential: Credential) -> Result<Self, InvalidSettings> {
        match credential {
            Credential::Anonymous => Ok(Self { header: None, has_api_key: false, secrets: Vec::new() }),
            Credential::ApiKey(Secret(key)) => {
                let name = HeaderName::from_static("x-api-key");
                Ok(Self { header: Some((name, sensitive(&key)?)), has_api_key: true, secrets: vec![key] })
            }
            Credential::Basic { username, password: Secret(password) } => {
                if username.contains(':') {
                    return Err(InvalidSettings::Credential);
                }
                let pair = Zeroizing::new(format!("{username}:{}", *password));
                let encoded = Zeroizing::new(BASE64_STANDARD.encode(pair.as_bytes()));
                let value = sensitive(&Zeroizing::new(format!("Basic {}", *encoded)))?;
                let secrets = vec![password, encoded];
                Ok(Self { header: Some((AUTHORIZATION, value)), has_api_key: false, secrets })
            }
        }
    }

    /// Whether `text` contains a secret, even with JSON escapes.
    pub(crate) fn appears_in(&self, text: &str) -> bool {
        let unescaped: Option<Value> = text.contains('\\').then(|| serde_json::from_str(text).ok()).flatten();
        let plain = unescaped.map(|json| json.to_string()).unwrap_or_default();
        let is_contained = |secret: &str| {
            let escaped = Zeroizing::new(Value::from(secret).to_string());
            text.contains(secret) || plain.contains(escaped.trim_matches('"'))
        };
        self.secrets.iter().any(|secret| secret.len() >= MIN_SECRET_CHARS && is_contained(secret))
    }
}

/// Creates a header value that `Debug` omits.
fn sensitive(text: &str) -> Result<HeaderValue, InvalidSettings> {
    let mut value = HeaderValue::from_str(text).map_err(|_| InvalidSettings::Credential)?;
    value.set_sensitive(true);
    Ok(value)
}
