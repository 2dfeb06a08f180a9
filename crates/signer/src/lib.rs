//! Signs swap offers that pool contracts honor.
//!
//! Offers are signed through a [`PoolSigner`]: it checks the request for everything the contract of the pool would not
//! notice, hashes it (EIP-712) and signs it with the key behind the [`Signer`] port. The key may be in this process
//! ([`LocalSigner`]), optionally read from an encrypted file, or at a signing service. This crate knows no prices: the
//! caller decides whether the amounts are right.
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
mod no_key;
mod pool_signer;
mod probe;
mod refusal;
#[cfg(feature = "remote")]
mod remote;
mod signer;

pub use blinding::SIGNATURES_PER_BLINDING;
pub use digest::{DomainSeparator, TypedMessage, digest, recover};
pub use error::SignerError;
pub use guard::SigningRequest;
pub use key::random_key_hex;
pub use local::LocalSigner;
pub use no_key::NoKey;
pub use pool_signer::PoolSigner;
pub use refusal::Refusal;
pub use signer::Signer;

#[cfg(feature = "keystore")]
pub use crate::keystore::{KeystoreError, NewKeystore};
#[cfg(feature = "remote")]
pub use crate::remote::{InvalidRemoteSignerConfig, RemoteIdentity, RemoteSigner, RemoteSignerConfig};
