//! A message, a service that holds a key, and a signer of that key.

use std::time::Duration;

use alloy_primitives::{Address, B256, hex};
use firmquote_domain::{ChainId, PoolId, SigningDomain};
use firmquote_signer::{DomainSeparator, LocalSigner, RemoteSigner, RemoteSignerConfig, SignerError, TypedMessage};
use firmquote_test_servers::signing::SigningService;

pub(crate) const KEY: [u8; 32] = [7; 32];
pub(crate) const OTHER_KEY: [u8; 32] = [8; 32];

/// A message that differs from all those with another `number`.
pub(crate) fn message(number: u8) -> TypedMessage {
    let domain = SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() };
    let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) };
    TypedMessage::new(&DomainSeparator::new(&domain, pool), B256::repeat_byte(number))
}

/// The signer of the same key in memory.
pub(crate) fn local() -> LocalSigner {
    LocalSigner::from_hex(&hex::encode(KEY)).unwrap()
}

/// What is configured of `service`. The time is longer than anything takes.
pub(crate) fn access(service: &SigningService) -> RemoteSignerConfig {
    RemoteSignerConfig {
        url: format!("http://{}", service.address()),
        address: service.account(),
        timeout: Duration::from_secs(60),
        authorities: None,
        identity: None,
    }
}

pub(crate) fn start() -> (SigningService, RemoteSigner) {
    let service = SigningService::start(&KEY);
    let signer = RemoteSigner::new(&access(&service)).unwrap();
    (service, signer)
}

/// An error with what caused it.
pub(crate) fn error_chain(error: &SignerError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}
