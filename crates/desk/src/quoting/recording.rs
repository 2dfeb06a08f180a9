//! What the desk hands to its recorder.

use firmquote_domain::{Client, Quote, Timestamp};

use super::request_recorder::{Inquiry, Operation, PricedOn, RecordedRequest, StateLog};
use crate::{Desk, DeskError, QuoteRequest};

impl Desk {
    /// Returns the log of the states of a request.
    pub(crate) fn state_log(&self) -> StateLog {
        if self.recorder.is_some() { StateLog::enabled() } else { StateLog::disabled() }
    }

    /// Records a request that was received at `received_at`.
    pub(crate) fn record(
        &self,
        operation: impl FnOnce() -> Operation,
        client: &Client,
        received_at: Timestamp,
        states: StateLog,
        result: Result<&Quote, &DeskError>,
    ) {
        if let Some(recorder) = &self.recorder {
            let PricedOn { states, levels } = states.into_priced_on();
            recorder.record(RecordedRequest {
                operation: operation(),
                client: client.clone(),
                received_at,
                finished_at: self.clock.now(),
                states,
                levels,
                result: result.cloned().map_err(DeskError::name),
            });
        }
    }

    /// Returns what a quote is requested for.
    pub(crate) fn inquiry(&self, request: &QuoteRequest<'_>) -> Inquiry {
        Inquiry {
            chain_id: request.chain_id,
            symbols: [request.input, request.output].map(|key| self.find_symbol(key).cloned()),
            amount: request.amount,
            time_in_seconds: request.time_in_seconds,
            pool_address: request.pool_address,
            levels_id: request.levels_id,
        }
    }
}
