//! The session of a taker: its requests, and the items of the checklist that they pass or fail.

mod checklist;
mod quotes;
mod summary;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use actix_web::http::StatusCode;
use alloy_primitives::B256;
use firmquote_domain::Timestamp;
use serde::Serialize;

use self::checklist::{Checklist, ChecklistItem, ItemReport};
pub(crate) use self::summary::{HandledRequest, RequestSummary, ResponseSummary};
use crate::{Fault, Schedule, bounded_map::BoundedMap, operation::Operation, schedule::ScheduleCounters};

/// Maximum number of entries of each kind that a session retains.
const MAX_ENTRIES: usize = 1_000;

/// How long a stream may be read after a message was missing: the end of a connection may be detected only with the
/// next message.
const GAP_TOLERANCE_MICROS: u64 = 20_000_000;

/// The maximum time for which another request can have been in flight when the rejection was sent.
const IN_FLIGHT_MICROS: u64 = 100_000;

/// How early a request may arrive before the end of `Retry-After`, in microseconds: clocks and rounding differ.
const RETRY_TOLERANCE_MICROS: u64 = 250_000;

/// The session of a taker.
#[derive(Default)]
pub(crate) struct Session {
    /// The faults that are injected automatically; `None` for those of the configuration.
    pub(crate) schedule: Option<Schedule>,
    pub(crate) counters: ScheduleCounters,
    /// When the taker last sent a request, in microseconds: the least recently used session is evicted for a new one.
    pub(crate) used_at: u64,
    /// The `aux_data` of signatures whose terms name none.
    pub(crate) default_aux_data: B256,
    requests: u64,
    faults: BTreeMap<&'static str, u64>,
    checklist: Checklist,
    /// The `must_accept_by` of each quote.
    quotes: BoundedMap<String, Timestamp, MAX_ENTRIES>,
    /// Quotes whose signing conflicted.
    conflicted_quotes: BoundedMap<String, (), MAX_ENTRIES>,
    /// The terms of signatures whose response was lost, by quote.
    lost_signatures: BoundedMap<String, Vec<String>, MAX_ENTRIES>,
    /// Requests whose connection was cut.
    cut_requests: BoundedMap<B256, (), MAX_ENTRIES>,
    /// Quotes that were forced to expire, and whether signing was rejected because of it.
    expired_quotes: BoundedMap<String, bool, MAX_ENTRIES>,
    /// The temporary rejections of requests, by kind.
    rejections: HashMap<Operation, Rejection>,
    /// When levels were withdrawn.
    withdrawn_levels: BoundedMap<String, Timestamp, MAX_ENTRIES>,
    /// When a stream was last opened.
    stream_opened_at: Option<Timestamp>,
    /// Whether the taker left a stream in which a message was missing.
    has_left_gap: bool,
    /// Whether forged signatures were delivered.
    has_forged_signature: bool,
    /// Quotes that were sent in transactions.
    sent_quotes: BoundedMap<String, (), MAX_ENTRIES>,
    /// The quotes of signatures, by `r` of the signature.
    quotes_by_signature: BoundedMap<String, String, MAX_ENTRIES>,
}

/// A request that was temporarily rejected.
struct Rejection {
    since: Timestamp,
    /// When it may be sent again.
    until: Timestamp,
    fingerprint: B256,
}

impl Rejection {
    /// Whether `request` was sent in view of the rejection: a different request may have been in flight.
    fn precedes(&self, request: &RequestSummary, now: Timestamp) -> bool {
        request.fingerprint == self.fingerprint || self.since.plus_micros(IN_FLIGHT_MICROS) < now
    }
}

/// The session, as shown to the taker.
#[derive(Debug, Serialize)]
pub(crate) struct SessionReport {
    client: String,
    requests: u64,
    faults: BTreeMap<&'static str, u64>,
    checklist: Vec<ItemReport>,
}

impl Session {
    /// Returns the session for the taker `client`.
    pub(crate) fn report(&self, client: String) -> SessionReport {
        SessionReport {
            client,
            requests: self.requests,
            faults: self.faults.clone(),
            checklist: self.checklist.report(),
        }
    }

    /// Replaces the schedule and restarts its counts.
    pub(crate) fn set_schedule(&mut self, schedule: Schedule) {
        (self.schedule, self.counters) = (Some(schedule), ScheduleCounters::default());
    }

    /// Records a request at `now`, before it is handled.
    pub(crate) fn record_request(&mut self, request: &RequestSummary, fault: Option<Fault>, now: Timestamp) {
        self.requests += 1;
        if let Some(fault) = fault {
            *self.faults.entry(fault.name()).or_default() += 1;
        }
        if self.cut_requests.remove(&request.fingerprint).is_some() {
            self.checklist.pass(ChecklistItem::Reconnect);
        }
        let rejection = self.rejections.get(&request.operation);
        if let Some(until) =
            rejection.filter(|rejection| rejection.precedes(request, now)).map(|rejection| rejection.until)
        {
            self.rejections.remove(&request.operation);
            if now.plus_micros(RETRY_TOLERANCE_MICROS) < until {
                let early = until.millis_since(now);
                let operation = request.operation.name();
                self.checklist.fail(
                    ChecklistItem::RetryAfter,
                    format!("{operation} came {early} ms before Retry-After had passed"),
                );
            } else {
                self.checklist.pass(ChecklistItem::RetryAfter);
            }
        }
        match request.operation {
            Operation::Sign => self.check_signature_request(request, now),
            Operation::Quote | Operation::QuoteSign => self.check_quote_request(request, now),
            Operation::LevelStream | Operation::LevelSocket => {
                self.stream_opened_at = Some(now);
                if std::mem::take(&mut self.has_left_gap) {
                    self.checklist.pass(ChecklistItem::StreamGap);
                }
            }
            _ => {}
        }
    }

    /// Records the outcome of a request at `now`.
    pub(crate) fn record_outcome(&mut self, handled: &HandledRequest, now: Timestamp) {
        let HandledRequest { request, fault, response } = handled;
        match fault {
            Some(Fault::Cut) => self.cut_requests.insert(request.fingerprint, ()),
            // A response that the client never received cannot be held against it.
            Some(Fault::LostAnswer) => {
                let quote = request.text("quote_id").filter(|_| request.operation == Operation::Sign);
                if let (Some(quote), true) = (quote, is_success(response.as_ref())) {
                    self.lost_signatures.insert(quote.to_owned(), request.terms(self.default_aux_data));
                }
                return;
            }
            _ => {}
        }
        let Some(response) = response else { return };
        if matches!(response.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
            && let Some(seconds) = response.retry_after.and_then(|seconds| u32::try_from(seconds).ok())
        {
            let (until, fingerprint) = (now.plus_seconds(seconds), request.fingerprint);
            self.rejections.insert(request.operation, Rejection { since: now, until, fingerprint });
        }
        match request.operation {
            Operation::Quote => {
                self.record_quote(&response.members);
                if let (Some(Fault::Expired), Some(id)) = (fault, response.text("id")) {
                    self.expired_quotes.insert(id.to_owned(), false);
                }
            }
            Operation::Sign | Operation::QuoteSign => self.record_signature_response(request, *fault, response),
            Operation::QuoteStatus => self.record_status(response),
            Operation::Transaction if *fault != Some(Fault::Dropped) => self.record_transaction(response),
            _ => {}
        }
    }

    /// Records that levels were withdrawn.
    pub(crate) fn record_withdrawal(&mut self, levels_id: &str, now: Timestamp) {
        self.withdrawn_levels.insert(levels_id.to_owned(), now);
    }

    /// Records that a stream ended in which a message was missing since `gap_at`, if any was.
    pub(crate) fn record_stream_end(&mut self, gap_at: Option<Timestamp>, now: Timestamp) {
        let Some(gap_at) = gap_at else { return };
        let read_for = now.micros_since(gap_at);
        if read_for <= GAP_TOLERANCE_MICROS {
            if self.stream_opened_at.is_some_and(|opened| opened > gap_at) {
                self.checklist.pass(ChecklistItem::StreamGap);
            } else {
                self.has_left_gap = true;
            }
        } else {
            let seconds = read_for / 1_000_000;
            self.checklist.fail(
                ChecklistItem::StreamGap,
                format!("the stream was read for {seconds} s after a message was missing"),
            );
        }
    }

    /// Records that a transaction contains a signature which the contract does not accept.
    pub(crate) fn record_forged_transaction(&mut self) {
        self.checklist
            .fail(ChecklistItem::VerifySignature, "a transaction had a signature that is not by the pool's signer");
    }
}

fn is_success(response: Option<&ResponseSummary>) -> bool {
    response.is_some_and(|response| response.status.is_success())
}
