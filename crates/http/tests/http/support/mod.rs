//! A server with the demo pool, two clients, and a clock and a market under the control of tests.

mod answer;
mod authority;
mod demo;
mod document;
mod level_events;
mod publishers;
mod rig;
mod sockets;
mod stores;

pub(crate) use answer::TestResponse;
pub(crate) use authority::Certificate;
pub(crate) use demo::{DAI, ETH, POOL, USDC, demo_pool, demo_state, demo_symbols};
pub(crate) use level_events::{LevelEvents, PATIENCE, Publisher};
pub(crate) use publishers::{BrokenPublisher, RecordingPublisher};
pub(crate) use rig::{Rig, Start, api_key};
pub(crate) use sockets::{QUOTE_BODY, connect, read_to_end};
pub(crate) use stores::{BrokenSigner, broken_store, gated_store, panicking_store};
