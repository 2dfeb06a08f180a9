//! Credentials of requests: valid, invalid, none, or several at once.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::{Route, one};
use crate::storm::{
    secrets::{ACME_BASIC, ACME_KEY, BOLT_KEY, WRONG, WRONG_BASIC},
    wire::RawRequest,
};

/// The credentials in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::storm) enum CredentialKind {
    Acme,
    AcmeBasic,
    Bolt,
    Nothing,
    /// Invalid for every route.
    Wrong,
    /// Mixed or unusual credentials, which routes treat differently.
    Odd,
}

/// The client to which the service must attribute a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storm) enum ExpectedClient {
    /// This client.
    Client(&'static str),
    /// No client: the request must not succeed.
    Rejected,
    /// Unspecified.
    Unsure,
}

impl CredentialKind {
    /// Draws any credentials, mostly valid ones.
    pub(in crate::storm) fn any(rng: &mut ChaCha8Rng) -> Self {
        match rng.random_range(0..20) {
            0..8 => Self::Acme,
            8..12 => Self::Bolt,
            12..14 => Self::AcmeBasic,
            14..17 => Self::Nothing,
            17..19 => Self::Wrong,
            _ => Self::Odd,
        }
    }

    /// Draws valid credentials of a client.
    pub(in crate::storm) fn from_client(client: &str, rng: &mut ChaCha8Rng) -> Self {
        match client {
            "acme" => one(rng, &[Self::Acme, Self::Acme, Self::AcmeBasic]),
            "bolt" => Self::Bolt,
            _ => Self::Nothing,
        }
    }

    /// Returns the client to which a route attributes the credentials.
    pub(in crate::storm) const fn expected_client(self, route: Route) -> ExpectedClient {
        match (self, route) {
            (Self::Wrong, _) => ExpectedClient::Rejected,
            (Self::Odd, _) => ExpectedClient::Unsure,
            (Self::AcmeBasic, Route::PoolV1 | Route::V1) => ExpectedClient::Client("acme"),
            (_, Route::PoolV1) | (Self::AcmeBasic | Self::Nothing, Route::V2) => ExpectedClient::Rejected,
            (Self::Nothing, Route::V1) => ExpectedClient::Client("anonymous"),
            (Self::Acme, _) => ExpectedClient::Client("acme"),
            (Self::Bolt, _) => ExpectedClient::Client("bolt"),
        }
    }

    /// Adds the credentials and a random client address to a request.
    pub(in crate::storm) fn put_on(self, raw_request: RawRequest, rng: &mut ChaCha8Rng) -> RawRequest {
        let raw_request = from_somewhere(raw_request, rng);
        let basic = |token: &str| format!("Basic {token}");
        match self {
            Self::Acme => raw_request.header("x-api-key", ACME_KEY),
            Self::Bolt => raw_request.header("X-API-Key", BOLT_KEY),
            Self::AcmeBasic => raw_request.header("authorization", basic(ACME_BASIC)),
            Self::Nothing if rng.random_range(0..8) == 0 => raw_request.header("x-api-key", ""),
            Self::Nothing => raw_request,
            Self::Wrong => wrong(raw_request, rng),
            Self::Odd => match rng.random_range(0..4) {
                0 => raw_request.header("x-api-key", ACME_KEY).header("authorization", basic(WRONG_BASIC[0])),
                1 => raw_request.header("authorization", format!("Bearer {WRONG}")),
                2 => raw_request.header("x-api-key", WRONG).header("authorization", basic(ACME_BASIC)),
                _ => raw_request.header("authorization", ""),
            },
        }
    }
}

fn wrong(raw_request: RawRequest, rng: &mut ChaCha8Rng) -> RawRequest {
    let basic = |token: &str| format!("Basic {token}");
    match rng.random_range(0..8) {
        0 => raw_request.header("x-api-key", WRONG),
        1 => raw_request.header("x-api-key", ACME_KEY).header("x-api-key", ACME_KEY),
        2 => raw_request.header("x-api-key", [WRONG.as_bytes(), &[0xff, 0xfe, 0xc3, 0x28]].concat()),
        3 => raw_request.header("x-api-key", WRONG.repeat(800)),
        4 => raw_request.header("x-api-key", format!("{ACME_KEY}x")),
        5 => raw_request.header("x-api-key", WRONG).header("authorization", basic(one(rng, &WRONG_BASIC))),
        6 => raw_request.header("x-api-key", WRONG).header("authorization", basic("%%%")),
        _ => raw_request.header("x-api-key", WRONG).header("authorization", basic(&"YTph".repeat(2_000))),
    }
}

/// Adds an `X-Forwarded-For` header with one of a few hundred addresses, which may be valid, forged or malformed.
fn from_somewhere(raw_request: RawRequest, rng: &mut ChaCha8Rng) -> RawRequest {
    const NAME: &str = "x-forwarded-for";
    let (one, other) = (rng.random_range(1..255), rng.random_range(1..255));
    match rng.random_range(0..12) {
        0 => raw_request,
        1 => raw_request.header(NAME, format!("203.0.113.{one}, 198.51.100.{other}, 127.0.0.1")),
        2 => raw_request.header(NAME, format!("[2001:db8:{one}::{other}]:443")),
        3 => raw_request.header(NAME, format!("unknown, {one}")).header(NAME, ", ,,"),
        4 => raw_request.header(NAME, [0xff, 0x2c, 0x31]),
        5 => raw_request.header(NAME, "127.0.0.1,".repeat(700)),
        6 => raw_request.header(NAME, format!("10.0.{one}.999, ::ffff:10.0.0.{other}")),
        _ => raw_request.header(NAME, format!("198.51.100.{other}")),
    }
}
