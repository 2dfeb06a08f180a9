//! Checks of the fuzz target `headers` on credentials, as presented by clients and as configured by an operator.

use std::{
    cell::RefCell,
    collections::HashMap,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use actix_web::http::header::HeaderMap;
use alloy_primitives::hex;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use firmquote_domain::{Client, UnixSeconds};

use super::{
    AcceptedCredentials, AdminTokenHash, ApiKeyHash, Authenticator, ClientName, Credential, CredentialCache,
    Credentials, InvalidCredential, PasswordHash, Username,
    authenticator::LoginAttempt,
    credential_headers::{BasicLogin, CredentialHeader, basic_token},
    operators::{Operator, Role, check_operator},
};
use crate::{
    Limits,
    error::ApiError,
    limits::{FailedLoginPermit, Limiters, RequestSource},
    service::ServiceName,
};

/// The only valid secret, both as API key and as admin token.
const RIGHT: &[u8] = b"correct-horse";

/// Uses `value` as a header value and as a configured credential.
pub(crate) fn value(value: &[u8]) {
    if let Some(token) = basic_token(value)
        && let Some(login) = BasicLogin::decode(token)
    {
        assert_eq!(STANDARD.encode(login.as_bytes()).as_bytes(), token);
        assert!(!login.username().contains(':'), "{}", login.username());
        assert_eq!(format!("{}:{}", login.username(), login.password()).as_bytes(), login.as_bytes());
    }
    let Ok(text) = str::from_utf8(value) else { return };
    configure(text);
}

fn configure(text: &str) {
    match PasswordHash::from_phc(text) {
        Ok(hash) => {
            assert!((7_168..=262_144).contains(&hash.memory_blocks()), "{text}");
            assert!(text.starts_with("$argon2id$v=19$"), "{text}");
            // argon2 accepts everything but the memory, because none is provided.
            let error = hash.verify("password", &mut []).map_err(|error| error.to_string());
            let expected = format!("a password could not be checked: {}", argon2::Error::MemoryTooLittle);
            assert_eq!(error, Err(expected), "{text}");
        }
        // Neither variant can carry the input.
        Err(error) => {
            assert!(matches!(error, InvalidCredential::PasswordHash | InvalidCredential::PasswordCost), "{error}");
        }
    }
    if let Ok(hash) = ApiKeyHash::from_hex(text) {
        assert_eq!(hex::encode(hash.bytes()), text.to_ascii_lowercase());
        assert!(AdminTokenHash::from_hex(text).is_ok());
    }
    if let Ok(name) = Username::new(text) {
        assert_eq!(name.as_str(), text);
        assert!(ClientName::new(text).is_ok_and(|name| name.as_str() == text));
    }
}

/// Authenticates a request with these `headers` at a service that knows one API key and one admin token, both with the
/// same secret.
pub(crate) fn headers(headers: &HeaderMap) {
    let Some((authenticator, cache, token)) = service() else { return };
    let (api_key, authorization) = (CredentialHeader::api_key(headers), CredentialHeader::authorization(headers));
    let (accepted, realm) =
        (AcceptedCredentials { api_key: true, basic: false, anonymous: true }, ServiceName::default());
    let (limiters, status) = (Limiters::new(Limits::default(), &HashMap::new(), Vec::new(), None), RefCell::default());
    let permit = FailedLoginPermit::new(&limiters, RequestSource { peer: None, headers, rate_limit: &status });
    let attempt = LoginAttempt {
        is_revoked: &|_| false,
        headers,
        accepted,
        is_basic_retired: false,
        realm: &realm,
        permit: &permit,
        now: UnixSeconds::new(1),
    };
    let client = pin!(authenticator.client(&cache, attempt)).poll(&mut Context::from_waker(Waker::noop()));
    match client {
        Poll::Ready(Ok(Client::Named(_))) => assert_eq!(api_key, CredentialHeader::Value(RIGHT)),
        Poll::Ready(Ok(Client::Anonymous)) => {
            assert_eq!((api_key, authorization), (CredentialHeader::Absent, CredentialHeader::Absent));
        }
        Poll::Ready(Err(error)) => assert!(matches!(error, ApiError::BadCredentials), "{error}"),
        // Only password checks are asynchronous, and Basic is not accepted.
        Poll::Pending => assert!(client.is_ready()),
    }
    if check_operator(headers, &[Operator::admin(token)], Role::Pauser, &realm).is_ok() {
        let CredentialHeader::Value(value_text) = authorization else {
            return assert_eq!(authorization, CredentialHeader::Value(RIGHT));
        };
        let (scheme, token) = value_text.split_at(value_text.len().min(7));
        assert_eq!((&*scheme.to_ascii_lowercase(), token.trim_ascii()), (&b"bearer "[..], RIGHT));
    }
}

fn service() -> Option<(Authenticator, Arc<CredentialCache>, AdminTokenHash)> {
    let hash = ApiKeyHash::from_key(RIGHT);
    let token = AdminTokenHash::from_hex(&hex::encode(hash.bytes())).ok()?;
    let client = ClientName::new("acme").ok()?;
    let credentials = Credentials::new([Credential::ApiKey { client, hash }]).ok()?;
    Some((Authenticator::new().ok()?, Arc::new(CredentialCache::new(credentials, None)), token))
}
