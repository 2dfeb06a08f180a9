//! Responses to the operator: pauses and prices.

use firmquote_api as api;
use firmquote_desk::{InvalidPrice, InvalidPrices, InvalidReason, Pauses, PostError};
use firmquote_domain::PoolId;
use serde_json::{json, value::RawValue};

use crate::{
    error::ApiError,
    input::{Echo, Field, InvalidInput, InvalidKind, SYMBOLS, decimal, integer, unreadable_body},
};

/// The members of a price update, which the desk reads.
pub(crate) static PRICES: Field = Field::new("prices", "One or more prices, at most one per asset.")
    .list_of(&[&SYMBOL, &PRICE_USD, &CONFIDENCE_USD, &OBSERVED_AT])
    .required()
    .example(|| json!([{"symbol": "ETH", "price_usd": "2080.527"}]));

static SYMBOL: Field = Field::new("symbol", "Symbol of the asset.").with_schema(SYMBOLS.schema).required();

static PRICE_USD: Field = Field::new("price_usd", "Price in US dollars, above zero, with at most 8 decimals.")
    .with_schema(|| decimal().exclusive_minimum(Some(0)))
    .required();

static CONFIDENCE_USD: Field = Field::new("confidence_usd", "Uncertainty of the price, in US dollars; 0 by default.")
    .with_schema(|| decimal().minimum(Some(0)));

static OBSERVED_AT: Field = Field::new("observed_at", "Time of the observation, in Unix milliseconds; by default now.")
    .with_schema(|| integer().minimum(Some(0)));

/// Converts the rejection of the prices in `body` into an HTTP error.
pub(crate) fn map_price_error(error: PostError, body: &[u8]) -> ApiError {
    match error {
        PostError::Invalid(InvalidPrices::Unreadable(why)) => unreadable_body(why, body),
        PostError::Invalid(InvalidPrices::Invalid(found)) => {
            ApiError::InvalidInput(found.into_iter().map(InvalidInput::from).collect())
        }
        PostError::Desk(error) => ApiError::Desk(error),
    }
}

impl From<InvalidPrice> for InvalidInput {
    fn from(invalid: InvalidPrice) -> Self {
        let InvalidPrice { position, symbol, member, reason, error, received } = invalid;
        let message = match (reason, symbol) {
            (InvalidReason::Missing, None) => "Field required".to_owned(),
            (InvalidReason::Missing, Some(symbol)) => format!("{symbol}: Field required"),
            (_, None) => error.to_string(),
            (_, Some(symbol)) => format!("{symbol}: {error}"),
        };
        let input = match reason {
            InvalidReason::Missing => Echo::from_object(received.as_bytes()),
            _ => RawValue::from_string(received).map_or(Echo::Absent, Echo::from_json),
        };
        let item = position.map(|position| [api::Step::from(&PRICES), api::Step::Position(position)]);
        let member = member.map(|name| api::Step::Name(name.into()));
        let path = item.into_iter().flatten().chain(member).collect();
        Self { kind: kind(reason), path, message: message.into(), input }
    }
}

const fn kind(reason: InvalidReason) -> InvalidKind {
    match reason {
        InvalidReason::Missing => InvalidKind::Missing,
        InvalidReason::NotText => InvalidKind::StringType,
        InvalidReason::NotDecimal => InvalidKind::DecimalParsing,
        InvalidReason::NotInteger => InvalidKind::IntParsing,
        InvalidReason::NotList => InvalidKind::ListType,
        InvalidReason::NotObject => InvalidKind::ObjectType,
        InvalidReason::NotAllowed => InvalidKind::OutOfRange,
        InvalidReason::Repeated => InvalidKind::MutuallyExclusive,
    }
}

/// Returns the response about pools that were paused or resumed.
pub(crate) fn pauses_response(pools: &[PoolId], is_paused: bool, pauses: &Pauses) -> api::Pauses {
    let pause = |pool: &PoolId| api::PoolPause {
        chain_id: pool.chain_id.into(),
        pool_address: pool.address.into(),
        paused: is_paused,
    };
    let (shared, kept) = (pauses.is_shared(), pauses.outlives_process());
    api::Pauses { pools: pools.iter().map(pause).collect(), shared, kept }
}
