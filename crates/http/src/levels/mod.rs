//! Price levels for clients: one computation and one encoding of each book, whoever reads it, as a snapshot or a stream.

mod bands;
mod hub;
mod message;
mod overview;
mod request;
mod snapshot;
mod stream;
mod topic;

pub(crate) use self::{
    hub::LevelHub,
    message::Message,
    overview::BookOverview,
    request::{LEVELS, LevelsInput},
    snapshot::LevelsSnapshot,
    stream::LevelStream,
};
