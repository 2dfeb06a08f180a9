//! Random requests of the clients in a storm.

mod credential_kind;
mod noise;
mod others;
mod quotes;
mod signs;
mod tampering;
mod values;

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

pub(super) use self::{
    credential_kind::{CredentialKind, ExpectedClient},
    noise::noise,
    others::{operators, pages},
    quotes::{Route, any as quote, from as quote_from, pool_data},
    signs::{quote_sign, sign, terms},
    tampering::tampered,
};
use super::{expected_quotes::Terms, response_schema::ResponseKind, wire::RawRequest};

/// Destinations and senders in valid requests.
pub(super) const DESTINATIONS: [&str; 4] = [
    "0x5151515151515151515151515151515151515151",
    "0x5252525252525252525252525252525252525252",
    "0x5353535353535353535353535353535353535353",
    "0x5454545454545454545454545454545454545454",
];

/// A request with its expectations.
#[derive(Clone, Debug)]
pub(super) struct GeneratedRequest {
    pub(super) raw_request: RawRequest,
    /// The kind of response expected for a 200.
    pub(super) kind: ResponseKind,
    /// The credentials in the request.
    pub(super) credential_kind: CredentialKind,
    pub(super) expected_client: ExpectedClient,
    /// Whether the request was modified after it was drawn.
    pub(super) is_tampered: bool,
    /// The requested signature, if any.
    pub(super) signature: Option<SignatureRequest>,
}

impl GeneratedRequest {
    /// Whether the service itself must respond to the request, since it is valid HTTP.
    pub(super) fn is_strict(&self) -> bool {
        let is_plain = !matches!(self.credential_kind, CredentialKind::Wrong | CredentialKind::Odd);
        is_plain && !self.is_tampered && self.kind != ResponseKind::Other
    }
}

/// A requested signature.
#[derive(Clone, Debug)]
pub(super) struct SignatureRequest {
    /// The ID of the quote; `None` if the request also creates it.
    pub(super) quote_id: Option<String>,
    pub(super) terms: Terms,
}

/// Returns a random element of `choices`.
pub(super) fn one<T: Clone>(rng: &mut ChaCha8Rng, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len())].clone()
}
