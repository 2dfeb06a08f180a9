//! Price levels: for each pair and direction, points of the curve that quotes are priced on, published until they
//! expire.

mod inputs;
mod level_book;
mod publication;
mod request;

pub use self::{
    level_book::{LevelBook, LevelState, Validity, WithdrawalReason},
    publication::LevelPublication,
    request::{BookTerms, LevelBookKey, LevelsRequest, MAX_KNOTS, MIN_KNOTS},
};
