//! A signer with its key at a signing service. Every signature is checked against the expected account before it is
//! used.

use std::{fmt, sync::OnceLock, time::Duration};

use alloy_primitives::{Address, B256, hex};
use async_trait::async_trait;
use firmquote_domain::{InvalidValue, Signature};
use firmquote_outbound::Endpoint;
use http_body_util::Full;
use hyper::{
    Method, Request, Uri,
    body::Bytes,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use tokio::time::timeout;

use super::{
    InvalidRemoteSignerConfig, RemoteSignerConfig,
    transport::{Transport, service_endpoint, unavailable},
};
use crate::{Signer, SignerError, TypedMessage, recover};

/// The maximum size of the list of public keys in bytes: several thousand keys.
const MAX_LIST_BYTES: usize = 1 << 20;
/// The maximum size of a signature response in bytes. A signature has 132.
const MAX_SIGNATURE_BYTES: usize = 1 << 10;

/// The URL leaves no room for a route.
const TOO_LONG: InvalidRemoteSignerConfig =
    InvalidRemoteSignerConfig::Url { allowed: "a shorter URL, so that routes can be appended" };

/// A signer whose key is held by Web3Signer, or a compatible service, in a KMS, a vault or an HSM.
///
/// Sends whole messages, since the service hashes them itself. Checks every signature against the configured account
/// before returning it. Signatures of the same message may differ, since a KMS uses random nonces.
pub struct RemoteSigner {
    endpoint: Endpoint,
    list: Uri,
    address: Address,
    timeout: Duration,
    transport: Transport,
    /// The signing route of the key, resolved on first use: the service identifies a key by its public key, which it
    /// lists.
    route: OnceLock<Uri>,
}

impl RemoteSigner {
    /// Creates a signer for `config`, without connecting yet.
    ///
    /// # Errors
    /// [`InvalidRemoteSignerConfig`] for a configuration that cannot work with any service.
    pub fn new(config: &RemoteSignerConfig) -> Result<Self, InvalidRemoteSignerConfig> {
        if config.timeout.is_zero() {
            return Err(InvalidRemoteSignerConfig::Timeout);
        }
        let endpoint = service_endpoint(&config.url)?;
        let transport = Transport::new(endpoint.is_tls(), config)?;
        let list = endpoint.join("/api/v1/eth1/publicKeys").map_err(|_| TOO_LONG)?;
        let RemoteSignerConfig { address, timeout, .. } = *config;
        Ok(Self { endpoint, list, address, timeout, transport, route: OnceLock::new() })
    }

    /// Lists the keys of the service, and finds the one of the account.
    async fn find_key(&self) -> Result<PublicKey, SignerError> {
        let request = request(Method::GET, &self.list, Bytes::new());
        let list = self.transport.send(request, MAX_LIST_BYTES).await?;
        find_key(&list.ok_or_else(|| unavailable("it lists no keys".to_owned()))?, self.address)
    }

    /// Returns the signing route of the key. Resolved once: the identifier of a key never changes.
    async fn route(&self) -> Result<&Uri, SignerError> {
        if let Some(route) = self.route.get() {
            return Ok(route);
        }
        let key = hex::encode_prefixed(self.find_key().await?);
        let route = self.endpoint.join(&format!("/api/v1/eth1/sign/{key}"));
        let route = route.map_err(|_| unavailable(TOO_LONG.to_string()))?;
        Ok(self.route.get_or_init(|| route))
    }

    async fn sign_without_timeout(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        let body = format!("{{\"data\":\"{}\"}}", hex::encode_prefixed(message.bytes()));
        let request = request(Method::POST, self.route().await?, body.into());
        let response = self.transport.send(request, MAX_SIGNATURE_BYTES).await?;
        signature(&response.ok_or(NO_SUCH_KEY)?, message.digest(), self.address)
    }

    /// Runs `work` within the configured timeout, and adds host and port of the service to its errors.
    async fn with_timeout<T>(&self, work: impl Future<Output = Result<T, SignerError>>) -> Result<T, SignerError> {
        let timed_out = |_| unavailable(format!("no response within {} ms", self.timeout.as_millis()));
        match timeout(self.timeout, work).await.map_err(timed_out).flatten() {
            Err(SignerError::Unavailable { source }) => Err(unavailable(format!("{}: {source}", self.endpoint))),
            result => result,
        }
    }
}

#[async_trait]
impl Signer for RemoteSigner {
    fn address(&self) -> Address {
        self.address
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        self.with_timeout(self.sign_without_timeout(message)).await
    }

    async fn check(&self) -> Result<(), SignerError> {
        self.with_timeout(self.find_key()).await.map(drop)
    }
}

impl fmt::Debug for RemoteSigner {
    /// Shows the account, and host and port of the service.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("RemoteSigner");
        debug
            .field("address", &self.address)
            .field("service", &format_args!("{}", self.endpoint))
            .finish_non_exhaustive()
    }
}

fn request(method: Method, uri: &Uri, body: Bytes) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = uri.clone();
    request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    request.headers_mut().insert(ACCEPT, HeaderValue::from_static("text/plain, application/json"));
    request
}

/// A public key: the two coordinates of its point.
pub(super) type PublicKey = [u8; 64];

/// Finds the key of `address` in a JSON array of public keys: hex strings of 64 bytes, or of 65 with the 04 prefix of
/// an uncompressed point. All other strings are ignored, as keys of other accounts.
///
/// # Errors
/// [`SignerError::InvalidKey`] when it is not in the list; [`SignerError::Unavailable`] when `list` is not an array of
/// strings.
pub(super) fn find_key(list: &[u8], address: Address) -> Result<PublicKey, SignerError> {
    let texts: Vec<String> = serde_json::from_slice(list)
        .map_err(|_| unavailable("its response is not a list of public keys".to_owned()))?;
    let mut keys = texts.iter().filter_map(|text| public_key(text));
    let key = keys.find(|key| Address::from_raw_public_key(key) == address);
    key.ok_or(NO_SUCH_KEY)
}

/// The service holds no key for the account.
pub(super) const NO_SUCH_KEY: SignerError =
    SignerError::InvalidKey(InvalidValue::OutOfRange { allowed: "an account whose key the signing service holds" });

fn public_key(text: &str) -> Option<PublicKey> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let coordinates = if digits.len() == 130 { digits.strip_prefix("04")? } else { digits };
    let mut key = [0; 64];
    hex::decode_to_slice(coordinates, &mut key).ok()?;
    Some(key)
}

/// Parses a response with the signature of `address` over `digest`: r, s and v as 65 bytes of hex, with v 27 or 28, or
/// 0 or 1.
///
/// # Errors
/// [`SignerError::InvalidSignature`] for anything else, including a high s.
pub(super) fn signature(text: &[u8], digest: B256, address: Address) -> Result<Signature, SignerError> {
    const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "65 bytes in hex" };
    const RECOVERY: InvalidValue = InvalidValue::OutOfRange { allowed: "v 27 or 28, or 0 or 1" };
    const OTHER: InvalidValue = InvalidValue::OutOfRange { allowed: "a signature of the configured account" };
    let mut bytes = [0; 65];
    hex::decode_to_slice(text.trim_ascii(), &mut bytes).map_err(|_| SignerError::InvalidSignature(SHAPE))?;
    let (&[r, s], &[v]) = bytes.as_chunks() else { return Err(SignerError::InvalidSignature(SHAPE)) };
    let is_y_odd = match v {
        0 | 27 => false,
        1 | 28 => true,
        _ => return Err(SignerError::InvalidSignature(RECOVERY)),
    };
    let signature = Signature::new(r.into(), s.into(), is_y_odd).map_err(SignerError::InvalidSignature)?;
    if recover(digest, &signature) == Some(address) { Ok(signature) } else { Err(SignerError::InvalidSignature(OTHER)) }
}
