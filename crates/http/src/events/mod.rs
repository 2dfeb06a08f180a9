//! The feed of events for the operator: what was signed, executed and changed, and what the pools hold.

mod event;
mod hub;
mod stream;

pub(crate) use self::{
    event::KINDS,
    hub::EventHub,
    stream::{EventConnection, EventFilter},
};
