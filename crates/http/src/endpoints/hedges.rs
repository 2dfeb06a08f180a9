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
    input::{
        Field, Fields, Input, Kind, RawInput, Read, Reader, SYMBOLS, ValueError, decimal, digits, integer,
        out_of_range, pattern, text,
    },
    request::RequestContext,
    routes::operator_access::{actor, authorize},
    wire,
};

static HEDGE_ID: Input<Read<HedgeName>> = Input::new(
    &NAMES,
    Field::new("hedge_id", "Identifies the hedge: 1 to 64 printable ASCII characters without blanks.")
        .required()
        .example(|| json!("binance-81236123")),
);

static VENUE: Input<Read<HedgeName>> = Input::new(
    &NAMES,
    Field::new("venue", "Where it was traded: 1 to 64 printable ASCII characters without blanks.")
        .required()
        .example(|| json!("binance")),
);

static SOLD_ASSET_SYMBOL: Input<Read<Symbol>> = Input::new(
    &ASSET_SYMBOLS,
    Field::new("sold_asset_symbol", "Symbol of the asset that was paid.").required().example(|| json!("ETH")),
);

static SOLD_QUANTITY: Input<Read<Quantity>> = Input::new(
    &QUANTITIES,
    Field::new("sold_quantity", "What was paid, in whole units with at most 18 decimals.")
        .required()
        .example(|| json!("1.5")),
);

static BOUGHT_ASSET_SYMBOL: Input<Read<Symbol>> = Input::new(
    &ASSET_SYMBOLS,
    Field::new("bought_asset_symbol", "Symbol of the asset that was received.").required().example(|| json!("USDC")),
);

static BOUGHT_QUANTITY: Input<Read<Quantity>> = Input::new(
    &QUANTITIES,
    Field::new("bought_quantity", "What was received, in whole units with at most 18 decimals.")
        .required()
        .example(|| json!("3120.79")),
);

static PRICE: Input<Read<Quantity>> = Input::new(
    &QUANTITIES,
    Field::new("price", "The price as the venue states it, for information, with at most 18 decimals.")
        .example(|| json!("2080.5267")),
);

static FEE_USD: Input<Read<Usd>> = Input::new(
    &Kind { read: usd, schema: || decimal().minimum(Some(0)) },
    Field::new("fee_usd", "The fee of the venue in US dollars, with at most 8 decimals; 0 by default.")
        .example(|| json!("0.31")),
);

static EXECUTED_AT: Input<Read<Timestamp>> = Input::new(
    &Kind { read: unix_milliseconds, schema: || integer().minimum(Some(0)) },
    Field::new("executed_at", "When it was executed, in Unix milliseconds.")
        .required()
        .example(|| json!(1_763_700_000_123_u64)),
);

const NAMES: Kind<Read<HedgeName>> = Kind { read: name, schema: || pattern("^[!-~]{1,64}$") };
const ASSET_SYMBOLS: Kind<Read<Symbol>> = Kind { read: symbol, schema: SYMBOLS.schema };
const QUANTITIES: Kind<Read<Quantity>> = Kind { read: quantity, schema: || decimal().exclusive_minimum(Some(0)) };

const HEDGE: &[&Field] = &[
    &HEDGE_ID.field,
    &VENUE.field,
    &SOLD_ASSET_SYMBOL.field,
    &SOLD_QUANTITY.field,
    &BOUGHT_ASSET_SYMBOL.field,
    &BOUGHT_QUANTITY.field,
    &PRICE.field,
    &FEE_USD.field,
    &EXECUTED_AT.field,
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
    let (id, venue) = (reader.required(&HEDGE_ID), reader.required(&VENUE));
    let sold = reader.required(&SOLD_ASSET_SYMBOL).zip(reader.required(&SOLD_QUANTITY));
    let bought = reader.required(&BOUGHT_ASSET_SYMBOL).zip(reader.required(&BOUGHT_QUANTITY));
    let (price, fee) = (reader.optional(&PRICE), reader.optional(&FEE_USD));
    let executed_at = reader.required(&EXECUTED_AT);
    if sold.as_ref().zip(bought.as_ref()).is_some_and(|(sold, bought)| sold.0 == bought.0) {
        let same = out_of_range("Input should be two different symbols");
        reader.reject_all([&SOLD_ASSET_SYMBOL.field, &BOUGHT_ASSET_SYMBOL.field], same);
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
fn parse_decimal<T: FromStr<Err = InvalidValue>>(
    received: &RawInput<'_>,
    allowed: &'static str,
) -> Result<T, ValueError> {
    let parsed = received.as_number_text().and_then(|text| text.parse().ok());
    parsed.ok_or(out_of_range(allowed))
}

fn quantity(received: &RawInput<'_>) -> Result<Quantity, ValueError> {
    parse_decimal(received, "Input should be a decimal above 0 and below 10^38, with at most 18 decimals")
}

fn usd(received: &RawInput<'_>) -> Result<Usd, ValueError> {
    parse_decimal(received, "Input should be 0 to 184467440737.09551615 US dollars, with at most 8 decimals")
}

fn unix_milliseconds(received: &RawInput<'_>) -> Result<Timestamp, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be a time in Unix milliseconds, from 2020 to 2099");
    const ALLOWED: std::ops::Range<u64> = 1_577_836_800_000..4_102_444_800_000;
    let milliseconds: u64 = digits(received)?.parse().map_err(|_| RANGE)?;
    let milliseconds = Some(milliseconds).filter(|milliseconds| ALLOWED.contains(milliseconds)).ok_or(RANGE)?;
    milliseconds.checked_mul(1_000).map(Timestamp::from_micros).ok_or(RANGE)
}
