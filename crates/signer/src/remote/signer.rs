//! The signer behind which a signing service holds the key.

use std::{fmt, sync::OnceLock, time::Duration};

use alloy_primitives::{Address, hex};
use async_trait::async_trait;
use firmquote_domain::Signature;
use firmquote_outbound::Endpoint;
use http_body_util::Full;
use hyper::{
    Method, Request, Uri,
    body::Bytes,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use tokio::time::timeout;

use super::{
    InvalidRemoteAccess, RemoteAccess,
    answer::{NO_SUCH_KEY, PublicKey, find_key, signature},
    transport::{Transport, service_endpoint, unavailable},
};
use crate::{Signer, SignerError, TypedMessage};

/// The longest list of public keys that is read, in bytes: some thousands of keys.
const MAX_LIST_BYTES: usize = 1 << 20;
/// The longest answer that is read for a signature, in bytes. One has 132.
const MAX_SIGNATURE_BYTES: usize = 1 << 10;

/// No route can be added to the address.
const TOO_LONG: InvalidRemoteAccess = InvalidRemoteAccess::Url { allowed: "one that routes can be added to" };

/// Signs with a key that Web3Signer, or a service that speaks as it does, holds in a KMS, a vault or an HSM.
///
/// Messages are sent whole, since the service hashes what it signs. Its signatures are held against the configured
/// account before anybody gets them; they need not be the same each time, for a KMS draws its nonces.
pub struct RemoteSigner {
    endpoint: Endpoint,
    list: Uri,
    address: Address,
    timeout: Duration,
    transport: Transport,
    /// Where signatures are asked for. The service calls keys by their public key, which it says itself.
    route: OnceLock<Uri>,
}

impl RemoteSigner {
    /// A signer at `access`; connects to nothing yet.
    ///
    /// # Errors
    /// [`InvalidRemoteAccess`] for what no service can be asked with.
    pub fn new(access: &RemoteAccess) -> Result<Self, InvalidRemoteAccess> {
        if access.timeout.is_zero() {
            return Err(InvalidRemoteAccess::Timeout);
        }
        let endpoint = service_endpoint(&access.url)?;
        let transport = Transport::new(endpoint.is_tls(), access)?;
        let list = endpoint.join("/api/v1/eth1/publicKeys").map_err(|_| TOO_LONG)?;
        let RemoteAccess { address, timeout, .. } = *access;
        Ok(Self { endpoint, list, address, timeout, transport, route: OnceLock::new() })
    }

    /// Has the service list its keys, and finds the account's.
    async fn find_key(&self) -> Result<PublicKey, SignerError> {
        let request = request(Method::GET, &self.list, Bytes::new());
        let list = self.transport.ask(request, MAX_LIST_BYTES).await?;
        find_key(&list.ok_or_else(|| unavailable("it lists no keys".to_owned()))?, self.address)
    }

    /// Where signatures are asked for. Found out once; a key's name is its own and never another's.
    async fn route(&self) -> Result<&Uri, SignerError> {
        if let Some(route) = self.route.get() {
            return Ok(route);
        }
        let key = hex::encode_prefixed(self.find_key().await?);
        let route = self.endpoint.join(&format!("/api/v1/eth1/sign/{key}"));
        let route = route.map_err(|_| unavailable(TOO_LONG.to_string()))?;
        Ok(self.route.get_or_init(|| route))
    }

    async fn sign_in_any_time(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        let body = format!("{{\"data\":\"{}\"}}", hex::encode_prefixed(message.bytes()));
        let request = request(Method::POST, self.route().await?, body.into());
        let answer = self.transport.ask(request, MAX_SIGNATURE_BYTES).await?;
        signature(&answer.ok_or(NO_SUCH_KEY)?, message.digest(), self.address)
    }

    /// What comes of `work` in the time that is configured; errors of the service say where it is.
    async fn in_time<T>(&self, work: impl Future<Output = Result<T, SignerError>>) -> Result<T, SignerError> {
        let late = |_| unavailable(format!("no answer within {} ms", self.timeout.as_millis()));
        match timeout(self.timeout, work).await.map_err(late).flatten() {
            Err(SignerError::Unavailable { source }) => Err(unavailable(format!("{}: {source}", self.endpoint))),
            done => done,
        }
    }
}

#[async_trait]
impl Signer for RemoteSigner {
    fn address(&self) -> Address {
        self.address
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        self.in_time(self.sign_in_any_time(message)).await
    }

    async fn check(&self) -> Result<(), SignerError> {
        self.in_time(self.find_key()).await.map(drop)
    }
}

impl fmt::Debug for RemoteSigner {
    /// The account, and host and port of the service.
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
