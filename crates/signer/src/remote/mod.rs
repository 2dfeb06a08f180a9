//! Keys at a signing service, called over the HTTP interface of Web3Signer for Ethereum (eth1). Messages contain only
//! host and port of the service URL, and nothing of the client key.

mod config;
#[cfg(all(any(test, fuzzing), feature = "keystore"))]
pub(crate) mod fuzzing;
mod signer;
mod transport;

pub use config::{InvalidRemoteSignerConfig, RemoteIdentity, RemoteSignerConfig};
pub use signer::RemoteSigner;
