//! A pool together with the key that signs for it.

use std::{fmt, sync::Arc};

use alloy_primitives::Address;
use firmquote_domain::{Pool, Signature};

use crate::{DomainSeparator, Refusal, Signer, SignerError, SigningRequest, TypedMessage, guard};

/// Signs offers of one pool, and only what the guard lets pass.
///
/// Cheap to clone; when the pool's description changes, make a new one.
#[derive(Clone)]
pub struct PoolSigner {
    pool: Arc<Pool>,
    separator: DomainSeparator,
    signer: Arc<dyn Signer>,
}

impl PoolSigner {
    /// Signs for `pool` with the key behind `signer`.
    ///
    /// That the contract has designated this very signer is not checked: it stands on chain.
    pub fn new(pool: Arc<Pool>, signer: Arc<dyn Signer>) -> Self {
        Self { separator: DomainSeparator::from_pool(&pool), pool, signer }
    }

    /// The pool that is signed for.
    pub const fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// The account that signs.
    pub fn address(&self) -> Address {
        self.signer.address()
    }

    pub(crate) const fn separator(&self) -> &DomainSeparator {
        &self.separator
    }

    pub(crate) fn signer(&self) -> &dyn Signer {
        &*self.signer
    }

    /// Holds `request` against the pool without signing; [`Self::sign`] does so again by itself.
    ///
    /// # Errors
    /// The first [`Refusal`] that applies.
    pub fn check(&self, request: &SigningRequest) -> Result<(), Refusal> {
        guard::check(&self.pool, request)
    }

    /// Whether the key can be asked, without having anything signed.
    ///
    /// # Errors
    /// What [`Signer::check`] answers.
    pub async fn check_key(&self) -> Result<(), SignerError> {
        self.signer.check().await
    }

    /// Whether `other` signs with the very same signer.
    pub fn shares_key_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signer, &other.signer)
    }

    /// The signature of the request's offer.
    ///
    /// A key in memory gives the same signature for the same offer however often it is asked for; a key service may not.
    /// Whether its amounts are right for its prices, and whether it was signed for somebody else before, is not checked
    /// here.
    ///
    /// # Errors
    /// [`SignerError::Refused`] before any key is asked, otherwise what [`Signer::sign`] answers.
    pub async fn sign(&self, request: &SigningRequest) -> Result<Signature, SignerError> {
        self.check(request)?;
        self.signer.sign(&TypedMessage::from_offer(&self.separator, &request.offer)).await
    }
}

impl fmt::Debug for PoolSigner {
    /// Pool and signing account.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("PoolSigner");
        debug.field("pool", &self.pool.spec().id).field("address", &self.address()).finish_non_exhaustive()
    }
}
