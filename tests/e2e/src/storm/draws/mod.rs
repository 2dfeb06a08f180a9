//! What clients ask in a storm, drawn at random.

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
use super::{forms::Form, promises::Terms, wire::Draft};

/// Who receives and who gives, in requests that are right.
pub(super) const DESTINATIONS: [&str; 4] = [
    "0x5151515151515151515151515151515151515151",
    "0x5252525252525252525252525252525252525252",
    "0x5353535353535353535353535353535353535353",
    "0x5454545454545454545454545454545454545454",
];

/// A request, and what its client knows of it.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) draft: Draft,
    /// What a 200 would be an answer to.
    pub(super) form: Form,
    /// What it shows for a credential.
    pub(super) showing: Showing,
    pub(super) asker: Asker,
    /// Whether it is no longer what it was drawn as.
    pub(super) is_tampered: bool,
    /// What it wants signed.
    pub(super) wanted: Option<Wanted>,
}

impl Ask {
    /// Whether it is a request that has to be answered, by the service itself: not one whose form may be no HTTP.
    pub(super) fn is_strict(&self) -> bool {
        let is_plain = !matches!(self.showing, Showing::Wrong | Showing::Odd);
        is_plain && !self.is_tampered && self.form != Form::Other
    }
}

/// A signature that is asked for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The quote; `None` if it is to be made.
    pub(super) quote_id: Option<String>,
    pub(super) terms: Terms,
}

/// One of `choices`.
pub(super) fn one<T: Clone>(rng: &mut ChaCha8Rng, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len())].clone()
}
