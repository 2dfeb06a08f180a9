//! Executes a transaction like the contract of a pool, without a chain.

use alloy_primitives::{B256, Bytes, keccak256};
use firmquote_calldata::{SwappedEvent, decode, transaction_value};
use firmquote_desk::ServedPool;
use firmquote_domain::{Address, Offer, Timestamp, U256, is_lapsed};
use firmquote_signer::{DomainSeparator, digest, recover};

/// A transaction that calls the contract of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transaction {
    /// The contract.
    pub(crate) to: Address,
    /// The calldata.
    pub(crate) data: Bytes,
    /// The value in wei.
    pub(crate) value: U256,
}

/// The reason why a transaction reverts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Revert {
    /// The calldata calls none of the swap functions.
    #[error("the calldata is not a swap call: {0}")]
    NoSwap(String),
    /// The value is not that of the swap.
    #[error("the value is {is} wei, not {expected}")]
    Value { is: U256, expected: U256 },
    /// The signature has expired.
    #[error("the signature has expired")]
    Expired,
    /// Another key made the signature, or it covers another offer.
    #[error("the signature is not that of the pool's signer")]
    Signer,
    /// The offer was already executed.
    #[error("the signature was used before")]
    Used,
    /// The chain has no room.
    #[error("the blocks of the sandbox are full")]
    Full,
}

/// A transaction that executes a swap.
#[derive(Clone, Debug)]
pub(crate) struct ExecutedOffer {
    /// The signed digest, which identifies the offer.
    pub(crate) digest: B256,
    /// The hash of the transaction.
    pub(crate) hash: B256,
    /// The event that the contract emits.
    pub(crate) event: SwappedEvent,
}

impl Transaction {
    /// Returns the hash of the transaction, unique in the sandbox: each `nonce` is used once.
    pub(crate) fn hash(&self, nonce: u64) -> B256 {
        let mut bytes = self.to.to_vec();
        bytes.extend_from_slice(&self.data);
        bytes.extend_from_slice(&nonce.to_be_bytes());
        keccak256(bytes)
    }

    /// Returns the execution by `pool` at `now`, in the transaction `hash`.
    ///
    /// # Errors
    /// The reason of the revert.
    pub(crate) fn execute(&self, pool: &ServedPool, hash: B256, now: Timestamp) -> Result<ExecutedOffer, Revert> {
        let swap = decode(&self.data).map_err(|error| Revert::NoSwap(error.to_string()))?;
        let spec = pool.signer().pool().spec();
        let offer = Offer {
            pool: spec.id,
            input_token: swap.input_token.unwrap_or(spec.chain.wrapped_native),
            output_token: swap.output_token.unwrap_or(spec.chain.wrapped_native),
            input_amount: swap.input_amount,
            output_amount: swap.output_amount,
            good_until: swap.good_until,
            destination: swap.destination,
        };
        let value = transaction_value(&offer, swap.native());
        if self.value != value {
            return Err(Revert::Value { is: self.value, expected: value });
        }
        if is_lapsed(offer.good_until.expires_at(), now) {
            return Err(Revert::Expired);
        }
        let digest = digest(&DomainSeparator::from_pool(pool.signer().pool()), &offer);
        if recover(digest, &swap.signature) != Some(pool.signer().address()) {
            return Err(Revert::Signer);
        }
        let event = SwappedEvent { aux_data: swap.aux_data, ..SwappedEvent::from(&offer) };
        Ok(ExecutedOffer { digest, hash, event })
    }
}
