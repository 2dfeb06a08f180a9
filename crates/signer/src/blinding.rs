//! The libsecp256k1 signing context, blinded against side channels and shared without a lock.
//!
//! Blinding adds a random point to the multiplication with the secret nonce, so that timing and power consumption do
//! not leak the nonce. It never changes a signature.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use arc_swap::ArcSwap;
use secp256k1::{Message, Secp256k1, SecretKey, SignOnly, ecdsa::RecoverableSignature};
use zeroize::Zeroizing;

use crate::SignerError;

/// The number of signatures after which a [`LocalSigner`](crate::LocalSigner) blinds its context again.
///
/// A new context costs about as much as one signature: at this interval it takes 0.1 % of the time.
pub const SIGNATURES_PER_BLINDING: u64 = 1024;

/// A blinded context that is replaced every [`SIGNATURES_PER_BLINDING`] signatures.
pub(crate) struct BlindedContext {
    context: ArcSwap<Secp256k1<SignOnly>>,
    signatures: AtomicU64,
}

impl BlindedContext {
    /// Creates a context blinded with randomness of the operating system.
    pub(crate) fn new() -> Result<Self, SignerError> {
        Ok(Self { context: ArcSwap::from_pointee(blinded()?), signatures: AtomicU64::new(0) })
    }

    /// Signs (RFC 6979, low s). If the system provides no randomness for a new blinding, the old context stays in use
    /// until the next interval.
    pub(crate) fn sign(&self, message: Message, key: &SecretKey) -> RecoverableSignature {
        let count = self.signatures.fetch_add(1, Ordering::Relaxed);
        if count % SIGNATURES_PER_BLINDING == SIGNATURES_PER_BLINDING - 1
            && let Ok(fresh) = blinded()
        {
            self.context.store(Arc::new(fresh));
        }
        self.context.load().sign_ecdsa_recoverable(message, key)
    }

    /// Calls `f` with the current context.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&Secp256k1<SignOnly>) -> T) -> T {
        f(&self.context.load())
    }
}

/// Fills `bytes` from the operating system's source of randomness.
pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<(), SignerError> {
    getrandom::fill(bytes).map_err(|source| SignerError::Unavailable { source: source.into() })
}

fn blinded() -> Result<Secp256k1<SignOnly>, SignerError> {
    let mut seed = Zeroizing::new([0; 32]);
    fill_random(seed.as_mut())?;
    let mut context = Secp256k1::signing_only();
    context.seeded_randomize(&seed);
    Ok(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_context_is_rerandomized_periodically_without_changing_signatures() {
        let context = BlindedContext::new().unwrap();
        let key = SecretKey::from_byte_array([7; 32]).unwrap();
        let message = Message::from_digest([9; 32]);
        let first = context.context.load_full();
        let expected = first.sign_ecdsa_recoverable(message, &key);
        for _ in 1..SIGNATURES_PER_BLINDING {
            assert_eq!(context.sign(message, &key), expected);
        }
        assert!(Arc::ptr_eq(&first, &context.context.load_full()));
        assert_eq!(context.sign(message, &key), expected);
        assert!(!Arc::ptr_eq(&first, &context.context.load_full()));
    }

    #[test]
    fn threads_sign_concurrently() {
        let context = BlindedContext::new().unwrap();
        let key = SecretKey::from_byte_array([7; 32]).unwrap();
        let message = Message::from_digest([9; 32]);
        let expected = context.sign(message, &key);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2 * SIGNATURES_PER_BLINDING {
                        assert_eq!(context.sign(message, &key), expected);
                    }
                });
            }
        });
    }
}
