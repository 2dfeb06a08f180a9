//! Signed transactions, as they are sent and kept.

use alloy_consensus::TxEnvelope;
use alloy_eips::Decodable2718 as _;
use alloy_primitives::{B256, Bytes};
use firmquote_domain::{Address, ChainId, Signature};
use firmquote_signer::recover;

/// A signed transaction in its block.
pub(crate) struct SentTransaction {
    pub(crate) chain_id: ChainId,
    pub(crate) envelope: TxEnvelope,
    /// The account that signed it.
    pub(crate) from: Address,
    /// Its block, which is the next one until it is mined.
    pub(crate) block: u64,
    /// Whether it succeeded.
    pub(crate) is_executed: bool,
    /// Its log, if it has one.
    pub(crate) log: Option<EventLog>,
    /// The position of its log among those of its block.
    pub(crate) log_index: usize,
}

/// A log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EventLog {
    pub(crate) address: Address,
    pub(crate) topics: Vec<B256>,
    pub(crate) data: Bytes,
}

/// Why a transaction is not accepted, in the words of common nodes, by which libraries tell the reasons apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SendError {
    #[error("invalid transaction: {0}")]
    Malformed(String),
    #[error("invalid chain id for signer: have {0:?} want {1}")]
    OtherChain(Option<u64>, u64),
    #[error("already known")]
    Known,
    #[error("nonce too low: next nonce {next}, tx nonce {nonce}")]
    NonceTooLow { next: u64, nonce: u64 },
    #[error("nonce too high: next nonce {next}, tx nonce {nonce}")]
    NonceTooHigh { next: u64, nonce: u64 },
    #[error("the sandbox creates no contracts")]
    Creation,
}

/// Decodes a signed transaction (EIP-2718), and recovers its account.
///
/// # Errors
/// [`SendError::Malformed`].
pub(crate) fn decode_transaction(bytes: &[u8]) -> Result<(TxEnvelope, Address), SendError> {
    let malformed = |reason: &dyn std::fmt::Display| SendError::Malformed(reason.to_string());
    let mut rest = bytes;
    let envelope = TxEnvelope::decode_2718(&mut rest).map_err(|error| malformed(&error))?;
    if !rest.is_empty() {
        return Err(malformed(&"bytes after the end"));
    }
    let signature = envelope.signature();
    let signature =
        Signature::new(signature.r().into(), signature.s().into(), signature.v()).map_err(|error| malformed(&error))?;
    let account = recover(envelope.signature_hash(), &signature).ok_or_else(|| malformed(&"the signature"))?;
    Ok((envelope, account))
}
