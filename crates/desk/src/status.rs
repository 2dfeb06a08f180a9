//! The status of a quote, and the signed swaps of a client, for that client.

use firmquote_domain::{Client, QuoteId, QuoteState, SwapOutcome, Timestamp, latest_lapse};
use firmquote_store::{QuoteRecord, SwapPage, SwapPosition, SwapRange};

use crate::{Desk, DeskError};

/// A quote with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteStatus {
    /// The quote, the terms of its signature, and the outcome of the swap.
    pub record: QuoteRecord,
    /// Its state; never [`QuoteState::Expired`].
    pub state: QuoteState,
    /// The number of blocks from that of the settlement to the newest one, both included; `None` unless the swap is
    /// settled and this replica has read its block.
    pub confirmations: Option<u64>,
}

impl Desk {
    /// Returns the status of a quote of `client`: of an unsigned quote until it expires, of a signed one for as long as
    /// the store retains it.
    ///
    /// # Errors
    /// [`DeskError::StatusNotFound`] for a quote that was never made, has expired unsigned or is forgotten,
    /// [`DeskError::OtherClient`] and [`DeskError::Store`].
    pub async fn status(&self, id: QuoteId, client: &Client) -> Result<QuoteStatus, DeskError> {
        let now = self.clock.now();
        let record =
            self.store.find(id, now).await.map_err(DeskError::from_store)?.ok_or(DeskError::StatusNotFound(id))?;
        if record.quote.client != *client {
            return Err(DeskError::OtherClient);
        }
        Ok(self.status_of(record, now))
    }

    /// Returns signed swaps of `client` in the order of their signatures, for as long as [`Self::status`] returns them,
    /// and the position after which the next page starts.
    ///
    /// # Errors
    /// [`DeskError::Store`].
    pub async fn signed_swaps(
        &self,
        client: &Client,
        range: &SwapRange,
    ) -> Result<(Vec<QuoteStatus>, Option<SwapPosition>), DeskError> {
        let now = self.clock.now();
        let page = self.store.signed_swaps(client, range, now).await.map_err(DeskError::from_store)?;
        let SwapPage { swaps, next } = page;
        Ok((swaps.into_iter().map(|record| self.status_of(record, now)).collect(), next))
    }

    fn status_of(&self, record: QuoteRecord, now: Timestamp) -> QuoteStatus {
        let confirmations = match record.outcome {
            Some(SwapOutcome::Settled(settlement)) => {
                let head = self.market.snapshot().pool(record.quote.pool).and_then(|state| state.block);
                // Another replica may have seen blocks that this one has not.
                head.and_then(|head| head.checked_sub(settlement.block_number)?.checked_add(1))
            }
            Some(SwapOutcome::Lapsed) | None => None,
        };
        QuoteStatus { state: self.state(&record, now), record, confirmations }
    }

    fn state(&self, record: &QuoteRecord, now: Timestamp) -> QuoteState {
        match (&record.signed, record.outcome) {
            (None, _) => QuoteState::Created,
            (Some(_), Some(SwapOutcome::Settled(_))) => QuoteState::Settled,
            (Some(_), Some(SwapOutcome::Lapsed)) => QuoteState::Lapsed,
            (Some(_), None) => {
                let is_over = now.seconds() >= latest_lapse(record.quote.good_until.expires_at());
                // The chain may not have reached its end yet, or is no longer read.
                let is_open = match self.pool(record.quote.pool) {
                    Some(pool) => pool.book().may_be_executed(record.quote.id),
                    None => record.quote.block.is_some(),
                };
                if is_over && !is_open { QuoteState::Lapsed } else { QuoteState::Signed }
            }
        }
    }
}
