//! Schema, description and example of every input field.

use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, SchemaType, Type};

use firmquote_desk::{MAX_KNOTS, MIN_KNOTS};

use crate::input::Field;

/// The part of a request that contains an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Body,
}

/// A positive integer in decimal digits, leading zeros allowed.
const DIGITS: &str = "^0*[1-9][0-9]*$";
const DECIMAL: &str = r"^[0-9]+(\.[0-9]+)?$";
const ADDRESS: &str = "^0x[0-9a-fA-F]{40}$";
const BYTES_32: &str = "^0x[0-9a-fA-F]{64}$";
const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const HEX_ID: &str = "^[0-9a-fA-F]{32}$";
const AMOUNTS: &str = "^0*[1-9][0-9]*(,0*[1-9][0-9]*){0,31}$";
const TIMES: &str = "^0*[1-9][0-9]*(,0*[1-9][0-9]*){0,7}$";
const PAIRS: &str = "^[!-~]+-[!-~]+$";
const SYMBOL: &str = "^[!-~]{1,32}$";

/// The schema of `field` when it is not `null`.
pub(super) fn schema(field: Field, place: Place) -> ObjectBuilder {
    let one = |kind: Type| ObjectBuilder::new().schema_type(kind);
    let text = |pattern| one(Type::String).pattern(Some(pattern));
    match field {
        Field::ChainId => whole(place).maximum(usize::try_from(u64::MAX).ok()),
        Field::TimeInSeconds => whole(place).maximum(Some(u32::MAX)),
        Field::InputAmount | Field::OutputAmount => either([Type::Integer, Type::String], DIGITS).minimum(Some(1)),
        Field::InputAssetSymbol | Field::OutputAssetSymbol | Field::Symbol => text(SYMBOL),
        Field::InputAssetAddress
        | Field::OutputAssetAddress
        | Field::PoolAddress
        | Field::DestinationAddress
        | Field::SenderAddress => text(ADDRESS),
        Field::QuoteId => text(UUID).format(Some(SchemaFormat::Custom("uuid".to_owned()))),
        Field::StateId | Field::LevelsId => text(HEX_ID),
        Field::Amounts => text(AMOUNTS),
        Field::Times => text(TIMES),
        Field::Pairs => text(PAIRS),
        Field::Knots => whole(place).minimum(Some(MIN_KNOTS)).maximum(Some(MAX_KNOTS)),
        Field::Format => one(Type::String).enum_values(Some(["cumulative", "incremental"])),
        Field::AuxData => text(BYTES_32),
        Field::Calldata
        | Field::NativeInput
        | Field::NativeOutput
        | Field::Transmit
        | Field::Guarantee
        | Field::Strict => match place {
            Place::Path | Place::Query => {
                one(Type::String).enum_values(Some(["true", "false", "True", "False", "1", "0"]))
            }
            Place::Body => one(Type::Boolean),
        },
        Field::Fieldset => one(Type::String).enum_values(Some(["offchain-data", "all"])),
        Field::PriceUsd => either([Type::Number, Type::String], DECIMAL).exclusive_minimum(Some(0)),
        Field::ConfidenceUsd => either([Type::Number, Type::String], DECIMAL).minimum(Some(0)),
        Field::ObservedAt => either([Type::Integer, Type::String], "^[0-9]+$").minimum(Some(0)),
        Field::Day => text("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
        // A list of objects, which `bodies` describes.
        Field::Prices => one(Type::Array),
    }
}

/// The schema of a body member that may be `null`.
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

/// The schema of a query parameter that may be empty, which counts as absent.
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

/// A positive integer, which bodies may also contain as a string.
fn whole(place: Place) -> ObjectBuilder {
    match place {
        Place::Path | Place::Query => ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)),
        Place::Body => either([Type::Integer, Type::String], DIGITS).minimum(Some(1)),
    }
}

/// A number, or a string that contains one.
fn either(kinds: [Type; 2], pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter(kinds)).pattern(Some(pattern))
}

/// Whether `field` is required by every operation that accepts it.
pub(super) const fn is_required(field: Field) -> bool {
    matches!(
        field,
        Field::ChainId
            | Field::Amounts
            | Field::QuoteId
            | Field::DestinationAddress
            | Field::Prices
            | Field::Symbol
            | Field::PriceUsd
    )
}

/// The description of `field`.
pub(super) const fn meaning(field: Field) -> &'static str {
    match field {
        Field::ChainId => "The chain id (EIP-155).",
        Field::InputAssetSymbol => "Symbol of the input asset, which is its `name` in the pool data; case-sensitive.",
        Field::OutputAssetSymbol => "Symbol of the output asset, which is its `name` in the pool data; case-sensitive.",
        Field::InputAssetAddress => {
            "Address of the input token, instead of `input_asset_symbol`; the wrapped one for the native coin. Mixed case must be \
             a valid EIP-55 checksum."
        }
        Field::OutputAssetAddress => {
            "Address of the output token, instead of `output_asset_symbol`; the wrapped one for the native coin. Mixed case must \
             be a valid EIP-55 checksum."
        }
        Field::InputAmount => {
            "Input amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required."
        }
        Field::OutputAmount => {
            "Output amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is \
             required."
        }
        Field::TimeInSeconds => {
            "Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 \
             unless configured otherwise) and default depend on the pool."
        }
        Field::Amounts => "1 to 32 input amounts in base units, separated by commas.",
        Field::Times => "1 to 8 validities as in `time_in_seconds`, separated by commas; by default that of the pool.",
        Field::Pairs => {
            "1 to 256 books, each an input and an output symbol joined by a hyphen, separated by commas; by \
             default all pairs in both directions."
        }
        Field::Knots => "Maximum number of knots in a book, 2 to 64; 16 by default.",
        Field::Format => "How levels are written: `cumulative` knots, the default, or `incremental` bands.",
        Field::PoolAddress => "Address of the pool contract. Mixed case must be a valid EIP-55 checksum.",
        Field::QuoteId => "`id` of the quote.",
        Field::StateId => {
            "Returns the pool in this state, which a quote or pool data of this replica named within the last minute."
        }
        Field::LevelsId => {
            "`levels_id` of a firm book: the quote pays at least the book's output for its input, on top of the \
             budget already used. Pair and `time_in_seconds` must match the book."
        }
        Field::DestinationAddress => {
            "Account that receives the output; if in mixed case, with a valid EIP-55 checksum. Neither the zero \
             address nor an address where the output would be lost."
        }
        Field::SenderAddress => {
            "Account that pays the input, by default the destination; if in mixed case, with a valid EIP-55 checksum."
        }
        Field::AuxData => "32 bytes emitted in the swap event; by default the service name.",
        Field::Calldata => "Whether the response contains the encoded call; false by default.",
        Field::NativeInput => {
            "Whether the input is the chain's native coin; false by default. Excludes `native_output`."
        }
        Field::NativeOutput => {
            "Whether the output is the chain's native coin; false by default. Excludes `native_input`."
        }
        Field::Transmit => {
            "Whether the call pulls the input from its caller, which requires an allowance; false by default: the \
             input is already in the pool."
        }
        Field::Guarantee => {
            "Requires a guaranteed swap; false by default. Where the contract checks the curve, a guarantee limits other \
             swaps and requires credentials and a minimum size."
        }
        Field::Fieldset => "The set of pool data to return; by default balances and values.",
        Field::Prices => "One or more prices, at most one per asset.",
        Field::Symbol => "Symbol of the asset.",
        Field::PriceUsd => "Price in US dollars, above zero, with at most 8 decimals.",
        Field::ConfidenceUsd => "Uncertainty of the price, in US dollars; 0 by default.",
        Field::ObservedAt => "Time of the observation, in Unix milliseconds; by default now.",
        Field::Strict => {
            "Whether an input that the operation does not have is an error; false by default: it is ignored."
        }
        Field::Day => "A day in UTC; by default the last 24 hours.",
    }
}

/// An example value that the demo configuration accepts.
pub(super) fn example(field: Field) -> Value {
    match field {
        Field::ChainId => json!(1),
        Field::InputAssetSymbol | Field::Symbol => json!("ETH"),
        Field::OutputAssetSymbol => json!("USDC"),
        Field::InputAssetAddress => json!("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
        Field::OutputAssetAddress => json!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
        Field::InputAmount => json!("1000000000000000000"),
        Field::OutputAmount => json!("2000000000"),
        Field::TimeInSeconds => json!(60),
        Field::Amounts => json!("1000000000000000000,2000000000000000000"),
        Field::Times => json!("15,60"),
        Field::Pairs => json!("ETH-USDC,USDC-ETH"),
        Field::Knots => json!(4),
        Field::Format => json!("cumulative"),
        Field::PoolAddress => json!("0x655eDCE464CC797526600a462A8154650EEe4B77"),
        Field::QuoteId => json!("05a51aa6-41b5-4c61-a452-f1b95d0d43e4"),
        Field::DestinationAddress | Field::SenderAddress => json!("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
        Field::StateId => json!("c1cb0df4f89a57982867f04bc8106daf"),
        Field::LevelsId => json!("51ee2ce4b5a24a6e8f5d1f0d9d2ea1c7"),
        Field::AuxData => json!("0x4669726d71756f74650000000000000000000000000000000000000000000000"),
        Field::Calldata | Field::NativeInput => json!(true),
        Field::NativeOutput | Field::Transmit | Field::Guarantee | Field::Strict => json!(false),
        Field::Fieldset => json!("offchain-data"),
        Field::Prices => json!([{"symbol": "ETH", "price_usd": "2080.527"}]),
        Field::PriceUsd => json!("2080.527"),
        Field::ConfidenceUsd => json!("0.4"),
        Field::ObservedAt => json!(1_763_700_000_123_u64),
        Field::Day => json!("2026-11-20"),
    }
}
