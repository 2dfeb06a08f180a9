//! The items of the checklist for quotes, their signatures and their transactions.

use firmquote_api::Reason;
use firmquote_domain::{Timestamp, is_expired};
use serde_json::{Map, Value};

use super::{ChecklistItem, RETRY_TOLERANCE_MICROS, RequestSummary, ResponseSummary, Session};
use crate::Fault;

/// How long a client may take to notice that levels were withdrawn.
const WITHDRAWAL_TOLERANCE_MICROS: u64 = 1_000_000;

impl Session {
    pub(super) fn check_signature_request(&mut self, request: &RequestSummary, now: Timestamp) {
        let Some(quote) = request.text("quote_id") else { return };
        // The same terms may be repeated for as long as their signature is valid.
        let is_repeated =
            self.lost_signatures.contains(quote) || self.quotes_by_signature.values().any(|signed| signed == quote);
        let until = self.quotes.get(quote).filter(|_| !is_repeated);
        if until.is_some_and(|until| is_expired(until.plus_micros(RETRY_TOLERANCE_MICROS), now)) {
            self.checklist.fail(
                ChecklistItem::Expiry,
                format!("quote {quote}: a signature was requested after its must_accept_by"),
            );
        }
        if self.expired_quotes.get(quote) == Some(&true) {
            self.checklist.fail(
                ChecklistItem::Expiry,
                format!("quote {quote}: a signature was requested again after it had expired"),
            );
        } else {
            self.pass_expiry();
        }
        if self.conflicted_quotes.contains(quote) {
            self.checklist.fail(
                ChecklistItem::Conflict,
                format!("quote {quote}: a signature was requested again after its conflict"),
            );
        } else if !self.conflicted_quotes.is_empty() {
            self.checklist.pass(ChecklistItem::Conflict);
        }
        if let Some(terms) = self.lost_signatures.remove(&quote.to_owned()) {
            if terms == request.terms(self.default_aux_data) {
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
        if self.expired_quotes.values().any(|is_refused| *is_refused) {
            self.checklist.pass(ChecklistItem::Expiry);
        }
    }

    pub(super) fn check_quote_request(&mut self, request: &RequestSummary, now: Timestamp) {
        self.pass_expiry();
        if !self.conflicted_quotes.is_empty() {
            self.checklist.pass(ChecklistItem::Conflict);
        }
        match request.text("levels_id") {
            Some(levels) if self.withdrawn_levels.contains(levels) => {
                let at = self.withdrawn_levels.get(levels);
                if at.is_some_and(|at| at.plus_micros(WITHDRAWAL_TOLERANCE_MICROS) < now) {
                    let failure = format!("levels {levels} were named after they were withdrawn");
                    self.checklist.fail(ChecklistItem::WithdrawnLevels, failure);
                }
            }
            Some(_) if !self.withdrawn_levels.is_empty() => self.checklist.pass(ChecklistItem::WithdrawnLevels),
            _ => {}
        }
    }

    pub(super) fn record_quote(&mut self, members: &Map<String, Value>) {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let until = text("must_accept_by").and_then(|until| until.parse::<jiff::Timestamp>().ok());
        let until = until.and_then(|until| u64::try_from(until.as_microsecond()).ok());
        if let (Some(id), Some(until)) = (text("id"), until) {
            self.quotes.insert(id.to_owned(), Timestamp::from_micros(until));
        }
    }

    pub(super) fn record_signature_response(
        &mut self,
        request: &RequestSummary,
        fault: Option<Fault>,
        response: &ResponseSummary,
    ) {
        let quote = request.text("quote_id").or_else(|| response.text("id")).map(str::to_owned);
        if response.status.is_success() {
            self.has_forged_signature |= fault == Some(Fault::Forged);
            let r = response.members.get("signature").and_then(|signature| signature.get("r")?.as_str());
            if let (Some(r), Some(quote)) = (r, quote) {
                self.quotes_by_signature.insert(r.to_owned(), quote);
            }
            return;
        }
        let reason: Option<Reason> = response.text("reason").and_then(|name| name.parse().ok());
        if let (true, Some(quote)) = (reason.is_some_and(Reason::is_conflict), &quote) {
            self.conflicted_quotes.insert(quote.clone(), ());
        }
        if let Some(Value::Object(fresh)) = response.members.get("fresh_quote") {
            self.record_quote(fresh);
        }
        let is_quote_problem = response.members.get("errorCode") == Some(&Value::from(409));
        if let Some(quote) = quote
            .filter(|quote| is_quote_problem && (fault == Some(Fault::Expired) || self.expired_quotes.contains(quote)))
        {
            self.expired_quotes.insert(quote, true);
        }
    }

    pub(super) fn record_status(&mut self, response: &ResponseSummary) {
        let settled = response.text("state") == Some("settled");
        if settled && response.text("quote_id").is_some_and(|quote| self.sent_quotes.contains(quote)) {
            self.checklist.pass(ChecklistItem::Status);
        }
    }

    /// Records a transaction: the response of the simulated chain names the `r` of the signature.
    pub(super) fn record_transaction(&mut self, response: &ResponseSummary) {
        if response.text("status") == Some("accepted") {
            self.record_executed_swap(response.text("signature_r"));
        }
    }

    /// Records that a swap executes whose signature has this `r`.
    pub(crate) fn record_executed_swap(&mut self, signature_r: Option<&str>) {
        self.checklist.pass(ChecklistItem::Swap);
        if self.has_forged_signature {
            self.checklist.pass(ChecklistItem::VerifySignature);
        }
        if let Some(quote) = signature_r.and_then(|r| self.quotes_by_signature.get(r)).cloned() {
            self.sent_quotes.insert(quote, ());
        }
    }
}
