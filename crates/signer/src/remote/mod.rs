//! Keys that a signing service holds: the HTTP interface that Web3Signer has for Ethereum (eth1). Of the service's
//! address nothing but host and port is ever told, of the connection's own key nothing at all.

mod access;
mod answer;
#[cfg(all(any(test, fuzzing), feature = "keystore"))]
pub(crate) mod fuzzing;
mod signer;
mod transport;

pub use self::{
    access::{InvalidRemoteAccess, RemoteAccess, RemoteIdentity},
    signer::RemoteSigner,
};
