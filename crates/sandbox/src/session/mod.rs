//! The session of a taker: its requests, and the items of the checklist that they pass or fail.

mod checklist;
mod summary;

use std::collections::{BTreeMap, HashMap};

use actix_web::http::StatusCode;
use alloy_primitives::B256;
use firmquote_domain::{Timestamp, is_expired};
use serde::Serialize;
use serde_json::Value;

use self::checklist::{Checklist, ChecklistItem, ItemReport};
pub(crate) use self::summary::{HandledRequest, RequestSummary, ResponseSummary};
use crate::{Fault, Schedule, bounded_map::BoundedMap, operation::Operation, schedule::ScheduleCounters};

/// Maximum number of entries of each kind that a session retains.
const MAX_REMEMBERED: usize = 1_000;

/// How long a stream may be read after a message was missing: the end of a connection may be noticed only with the next
/// message.
const GAP_TOLERANCE_MICROS: u64 = 20_000_000;

/// How long a request may have been in flight when the rejection was sent.
const IN_FLIGHT_MICROS: u64 = 100_000;

/// How long a client may take to notice that levels were withdrawn.
const WITHDRAWAL_TOLERANCE_MICROS: u64 = 1_000_000;

/// How early a request may arrive before the end of `Retry-After`, in microseconds: clocks and rounding differ.
const RETRY_TOLERANCE_MICROS: u64 = 250_000;

/// The message of a conflict, which clients match on.
const CONFLICT: &str = "Quote conflicts with latest prices. Please request a new quote.";

/// The session of a taker.
#[derive(Default)]
pub(crate) struct Session {
    /// The faults that are injected automatically; `None` for those of the configuration.
    pub(crate) schedule: Option<Schedule>,
    pub(crate) counters: ScheduleCounters,
    /// When the taker last sent a request, in microseconds: the least recently used session is evicted for a new one.
    pub(crate) used_at: u64,
    requests: u64,
    faults: BTreeMap<&'static str, u64>,
    checklist: Checklist,
    /// The `must_accept_by` of each quote.
    quotes: BoundedMap<String, Timestamp, MAX_REMEMBERED>,
    /// Quotes whose signing conflicted.
    conflicted: BoundedMap<String, (), MAX_REMEMBERED>,
    /// The terms of signatures whose response was lost, by quote.
    lost: BoundedMap<String, Vec<String>, MAX_REMEMBERED>,
    /// Requests whose connection was cut.
    cut: BoundedMap<B256, (), MAX_REMEMBERED>,
    /// Quotes that were forced to expire, and whether signing was rejected because of it.
    expired: BoundedMap<String, bool, MAX_REMEMBERED>,
    /// When requests of a kind were temporarily rejected, and when they may be sent again.
    not_before: HashMap<Operation, (Timestamp, Timestamp)>,
    /// When levels were withdrawn.
    withdrawn: BoundedMap<String, Timestamp, MAX_REMEMBERED>,
    /// When a stream was last opened.
    stream_opened_at: Option<Timestamp>,
    /// Whether the taker left a stream in which a message was missing.
    has_left_gap: bool,
    /// Whether forged signatures were delivered.
    has_forged: bool,
    /// Quotes that were sent in transactions.
    sent: BoundedMap<String, (), MAX_REMEMBERED>,
    /// The quotes of signatures, by `r` of the signature.
    signed: BoundedMap<String, String, MAX_REMEMBERED>,
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
        if self.cut.remove(&request.fingerprint).is_some() {
            self.checklist.pass(ChecklistItem::Reconnect);
        }
        let refused = self.not_before.get(&request.operation).copied();
        if let Some((_, until)) = refused.filter(|(since, _)| since.plus_micros(IN_FLIGHT_MICROS) < now) {
            self.not_before.remove(&request.operation);
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
            Operation::Sign => self.begin_signature(request, now),
            Operation::Quote | Operation::QuoteSign => self.begin_quote(request, now),
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
            Some(Fault::Cut) => self.cut.insert(request.fingerprint, ()),
            // A response that the client never received cannot be held against it.
            Some(Fault::LostAnswer) => {
                let quote = request.text("quote_id").filter(|_| request.operation == Operation::Sign);
                if let (Some(quote), true) = (quote, is_success(response.as_ref())) {
                    self.lost.insert(quote.to_owned(), request.terms());
                }
                return;
            }
            _ => {}
        }
        let Some(response) = response else { return };
        if matches!(response.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
            && let Some(seconds) = response.retry_after.and_then(|seconds| u32::try_from(seconds).ok())
        {
            self.not_before.insert(request.operation, (now, now.plus_seconds(seconds)));
        }
        match request.operation {
            Operation::Quote => {
                self.remember_quote(&response.members);
                if let (Some(Fault::Expired), Some(id)) = (fault, response.text("id")) {
                    self.expired.insert(id.to_owned(), false);
                }
            }
            Operation::Sign | Operation::QuoteSign => self.end_signature(request, *fault, response),
            Operation::QuoteStatus => self.end_status(response),
            Operation::Transaction if *fault != Some(Fault::Dropped) => self.end_transaction(response),
            _ => {}
        }
    }

    /// Records that levels were withdrawn.
    pub(crate) fn withdraw(&mut self, levels_id: &str, now: Timestamp) {
        self.withdrawn.insert(levels_id.to_owned(), now);
    }

    /// Records that a stream ended in which a message was missing since `gap_at`, if any was.
    pub(crate) fn end_stream(&mut self, gap_at: Option<Timestamp>, now: Timestamp) {
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
    pub(crate) fn send_forged(&mut self) {
        self.checklist
            .fail(ChecklistItem::VerifySignature, "a transaction had a signature that is not by the pool's signer");
    }

    fn begin_signature(&mut self, request: &RequestSummary, now: Timestamp) {
        let Some(quote) = request.text("quote_id") else { return };
        // The same terms may be repeated for as long as their signature is valid.
        let is_repeated = self.lost.contains(quote) || self.signed.values().any(|known| known == quote);
        let until = self.quotes.get(quote).filter(|_| !is_repeated);
        if until.is_some_and(|until| is_expired(until.plus_micros(RETRY_TOLERANCE_MICROS), now)) {
            self.checklist.fail(
                ChecklistItem::Expiry,
                format!("quote {quote}: a signature was requested after its must_accept_by"),
            );
        }
        if self.expired.get(quote) == Some(&true) {
            self.checklist.fail(
                ChecklistItem::Expiry,
                format!("quote {quote}: a signature was requested again after it had expired"),
            );
        } else {
            self.pass_expiry();
        }
        if self.conflicted.contains(quote) {
            self.checklist.fail(
                ChecklistItem::Conflict,
                format!("quote {quote}: a signature was requested again after its conflict"),
            );
        } else if !self.conflicted.is_empty() {
            self.checklist.pass(ChecklistItem::Conflict);
        }
        if let Some(terms) = self.lost.remove(&quote.to_owned()) {
            if terms == request.terms() {
                self.checklist.pass(ChecklistItem::SameTerms);
            } else {
                self.checklist.fail(
                    ChecklistItem::SameTerms,
                    format!("quote {quote}: a signature was requested again for other terms"),
                );
            }
        }
    }

    /// Passes expiry if a quote was rejected for it, since the taker now requests something else.
    fn pass_expiry(&mut self) {
        if self.expired.values().any(|is_refused| *is_refused) {
            self.checklist.pass(ChecklistItem::Expiry);
        }
    }

    fn begin_quote(&mut self, request: &RequestSummary, now: Timestamp) {
        self.pass_expiry();
        if !self.conflicted.is_empty() {
            self.checklist.pass(ChecklistItem::Conflict);
        }
        match request.text("levels_id") {
            Some(levels) if self.withdrawn.contains(levels) => {
                let at = self.withdrawn.get(levels);
                if at.is_some_and(|at| at.plus_micros(WITHDRAWAL_TOLERANCE_MICROS) < now) {
                    let failure = format!("levels {levels} were named after they were withdrawn");
                    self.checklist.fail(ChecklistItem::WithdrawnLevels, failure);
                }
            }
            Some(_) if !self.withdrawn.is_empty() => self.checklist.pass(ChecklistItem::WithdrawnLevels),
            _ => {}
        }
    }

    fn remember_quote(&mut self, members: &serde_json::Map<String, Value>) {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let until = text("must_accept_by").and_then(|until| until.parse::<jiff::Timestamp>().ok());
        let until = until.and_then(|until| u64::try_from(until.as_microsecond()).ok());
        if let (Some(id), Some(until)) = (text("id"), until) {
            self.quotes.insert(id.to_owned(), Timestamp::from_micros(until));
        }
    }

    fn end_signature(&mut self, request: &RequestSummary, fault: Option<Fault>, response: &ResponseSummary) {
        let quote = request.text("quote_id").or_else(|| response.text("id")).map(str::to_owned);
        if response.status.is_success() {
            self.has_forged |= fault == Some(Fault::Forged);
            let r = response.members.get("signature").and_then(|signature| signature.get("r")?.as_str());
            if let (Some(r), Some(quote)) = (r, quote) {
                self.signed.insert(r.to_owned(), quote);
            }
            return;
        }
        if let (Some(CONFLICT), Some(quote)) = (response.text("errorMessage"), &quote) {
            self.conflicted.insert(quote.clone(), ());
        }
        if let Some(Value::Object(fresh)) = response.members.get("fresh_quote") {
            self.remember_quote(fresh);
        }
        let is_quote_problem = response.members.get("errorCode") == Some(&Value::from(409));
        if let Some(quote) =
            quote.filter(|quote| is_quote_problem && (fault == Some(Fault::Expired) || self.expired.contains(quote)))
        {
            self.expired.insert(quote, true);
        }
    }

    fn end_status(&mut self, response: &ResponseSummary) {
        let settled = response.text("state") == Some("settled");
        if settled && response.text("quote_id").is_some_and(|quote| self.sent.contains(quote)) {
            self.checklist.pass(ChecklistItem::Status);
        }
    }

    /// Records a transaction: the response of the simulated chain names the `r` of the signature.
    fn end_transaction(&mut self, response: &ResponseSummary) {
        if response.text("status") != Some("accepted") {
            return;
        }
        self.checklist.pass(ChecklistItem::Swap);
        if self.has_forged {
            self.checklist.pass(ChecklistItem::VerifySignature);
        }
        if let Some(quote) = response.text("signature_r").and_then(|r| self.signed.get(r)).cloned() {
            self.sent.insert(quote, ());
        }
    }
}

fn is_success(response: Option<&ResponseSummary>) -> bool {
    response.is_some_and(|response| response.status.is_success())
}
