//! What an input may be and what it means, for every field there is.

use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, SchemaType, Type};

use crate::input::Field;

/// Where an input stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Body,
}

/// A whole number above zero in decimal digits, leading zeros allowed.
const DIGITS: &str = "^0*[1-9][0-9]*$";
const DECIMAL: &str = r"^[0-9]+(\.[0-9]+)?$";
const ADDRESS: &str = "^0x[0-9a-fA-F]{40}$";
const BYTES_32: &str = "^0x[0-9a-fA-F]{64}$";
const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const SYMBOL: &str = "^[!-~]{1,32}$";

/// The schema of `field` where it is not `null`.
pub(super) fn schema(field: Field, place: Place) -> ObjectBuilder {
    let one = |kind: Type| ObjectBuilder::new().schema_type(kind);
    let text = |pattern| one(Type::String).pattern(Some(pattern));
    match field {
        Field::ChainId => whole(place).maximum(usize::try_from(u64::MAX).ok()),
        Field::TimeInSeconds => whole(place).maximum(Some(u32::MAX)),
        Field::InputAmount | Field::OutputAmount => either([Type::Integer, Type::String], DIGITS).minimum(Some(1)),
        Field::InputAssetSymbol | Field::OutputAssetSymbol | Field::Symbol => text(SYMBOL),
        Field::PoolAddress | Field::DestinationAddress | Field::SenderAddress => text(ADDRESS),
        Field::QuoteId => text(UUID).format(Some(SchemaFormat::Custom("uuid".to_owned()))),
        Field::AuxData => text(BYTES_32),
        Field::Calldata | Field::NativeInput | Field::NativeOutput | Field::Transmit => match place {
            Place::Path | Place::Query => {
                one(Type::String).enum_values(Some(["true", "false", "True", "False", "1", "0"]))
            }
            Place::Body => one(Type::Boolean),
        },
        Field::Fieldset => one(Type::String).enum_values(Some(["offchain-data", "all"])),
        Field::PriceUsd => either([Type::Number, Type::String], DECIMAL).exclusive_minimum(Some(0)),
        Field::ConfidenceUsd => either([Type::Number, Type::String], DECIMAL).minimum(Some(0)),
        Field::ObservedAt => either([Type::Integer, Type::String], "^[0-9]+$").minimum(Some(0)),
        // A list of objects, which `bodies` describes.
        Field::Prices => one(Type::Array),
    }
}

/// The schema of a member of a body that may be `null`.
pub(super) fn or_null(field: Field) -> ObjectBuilder {
    let built = schema(field, Place::Body).build();
    let mut kinds = match &built.schema_type {
        SchemaType::Type(kind) => vec![kind.clone()],
        SchemaType::Array(kinds) => kinds.clone(),
        SchemaType::AnyValue => Vec::new(),
    };
    kinds.push(Type::Null);
    ObjectBuilder::from(built).schema_type(SchemaType::Array(kinds))
}

/// The schema of a parameter of a query that may be empty, which is as if it were absent.
pub(super) fn or_empty(field: Field) -> ObjectBuilder {
    let mut schema = schema(field, Place::Query).build();
    if let Some(words) = &mut schema.enum_values {
        words.push(json!(""));
        return schema.into();
    }
    let pattern = format!("^$|{}", schema.pattern.take().as_deref().unwrap_or(DIGITS));
    if schema.schema_type == SchemaType::Type(Type::Integer) {
        schema.schema_type = SchemaType::from_iter([Type::Integer, Type::String]);
    }
    ObjectBuilder::from(schema).pattern(Some(pattern))
}

/// A whole number above zero: bodies may write it as a string too.
fn whole(place: Place) -> ObjectBuilder {
    match place {
        Place::Path | Place::Query => ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)),
        Place::Body => either([Type::Integer, Type::String], DIGITS).minimum(Some(1)),
    }
}

/// A number, or a string that holds one.
fn either(kinds: [Type; 2], pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter(kinds)).pattern(Some(pattern))
}

/// Whether it is required wherever an operation asks for it.
pub(super) const fn is_required(field: Field) -> bool {
    matches!(
        field,
        Field::ChainId
            | Field::InputAssetSymbol
            | Field::OutputAssetSymbol
            | Field::QuoteId
            | Field::DestinationAddress
            | Field::Prices
            | Field::Symbol
            | Field::PriceUsd
    )
}

/// What it means.
pub(super) const fn meaning(field: Field) -> &'static str {
    match field {
        Field::ChainId => "The chain, by its id (EIP-155).",
        Field::InputAssetSymbol => "The asset to give, by its name in the pool data; case-sensitive.",
        Field::OutputAssetSymbol => "The asset to receive, by its name in the pool data; case-sensitive.",
        Field::InputAmount => {
            "What is given, in base units, 1 to 2^256 - 1. Excludes `output_amount`; one is required."
        }
        Field::OutputAmount => {
            "What is wanted, in base units, 1 to 2^256 - 1. Excludes `input_amount`; one is required."
        }
        Field::TimeInSeconds => {
            "Seconds between acceptance and the transaction on the chain, the longer the worse. The pool says how many it \
             takes (1 to 600 unless configured otherwise) and its default."
        }
        Field::PoolAddress => "The pool; in mixed case with its EIP-55 checksum.",
        Field::QuoteId => "`id` of the quote.",
        Field::DestinationAddress => {
            "Who receives the output; in mixed case with its EIP-55 checksum. Not the zero address, nor one where the \
             output would be lost."
        }
        Field::SenderAddress => {
            "The account that the input comes from, the destination by default; in mixed case with its EIP-55 checksum."
        }
        Field::AuxData => "32 bytes that come back in the event of the swap; the service's name by default.",
        Field::Calldata => "Whether the answer carries the encoded call; false by default.",
        Field::NativeInput => {
            "Whether the input is the chain's native coin; false by default. Not with `native_output`."
        }
        Field::NativeOutput => {
            "Whether the output is the chain's native coin; false by default. Not with `native_input`."
        }
        Field::Transmit => {
            "Whether the call pulls the input from its caller, which takes an allowance; false by default: the input is in \
             the pool already."
        }
        Field::Fieldset => "Which set of pool data; without it, balances and values.",
        Field::Prices => "One price or more, each asset once.",
        Field::Symbol => "The asset.",
        Field::PriceUsd => "Its price in US dollars, with 8 decimals at most, above zero.",
        Field::ConfidenceUsd => "How far off the price may be, in US dollars; 0 by default.",
        Field::ObservedAt => "When it was observed, in Unix milliseconds; now by default.",
    }
}

/// One that the demo of the service understands.
pub(super) fn example(field: Field) -> Value {
    match field {
        Field::ChainId => json!(1),
        Field::InputAssetSymbol | Field::Symbol => json!("ETH"),
        Field::OutputAssetSymbol => json!("USDC"),
        Field::InputAmount => json!("1000000000000000000"),
        Field::OutputAmount => json!("2000000000"),
        Field::TimeInSeconds => json!(60),
        Field::PoolAddress => json!("0x655eDCE464CC797526600a462A8154650EEe4B77"),
        Field::QuoteId => json!("05a51aa6-41b5-4c61-a452-f1b95d0d43e4"),
        Field::DestinationAddress | Field::SenderAddress => json!("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
        Field::AuxData => json!("0x4669726d71756f74650000000000000000000000000000000000000000000000"),
        Field::Calldata | Field::NativeInput => json!(true),
        Field::NativeOutput | Field::Transmit => json!(false),
        Field::Fieldset => json!("offchain-data"),
        Field::Prices => json!([{"symbol": "ETH", "price_usd": "2080.527"}]),
        Field::PriceUsd => json!("2080.527"),
        Field::ConfidenceUsd => json!("0.4"),
        Field::ObservedAt => json!(1_763_700_000_123_u64),
    }
}
