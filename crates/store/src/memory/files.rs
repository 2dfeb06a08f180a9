//! What a store in memory retains in files beyond the end of its process.

use firmquote_domain::{SignedQuote, SignedSwap, SwapOutcome, Timestamp};

use crate::{
    EstimateFile, OperatorEntry, PauseFile, SampleFile, StoreError,
    ledger::{self, LedgerFile},
};

/// The files of a store; all are optional.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) ledger: Option<LedgerFile>,
    pub(super) operator: Option<LedgerFile>,
    pub(super) pauses: Option<PauseFile>,
    pub(super) estimates: Option<EstimateFile>,
    pub(super) samples: Option<SampleFile>,
}

impl Files {
    /// Appends a signature to the ledger; returns once it is on disk.
    pub(super) async fn append_signature(&self, signed: &SignedQuote) -> Result<(), StoreError> {
        append(self.ledger.as_ref(), || ledger::line(signed)).await
    }

    /// Appends the outcome of a swap to the ledger; returns once it is on disk.
    pub(super) async fn append_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        append(self.ledger.as_ref(), || ledger::outcome_line(swap, outcome, now)).await
    }

    /// Appends an entry to the operator's stream; returns once it is on disk.
    pub(super) async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError> {
        append(self.operator.as_ref(), || entry.to_json()).await
    }
}

async fn append(
    file: Option<&LedgerFile>,
    line: impl FnOnce() -> serde_json::Result<String> + Send,
) -> Result<(), StoreError> {
    let Some(file) = file else { return Ok(()) };
    file.append(line().map_err(|error| StoreError::Unavailable(Box::new(error)))?).await
}
