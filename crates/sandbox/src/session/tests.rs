//! Every item of the checklist, with a taker who does what it requires and one who does not.

use firmquote_desk::CONFLICT_MESSAGE;
use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use super::{checklist::ItemState, *};

const NOW: Timestamp = Timestamp::from_seconds(1_795_222_800);

/// A taker with its session and its clock.
struct Taker {
    session: Session,
    now: Timestamp,
}

impl Taker {
    fn new() -> Self {
        Self { session: Session::default(), now: NOW }
    }

    fn wait_ms(&mut self, ms: u64) {
        self.now = self.now.plus_micros(ms * 1_000);
    }

    /// Sends a request, and receives a response, unless the fault loses it.
    fn send(&mut self, operation: Operation, fields: &Value, fault: Option<Fault>, status: u16, members: &Value) {
        let retry_after = (status == 429).then_some(5);
        let head = format!("{operation:?}");
        let request = RequestSummary::new(operation, &head, "", fields.to_string().as_bytes());
        self.session.record_request(&request, fault, self.now);
        let status = StatusCode::from_u16(status).unwrap();
        let response = ResponseSummary::new(status, retry_after, members.to_string().as_bytes());
        self.session.record_outcome(&HandledRequest { request, fault, response: Some(response) }, self.now);
    }

    fn quote(&mut self, id: &str, fault: Option<Fault>) {
        let members = json!({"id": id, "must_accept_by": "2026-11-21 01:00:30.000000+00:00"});
        self.send(Operation::Quote, &json!({"input_amount": id}), fault, 200, &members);
    }

    fn sign(&mut self, id: &str, destination: &str, fault: Option<Fault>) {
        let members = json!({"id": id, "signature": {"r": format!("r of {id}")}});
        self.send(Operation::Sign, &terms(id, destination), fault, 200, &members);
    }

    fn execute(&mut self, id: &str, status: &str) {
        let members = json!({"status": status, "signature_r": format!("r of {id}")});
        self.send(Operation::Transaction, &json!({"data": id}), None, 200, &members);
    }

    fn state(&self, item: ChecklistItem) -> ItemState {
        let report = self.session.checklist.report().into_iter().find(|report| report.point == item.name()).unwrap();
        assert_eq!(report.failure.is_some(), report.state == ItemState::Failed);
        report.state
    }
}

fn terms(quote: &str, destination: &str) -> Value {
    json!({"quote_id": quote, "destination_address": destination})
}

/// Returns the state of an item after a taker met its situation, and did what it requires or not.
fn outcome(item: ChecklistItem, is_honest: bool) -> ItemState {
    let mut taker = Taker::new();
    match item {
        ChecklistItem::Swap => {
            taker.quote("a", None);
            taker.sign("a", "0x1", None);
            taker.execute("a", if is_honest { "accepted" } else { "reverted" });
        }
        ChecklistItem::Status => {
            taker.sign("a", "0x1", None);
            taker.execute("a", "accepted");
            let (sought, state) = if is_honest { ("a", "settled") } else { ("b", "settled") };
            let members = json!({"quote_id": sought, "state": state});
            taker.send(Operation::QuoteStatus, &json!({}), None, 200, &members);
        }
        ChecklistItem::VerifySignature => {
            taker.sign("a", "0x1", Some(Fault::Forged));
            match is_honest {
                true => taker.execute("b", "accepted"),
                false => taker.session.record_forged_transaction(),
            }
        }
        ChecklistItem::Conflict => {
            let conflict = json!({"errorMessage": CONFLICT_MESSAGE, "reason": "price"});
            taker.send(Operation::Sign, &terms("a", "0x1"), Some(Fault::Conflict), 400, &conflict);
            taker.sign(if is_honest { "b" } else { "a" }, "0x1", None);
        }
        ChecklistItem::Expiry => {
            let expired = json!({"errorCode": 409, "errorMessage": "Quote has expired"});
            taker.quote("a", Some(Fault::Expired));
            taker.send(Operation::Sign, &terms("a", "0x1"), None, 400, &expired);
            match is_honest {
                true => taker.quote("b", None),
                false => taker.sign("a", "0x1", None),
            }
        }
        ChecklistItem::SameTerms => {
            taker.sign("a", "0x1", Some(Fault::LostAnswer));
            taker.sign("a", if is_honest { "0x1" } else { "0x2" }, None);
        }
        ChecklistItem::Reconnect => {
            taker.send(Operation::Pool, &json!({"n": 1}), Some(Fault::Cut), 200, &json!({}));
            taker.send(Operation::Pool, &json!({"n": if is_honest { 1 } else { 2 }}), None, 200, &json!({}));
        }
        ChecklistItem::RetryAfter => {
            taker.send(Operation::Pool, &json!({"n": 1}), Some(Fault::RateLimited), 429, &json!({}));
            taker.wait_ms(if is_honest { 5_000 } else { 4_000 });
            taker.send(Operation::Pool, &json!({"n": 2}), None, 200, &json!({}));
        }
        ChecklistItem::StreamGap => {
            let gap_at = Some(taker.now);
            taker.wait_ms(if is_honest { 6_000 } else { 25_000 });
            taker.session.record_stream_end(gap_at, taker.now);
            taker.send(Operation::LevelStream, &json!({}), None, 200, &json!({}));
        }
        ChecklistItem::WithdrawnLevels => {
            taker.session.record_withdrawal("old", taker.now);
            taker.wait_ms(2_000);
            let levels = json!({"levels_id": if is_honest { "new" } else { "old" }});
            taker.send(Operation::Quote, &levels, None, 200, &json!({}));
        }
    }
    taker.state(item)
}

#[test]
fn each_item_is_passed_by_what_it_requires_and_by_nothing_else() {
    for item in ChecklistItem::iter() {
        assert_eq!(outcome(item, true), ItemState::Passed, "{item:?}");
        // What never happened is open; what was done wrong has failed.
        let expected = match item {
            ChecklistItem::Swap | ChecklistItem::Status | ChecklistItem::Reconnect => ItemState::Open,
            _ => ItemState::Failed,
        };
        assert_eq!(outcome(item, false), expected, "{item:?}");
    }
}

#[test]
fn what_was_done_wrong_once_stays_failed() {
    let mut taker = Taker::new();
    taker.sign("a", "0x1", Some(Fault::LostAnswer));
    taker.sign("a", "0x2", None);
    taker.sign("b", "0x1", Some(Fault::LostAnswer));
    taker.sign("b", "0x1", None);
    assert_eq!(taker.state(ChecklistItem::SameTerms), ItemState::Failed);
}
