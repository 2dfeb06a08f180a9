//! A signer that the program provides in which the service is embedded.

use async_trait::async_trait;
use firmquote_domain::{Address, Signature};
use firmquote_signer::{Signer, SignerError, TypedMessage};

/// Stands for the signer of a host until the host replaces it.
pub(super) struct HostSigner(pub(super) Address);

fn not_provided() -> SignerError {
    SignerError::Unavailable { source: "host_address needs a program that provides the signer".into() }
}

#[async_trait]
impl Signer for HostSigner {
    fn address(&self) -> Address {
        self.0
    }

    async fn sign(&self, _message: &TypedMessage) -> Result<Signature, SignerError> {
        Err(not_provided())
    }

    async fn check(&self) -> Result<(), SignerError> {
        Err(not_provided())
    }
}
