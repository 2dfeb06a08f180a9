//! An event of the feed: an entry of the store, or the position of a pool, as JSON.

use std::fmt::Display;

use firmquote_desk::{AssetPosition, Desk, DeskError, EventCursor, EventStream, PoolPosition, StreamEntry};
use firmquote_domain::{Address, QuoteId};
use serde_json::{Map, Value, json};

use super::quote_event::ClientEvent;

/// An event of the feed.
#[derive(Debug)]
pub(crate) struct FeedEvent {
    /// The stream of its entry, and the cursor after it; `None` for a position, which is no entry.
    pub(super) entry: Option<(EventStream, EventCursor)>,
    /// Its kind, such as `signed`.
    pub(super) kind: String,
    /// The address of the pool, if it is about one.
    pub(super) pool: Option<String>,
    /// The event as JSON, for the operator.
    pub(super) json: String,
    /// The event for the client of its quote, if it is about the quote of one.
    pub(super) client_event: Option<ClientEvent>,
}

impl FeedEvent {
    /// Creates the event of an entry: its members, and by how much it changes, or may change, what the pool holds. Entries
    /// that cannot be read have a kind of their own.
    pub(super) async fn from_entry(entry: StreamEntry, desk: &Desk) -> Self {
        let client_event = ClientEvent::from_entry(&entry);
        let StreamEntry { stream, cursor, line } = entry;
        let mut members: Map<String, Value> = serde_json::from_str(&line).unwrap_or_default();
        let kind = members.get("event").and_then(Value::as_str).unwrap_or(UNREADABLE).to_owned();
        let delta = match kind.as_str() {
            "signed" => delta_of_signature(&members),
            "settled" => delta_of_settlement(&members, desk).await,
            _ => None,
        };
        if let Some(delta) = delta {
            members.insert("delta".to_owned(), delta);
        }
        members.insert("event".to_owned(), kind.clone().into());
        members.insert("id".to_owned(), cursor.to_string().into());
        let pool = members.get("pool").and_then(Value::as_str).map(str::to_owned);
        Self { entry: Some((stream, cursor)), kind, pool, json: Value::Object(members).to_string(), client_event }
    }

    /// Creates the event of an entry for the client of its quote only.
    pub(super) fn for_client(entry: StreamEntry) -> Self {
        let client_event = ClientEvent::from_entry(&entry);
        let StreamEntry { stream, cursor, .. } = entry;
        let kind = client_event.as_ref().map_or(UNREADABLE, |of_client| of_client.event.event.name());
        Self { entry: Some((stream, cursor)), kind: kind.to_owned(), pool: None, json: String::new(), client_event }
    }

    /// Creates the event of a block that was read.
    pub(super) fn from_position(position: &PoolPosition) -> Self {
        let asset = |AssetPosition { asset, balance, outstanding }: &AssetPosition| {
            json!({
                "token": asset.address.to_string(),
                "symbol": asset.symbol.as_str(),
                "decimals": asset.decimals.get(),
                "balance": balance.to_string(),
                "outstanding_inflow": outstanding.inflow.to_string(),
                "outstanding_outflow": outstanding.outflow.to_string(),
            })
        };
        let event = json!({
            "event": POSITION,
            "chain_id": position.pool.chain_id.get(),
            "pool": position.pool.address.to_string(),
            "block_number": position.block_number,
            "block_hash": position.block_hash.map(|hash| hash.to_string()),
            "block_timestamp": position.block_time.map(|time| time.seconds().get()),
            "confirmations": position.confirmations,
            "pool_tokens": position.pool_tokens.to_string(),
            "assets": position.assets.iter().map(asset).collect::<Vec<Value>>(),
        });
        let pool = Some(position.pool.address.to_string());
        Self { entry: None, kind: POSITION.to_owned(), pool, json: event.to_string(), client_event: None }
    }

    /// Creates the event that says that entries may be missing before `cursor`.
    pub(super) fn reset(cursor: &EventCursor) -> Self {
        let json = json!({"event": RESET, "id": cursor.to_string()}).to_string();
        Self { entry: None, kind: RESET.to_owned(), pool: None, json, client_event: None }
    }
}

/// Appends a Server-Sent Event (HTML, section 9.2).
pub(super) fn write_event(text: &mut String, id: Option<&dyn Display>, kind: &str, json: &str) {
    if let Some(id) = id {
        text.push_str(&format!("id: {id}\n"));
    }
    text.push_str(&format!("event: {kind}\ndata: {json}\n\n"));
}

/// The kind of an event with the position of a pool.
const POSITION: &str = "position";
/// The kind of the event after which entries may be missing.
pub(super) const RESET: &str = "reset";

/// The kind of an entry that cannot be read.
const UNREADABLE: &str = "unreadable";

/// The kinds of the entries of the ledger and of the operator's stream.
pub const OPERATOR_EVENT_KINDS: [&str; 10] =
    ["signed", "settled", "lapsed", "reorged", "paused", "resumed", "breaker", "config", "credential", "hedged"];

/// Returns the kind of this name, of all that a stream has.
pub(crate) fn event_kind(name: &str) -> Option<&'static str> {
    OPERATOR_EVENT_KINDS.into_iter().chain([POSITION, RESET, UNREADABLE]).find(|kind| *kind == name)
}

/// An entry of the ledger or of the operator's stream, or a `reset`: entries before it may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorEvent {
    /// Its kind.
    pub kind: String,
    /// The event as JSON, with its cursor as `id`.
    pub json: String,
}

impl OperatorEvent {
    /// Whether entries before it may be missing.
    pub fn is_reset(&self) -> bool {
        self.kind == RESET
    }
}

/// Events of the operator after a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorEventPage {
    /// The events.
    pub events: Vec<OperatorEvent>,
    /// The cursor after them.
    pub cursor: EventCursor,
}

/// Reads at most `count` entries of each stream after a cursor as the operator's stream has them, after a `reset` if entries
/// may be missing.
///
/// # Errors
/// [`DeskError::Store`] if the store could not be reached, or keeps none.
pub async fn read_operator_events(
    desk: &Desk,
    after: &EventCursor,
    count: usize,
) -> Result<OperatorEventPage, DeskError> {
    let page = desk.events(Some(after), count).await?;
    let operator_event = |FeedEvent { kind, json, .. }: FeedEvent| OperatorEvent { kind, json };
    let mut events = Vec::new();
    if page.is_reset {
        events.push(operator_event(FeedEvent::reset(&page.cursor)));
    }
    for entry in page.entries {
        events.push(operator_event(FeedEvent::from_entry(entry, desk).await));
    }
    Ok(OperatorEventPage { events, cursor: page.cursor })
}

/// What a signature may move: its input comes in, its output goes out.
fn delta_of_signature(members: &Map<String, Value>) -> Option<Value> {
    let leg = |name: &str| {
        let leg = members.get(name)?;
        Some((leg.get("token")?.as_str()?.to_owned(), leg.get("amount")?.as_str()?.to_owned()))
    };
    Some(delta(leg("input")?, leg("output")?))
}

/// What an execution moved, if its quote is still stored.
async fn delta_of_settlement(members: &Map<String, Value>, desk: &Desk) -> Option<Value> {
    let id: QuoteId = members.get("quote_id")?.as_str()?.parse().ok()?;
    let amount = |name: &str| Some(members.get(name)?.as_str()?.to_owned());
    let (input_amount, output_amount) = (amount("input_amount")?, amount("output_amount")?);
    let [input, output] = desk.tokens_of(id).await?.map(|token: Address| token.to_string());
    Some(delta((input, input_amount), (output, output_amount)))
}

fn delta(input: (String, String), output: (String, String)) -> Value {
    json!([
        {"token": input.0, "amount": input.1},
        {"token": output.0, "amount": format!("-{}", output.1)},
    ])
}
