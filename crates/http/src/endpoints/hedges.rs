//! Hedges: what the operator traded elsewhere to offset the swaps of the pools.

use std::str::FromStr;

use actix_web::{HttpResponse, web};
use firmquote_api as api;
use firmquote_domain::{Hedge, HedgeName, InvalidValue, Quantity, Symbol, Timestamp, Usd};
use serde_json::json;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, Purpose},
    operation::{Inputs, Operation, json},
};
use crate::{
    auth::Role,
    error::{AllowedMethods, ApiError, Reason},
    input::{Field, Fields, RawInput, Reader, ValueError, digits, out_of_range, text},
    request::RequestContext,
    routes::operator_access::{actor, authorize},
    wire,
};

const HEDGE: &[Field] = &[
    Field::HedgeId,
    Field::Venue,
    Field::SoldAssetSymbol,
    Field::SoldQuantity,
    Field::BoughtAssetSymbol,
    Field::BoughtQuantity,
    Field::Price,
    Field::FeeUsd,
    Field::ExecutedAt,
];

pub(crate) static HEDGES: Endpoint = Endpoint {
    path: "/hedges",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Put,
    access: Access::Operator(Role::Hedger),
    purpose: Purpose::Operator,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(put_hedge),
    operation: Some(Operation {
        id: "put_hedge",
        summary: "Report a hedge",
        about: "Records a trade on another venue in the operator's stream, for reports. The same hedge may be reported again; \
                another one needs an id of its own.",
        success: "The hedge is recorded.",
        inputs: Inputs::body(HEDGE),
        body: json::<api::RecordedHedge>(|| json!({"hedge_id": "binance-81236123", "is_new": true})),
        reasons: &[Reason::HedgeIdReused, Reason::Store],
        ..Operation::NEW
    }),
};

/// Records a hedge. A replacement may have changed the operators before the body arrived.
async fn put_hedge(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let body = context.body().await?;
    let service = context.current_service();
    let actor = actor(&context, authorize(&context, &service)?);
    let hedge = decode(&Fields::from_json(&body, HEDGE)?)?;
    let is_new = service.desk.record_hedge(&hedge, &actor).await.map_err(ApiError::Desk)?;
    wire::json::response(&api::RecordedHedge { hedge_id: hedge.id.to_string(), is_new })
}

/// Decodes the members of a hedge.
///
/// # Errors
/// [`ApiError::InvalidInput`] with every error.
fn decode(fields: &Fields<'_>) -> Result<Hedge, ApiError> {
    let mut reader = Reader::new(fields);
    let (id, venue) = (reader.required(Field::HedgeId, name), reader.required(Field::Venue, name));
    let sold = reader.required(Field::SoldAssetSymbol, symbol).zip(reader.required(Field::SoldQuantity, quantity));
    let bought =
        reader.required(Field::BoughtAssetSymbol, symbol).zip(reader.required(Field::BoughtQuantity, quantity));
    let (price, fee) = (reader.optional(Field::Price, quantity), reader.optional(Field::FeeUsd, usd));
    let executed_at = reader.required(Field::ExecutedAt, unix_milliseconds);
    if sold.as_ref().zip(bought.as_ref()).is_some_and(|(sold, bought)| sold.0 == bought.0) {
        let same = out_of_range("Input should be two different symbols");
        reader.reject_all([Field::SoldAssetSymbol, Field::BoughtAssetSymbol], same);
    }
    reader.finish(|| {
        Some(Hedge {
            id: id?,
            venue: venue?,
            sold: sold?,
            bought: bought?,
            price,
            fee: fee.unwrap_or_default(),
            executed_at: executed_at?,
        })
    })
}

fn name(received: &RawInput<'_>) -> Result<HedgeName, ValueError> {
    let parsed = text(received)?.parse();
    parsed.map_err(|_| out_of_range("Input should be 1 to 64 printable ASCII characters without blanks"))
}

fn symbol(received: &RawInput<'_>) -> Result<Symbol, ValueError> {
    let parsed = Symbol::new(&text(received)?);
    parsed.map_err(|_| out_of_range("Input should be a symbol: 1 to 32 printable ASCII characters without blanks"))
}

/// Parses a decimal, written as a number or a string; never through a float.
fn decimal<T: FromStr<Err = InvalidValue>>(received: &RawInput<'_>, allowed: &'static str) -> Result<T, ValueError> {
    let parsed = received.as_number_text().and_then(|text| text.parse().ok());
    parsed.ok_or(out_of_range(allowed))
}

fn quantity(received: &RawInput<'_>) -> Result<Quantity, ValueError> {
    decimal(received, "Input should be a decimal above 0 and below 10^38, with at most 18 decimals")
}

fn usd(received: &RawInput<'_>) -> Result<Usd, ValueError> {
    decimal(received, "Input should be 0 to 184467440737.09551615 US dollars, with at most 8 decimals")
}

fn unix_milliseconds(received: &RawInput<'_>) -> Result<Timestamp, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be a time in Unix milliseconds, from 2020 to 2099");
    const ALLOWED: std::ops::Range<u64> = 1_577_836_800_000..4_102_444_800_000;
    let milliseconds: u64 = digits(received)?.parse().map_err(|_| RANGE)?;
    let milliseconds = Some(milliseconds).filter(|milliseconds| ALLOWED.contains(milliseconds)).ok_or(RANGE)?;
    milliseconds.checked_mul(1_000).map(Timestamp::from_micros).ok_or(RANGE)
}
