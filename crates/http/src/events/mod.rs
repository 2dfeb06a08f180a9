//! Streams of events: for the operator, of what was signed, executed and changed, and what the pools hold; for a client, of
//! its own quotes.

mod audience;
mod client_cursor;
mod event;
mod hub;
mod quote_event;
mod stream;

pub use self::event::{OPERATOR_EVENT_KINDS, OperatorEvent, OperatorEventPage, read_operator_events};
pub(crate) use self::{
    audience::{ClientFilter, EventFilter},
    event::event_kind,
    hub::EventHub,
    stream::EventConnection,
};
