//! Price levels and their streams.

use super::shared::{CHAIN, VERSION_2};
use crate::{
    levels::LEVELS,
    openapi::{
        examples,
        operation_spec::{
            Inputs, OperationSpec,
            SuccessBody::{Json, Text, Upgrade},
        },
    },
};

const ABOUT_LEVELS: &str = "Points of the pool's curve for each pair and direction. The straight lines between them never exceed the \
    curve: from the first knot to the last, a quote for an input is at least the line, rounded down. A book holds until its \
    `valid_until_ms`, unless a stream withdraws or replaces it. Covers all pools of the chain unless `pool_address` is given.";

const ABOUT_LEVEL_STREAM: &str = "The books of `levels_v2`, followed by every change: an event for each message, with \
    the type of the message as its `event`. `/asyncapi.json` describes the messages.";

const ABOUT_LEVEL_SOCKET: &str = "The messages of `level_stream_v2` as text frames of a WebSocket (RFC 6455). The service pings \
    every 15 seconds and closes a connection that was silent for 45 seconds.";

pub(super) const LEVELS_V2: OperationSpec = OperationSpec {
    id: "levels_v2",
    tag: VERSION_2,
    summary: "Price levels",
    about: ABOUT_LEVELS,
    success: "The books.",
    inputs: Inputs::path_and_query(CHAIN, LEVELS),
    body: Json("Levels", examples::levels),
};

pub(super) const LEVEL_STREAM_V2: OperationSpec = OperationSpec {
    id: "level_stream_v2",
    tag: VERSION_2,
    summary: "Price levels as Server-Sent Events",
    about: ABOUT_LEVEL_STREAM,
    success: "The stream.",
    inputs: Inputs::path_and_query(CHAIN, LEVELS),
    body: Text("text/event-stream"),
};

pub(super) const LEVEL_SOCKET_V2: OperationSpec = OperationSpec {
    id: "level_socket_v2",
    tag: VERSION_2,
    summary: "Price levels over a WebSocket",
    about: ABOUT_LEVEL_SOCKET,
    success: "The handshake is accepted; the messages follow.",
    inputs: Inputs::path_and_query(CHAIN, LEVELS),
    body: Upgrade,
};
