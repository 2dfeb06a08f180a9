//! The names of clients and operators, and the usernames of Basic logins.

use std::sync::Arc;

use actix_web::{HttpMessage as _, HttpRequest};
use firmquote_domain::Client;

use super::InvalidCredential;

/// The operator's name for a client, 1 to 64 printable ASCII characters without blanks.
///
/// Quotes belong to a client by this name, whichever of its credentials it presents. The name appears in logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientName(Arc<str>);

impl ClientName {
    /// Validates the name.
    ///
    /// # Errors
    /// [`InvalidCredential::ClientName`] for any other text.
    pub fn new(text: &str) -> Result<Self, InvalidCredential> {
        if is_name(text) { Ok(Self(text.into())) } else { Err(InvalidCredential::ClientName) }
    }

    /// Returns the name as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a shared copy of the name.
    pub(crate) fn to_shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

/// The name of an operator, 1 to 64 printable ASCII characters without blanks. It appears in logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorName(Arc<str>);

impl OperatorName {
    /// Validates the name.
    ///
    /// # Errors
    /// [`InvalidCredential::OperatorName`] for any other text.
    pub fn new(text: &str) -> Result<Self, InvalidCredential> {
        if is_name(text) { Ok(Self(text.into())) } else { Err(InvalidCredential::OperatorName) }
    }

    /// Returns the name of the holder of the admin token.
    pub(super) fn admin() -> Self {
        Self("admin".into())
    }

    /// Returns the name as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The client of a request that a host has authenticated itself.
///
/// A middleware of the host inserts it into the extensions of a request to one of the
/// [`public_routes`](crate::public_routes) or to a route of its own, for
/// [`LiveService::authenticate`](crate::LiveService::authenticate). It takes the place of credentials, which are not checked then; the quota of the
/// client applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedClient(pub ClientName);

impl AuthenticatedClient {
    /// Returns the client that the host has authenticated, if it has.
    pub(crate) fn from_extensions(request: &HttpRequest) -> Option<Client> {
        request.extensions().get::<Self>().map(|Self(name)| Client::Named(name.to_shared()))
    }
}

/// The username of a client under the Basic scheme, 1 to 64 printable ASCII characters without blanks and colons.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Username(String);

impl Username {
    /// Validates the username.
    ///
    /// # Errors
    /// [`InvalidCredential::Username`] for any other text.
    pub fn new(text: &str) -> Result<Self, InvalidCredential> {
        let fits = is_name(text) && !text.contains(':');
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidCredential::Username) }
    }

    /// Returns the username as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_printable_words() {
        assert_eq!(ClientName::new("acme:eu").unwrap().as_str(), "acme:eu");
        assert_eq!(Username::new("old-partner").unwrap().as_str(), "old-partner");
        assert_eq!(Username::new("a:b"), Err(InvalidCredential::Username));
        for text in ["", "a b", "a\n", "ä", &"x".repeat(65)] {
            assert!(ClientName::new(text).is_err() && Username::new(text).is_err(), "{text:?}");
            assert_eq!(OperatorName::new(text), Err(InvalidCredential::OperatorName));
        }
    }
}
