//! Who is asking. What is secret in it is wiped from memory, and has neither `Debug` nor `Display`.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hyper::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::InvalidSettings;

/// Shorter texts are found in any answer by chance.
const MIN_SECRET_CHARS: usize = 8;

/// An API key or a password; wiped from memory when it is dropped. The header that a client sends holds a copy for as long
/// as the client lives.
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Keeps `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }
}

/// How the client shows who it is. The credential decides the version of the interface that is asked: API keys are for
/// version 2, everything else for version 1.
pub enum Credential {
    /// Nobody in particular: quotes and signatures where the operator allows that, no pool data. Limited by address.
    Anonymous,
    /// The `x-api-key` header: every operation.
    ApiKey(Secret),
    /// Basic (RFC 7617), which the service calls deprecated.
    Basic {
        /// The name before the colon.
        username: String,
        /// The password behind it.
        password: Secret,
    },
}

/// A credential as it goes over the wire, and the texts that no answer may repeat.
pub(crate) struct CredentialHeaders {
    pub(crate) header: Option<(HeaderName, HeaderValue)>,
    pub(crate) has_api_key: bool,
    secrets: Vec<Zeroizing<String>>,
}

impl CredentialHeaders {
    /// The header for `credential`.
    ///
    /// # Errors
    /// [`InvalidSettings::Credential`] for what is no text of a header, or a user name with a colon.
    pub(crate) fn new(credential: Credential) -> Result<Self, InvalidSettings> {
        match credential {
            Credential::Anonymous => Ok(Self { header: None, has_api_key: false, secrets: Vec::new() }),
            Credential::ApiKey(Secret(key)) => {
                let name = HeaderName::from_static("x-api-key");
                Ok(Self { header: Some((name, hidden(&key)?)), has_api_key: true, secrets: vec![key] })
            }
            Credential::Basic { username, password: Secret(password) } => {
                if username.contains(':') {
                    return Err(InvalidSettings::Credential);
                }
                let pair = Zeroizing::new(format!("{username}:{}", *password));
                let encoded = Zeroizing::new(BASE64_STANDARD.encode(pair.as_bytes()));
                let value = hidden(&Zeroizing::new(format!("Basic {}", *encoded)))?;
                let secrets = vec![password, encoded];
                Ok(Self { header: Some((AUTHORIZATION, value)), has_api_key: false, secrets })
            }
        }
    }

    /// Whether `text` repeats a secret, also where it is JSON and writes it with escapes.
    pub(crate) fn appears_in(&self, text: &str) -> bool {
        let unescaped: Option<Value> = text.contains('\\').then(|| serde_json::from_str(text).ok()).flatten();
        let plain = unescaped.map(|json| json.to_string()).unwrap_or_default();
        let is_told = |secret: &str| {
            let escaped = Zeroizing::new(Value::from(secret).to_string());
            text.contains(secret) || plain.contains(escaped.trim_matches('"'))
        };
        self.secrets.iter().any(|secret| secret.len() >= MIN_SECRET_CHARS && is_told(secret))
    }
}

/// The value of a header that `Debug` does not show.
fn hidden(text: &str) -> Result<HeaderValue, InvalidSettings> {
    let mut value = HeaderValue::from_str(text).map_err(|_| InvalidSettings::Credential)?;
    value.set_sensitive(true);
    Ok(value)
}
