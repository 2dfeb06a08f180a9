//! Keys that a signing service holds: the HTTP interface that Web3Signer has for Ethereum (eth1). Of the service's
//! address nothing but host and port is ever told, of the connection's own key nothing at all.

mod config;
#[cfg(all(any(test, fuzzing), feature = "keystore"))]
pub(crate) mod fuzzing;
mod signer;
mod transport;

pub use config::{InvalidRemoteAccess, RemoteAccess, RemoteIdentity};
pub use signer::RemoteSigner;
