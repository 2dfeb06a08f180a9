//! Signatures of swap offers that pool contracts honour.
//!
//! An offer is signed through a [`PoolSigner`]: it holds the request against everything the pool's contract
//! would not notice, hashes it (EIP-712) and asks the key behind the [`Signer`] port. The key may sit in this
//! process ([`LocalSigner`]), read from an encrypted file if need be, or with a signing service. Nothing here knows prices: whether the amounts are right
//! is decided before.
#![doc = include_str!("../README.md")]

mod blinding;
mod digest;
mod error;
#[cfg(all(any(test, fuzzing), feature = "keystore", feature = "remote"))]
pub mod fuzzing;
mod guard;
mod key;
#[cfg(feature = "keystore")]
mod keystore;
mod local;
mod pool_signer;
mod port;
mod probe;
mod refusal;
#[cfg(feature = "remote")]
mod remote;

pub use blinding::SIGNATURES_PER_BLINDING;
pub use digest::{DomainSeparator, TypedMessage, digest, recover};
pub use error::SignerError;
pub use guard::SigningRequest;
pub use key::random_key_hex;
pub use local::LocalSigner;
pub use pool_signer::PoolSigner;
pub use port::Signer;
pub use refusal::Refusal;

#[cfg(feature = "keystore")]
pub use crate::keystore::{KeystoreError, NewKeystore};
#[cfg(feature = "remote")]
pub use crate::remote::{InvalidRemoteAccess, RemoteAccess, RemoteIdentity, RemoteSigner};
