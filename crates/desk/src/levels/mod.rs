//! Price levels: for each pair and direction, points of the curve that quotes are priced on, published until they expire.

mod inputs;
mod publication;
mod request;

pub use self::{
    publication::{LevelBook, LevelPublication, LevelState, Validity, WithdrawalReason},
    request::{LevelBookKey, LevelsRequest, MAX_KNOTS, MIN_KNOTS},
};
