//! A message, a signing service, and a remote signer of its key.

use std::time::Duration;

use alloy_primitives::{Address, B256, hex};
use firmquote_domain::{ChainId, PoolId, SigningDomain};
use firmquote_signer::{DomainSeparator, LocalSigner, RemoteSigner, RemoteSignerConfig, SignerError, TypedMessage};
use firmquote_test_servers::signing::SigningService;

pub(crate) const KEY: [u8; 32] = [7; 32];
pub(crate) const OTHER_KEY: [u8; 32] = [8; 32];

/// Returns a message that is unique for each `number`.
pub(crate) fn message(number: u8) -> TypedMessage {
    let domain = SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() };
    let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) };
    TypedMessage::new(&DomainSeparator::new(&domain, pool), B256::repeat_byte(number))
}

/// Returns an in-memory signer with the same key.
pub(crate) fn local() -> LocalSigner {
    LocalSigner::from_hex(&hex::encode(KEY)).unwrap()
}

/// Returns the configuration for `service`, with a timeout longer than any request takes.
pub(crate) fn remote_config(service: &SigningService) -> RemoteSignerConfig {
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
    let signer = RemoteSigner::new(&remote_config(&service)).unwrap();
    (service, signer)
}

/// Formats an error with its cause.
pub(crate) fn error_chain(error: &SignerError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}
