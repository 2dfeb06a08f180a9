//! Price levels for clients: each book is computed and encoded once for all snapshots and streams.

mod bands;
mod hub;
mod message;
mod overview;
mod request;
mod response;
mod snapshot;
mod stream;
mod stream_limits;
mod topic;
mod topics;

pub(crate) use self::{
    hub::LevelHub,
    message::Message,
    overview::LevelBookOverview,
    request::{LEVELS, LevelFormat, LevelsInput},
    snapshot::read_snapshot,
    stream::LevelStream,
    stream_limits::StreamPermit,
};
