//! Random requests of the clients in a storm.

mod noise;
mod others;
mod quotes;
mod showing;
mod signs;
mod tampering;
mod values;

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

pub(super) use self::{
    noise::noise,
    others::{operators, pages},
    quotes::{Route, any as quote, from as quote_from, pool_data},
    showing::{Asker, Showing},
    signs::{quote_sign, sign, terms},
    tampering::tampered,
};
use super::{expected_quotes::Terms, forms::ResponseKind, wire::Draft};

/// Destinations and senders in valid requests.
pub(super) const DESTINATIONS: [&str; 4] = [
    "0x5151515151515151515151515151515151515151",
    "0x5252525252525252525252525252525252525252",
    "0x5353535353535353535353535353535353535353",
    "0x5454545454545454545454545454545454545454",
];

/// A request with its expectations.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) draft: Draft,
    /// The kind of response expected for a 200.
    pub(super) form: ResponseKind,
    /// The credentials in the request.
    pub(super) showing: Showing,
    pub(super) asker: Asker,
    /// Whether the request was modified after it was drawn.
    pub(super) is_tampered: bool,
    /// The requested signature, if any.
    pub(super) wanted: Option<Wanted>,
}

impl Ask {
    /// Whether the service itself must respond to the request, since it is valid HTTP.
    pub(super) fn is_strict(&self) -> bool {
        let is_plain = !matches!(self.showing, Showing::Wrong | Showing::Odd);
        is_plain && !self.is_tampered && self.form != ResponseKind::Other
    }
}

/// A requested signature.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The ID of the quote; `None` if the request also creates it.
    pub(super) quote_id: Option<String>,
    pub(super) terms: Terms,
}

/// Returns a random element of `choices`.
pub(super) fn one<T: Clone>(rng: &mut ChaCha8Rng, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len())].clone()
}
