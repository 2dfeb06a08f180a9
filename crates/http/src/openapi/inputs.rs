//! Schema, description and example of every input field.

use serde_json::{Value, json};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};

use firmquote_desk::{MAX_KNOTS, MAX_SWAPS_PER_PAGE, MIN_KNOTS};

use super::examples::values;
use crate::input::Field;

/// A positive integer in decimal digits, leading zeros allowed.
const DIGITS: &str = "^0*[1-9][0-9]*$";
const DECIMAL: &str = r"^[0-9]+(\.[0-9]+)?$";
const INT64: SchemaFormat = SchemaFormat::KnownFormat(KnownFormat::Int64);
const ADDRESS: &str = "^0x[0-9a-fA-F]{40}$";
const BYTES_32: &str = "^0x[0-9a-fA-F]{64}$";
const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const HEX_ID: &str = "^[0-9a-fA-F]{32}$";
const AMOUNTS: &str = "^0*[1-9][0-9]*(,0*[1-9][0-9]*){0,31}$";
const TIMES: &str = "^0*[1-9][0-9]*(,0*[1-9][0-9]*){0,7}$";
const PAIRS: &str = "^[!-~]+-[!-~]+$";
const CURSOR: &str = "^[0-9a-fA-F]{48}$";
const LINE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,200}$";
const EVENT_ID: &str = "^[0-9a-fA-F]{32}(\\.[0-9]+-[0-9]+){2}$";
const SYMBOL: &str = "^[!-~]{1,32}$";

/// The schema of `field` when it is not absent: one type, though bodies may write numbers as strings and the reverse, and
/// queries booleans in other words. Generators give each input one type.
pub(super) fn schema(field: Field) -> ObjectBuilder {
    let one = |kind: Type| ObjectBuilder::new().schema_type(kind);
    let text = |pattern| one(Type::String).pattern(Some(pattern));
    match field {
        Field::ChainId => whole().maximum(usize::try_from(i64::MAX).ok()),
        Field::TimeInSeconds => whole().maximum(Some(u32::MAX)),
        Field::InputAmount | Field::OutputAmount => text(DIGITS),
        Field::InputAssetSymbol
        | Field::OutputAssetSymbol
        | Field::SoldAssetSymbol
        | Field::BoughtAssetSymbol
        | Field::Symbol => text(SYMBOL),
        Field::InputAssetAddress
        | Field::OutputAssetAddress
        | Field::PoolAddress
        | Field::DestinationAddress
        | Field::SenderAddress => text(ADDRESS),
        Field::QuoteId => text(UUID),
        Field::StateId | Field::LevelsId => text(HEX_ID),
        Field::Amounts => text(AMOUNTS),
        Field::Times => text(TIMES),
        Field::Pairs => text(PAIRS),
        Field::Knots => whole().minimum(Some(MIN_KNOTS)).maximum(Some(MAX_KNOTS)),
        Field::Format => one(Type::String).enum_values(Some(["cumulative", "incremental"])),
        Field::AuxData => text(BYTES_32),
        Field::Calldata
        | Field::NativeInput
        | Field::NativeOutput
        | Field::Transmit
        | Field::Guarantee
        | Field::Strict => one(Type::Boolean),
        Field::Fieldset => one(Type::String).enum_values(Some(["offchain-data", "all"])),
        Field::PriceUsd | Field::SoldQuantity | Field::BoughtQuantity | Field::Price => {
            either([Type::Number, Type::String], DECIMAL).exclusive_minimum(Some(0))
        }
        Field::CredentialId | Field::HedgeId | Field::Venue => text("^[!-~]{1,64}$"),
        Field::ConfidenceUsd | Field::FeeUsd => either([Type::Number, Type::String], DECIMAL).minimum(Some(0)),
        Field::ObservedAt | Field::ExecutedAt => one(Type::Integer).format(Some(INT64)).minimum(Some(0)),
        Field::Since | Field::Until => whole().minimum(Some(0)).maximum(Some(u32::MAX)),
        Field::Cursor => text(CURSOR),
        Field::Limit => whole().maximum(Some(MAX_SWAPS_PER_PAGE)),
        Field::Reason => text(LINE),
        Field::After => text(EVENT_ID),
        Field::LastEventId => text("^[A-Za-z0-9_-]+$"),
        Field::Kinds => text("^[a-z]+(,[a-z]+)*$"),
        Field::Day => text("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
        // A list of objects, which `bodies` describes.
        Field::Prices => one(Type::Array),
    }
}

/// The schema of a body member that may be `null`.
pub(super) fn or_null(field: Field) -> ObjectBuilder {
    let built = schema(field).build();
    let mut kinds = match &built.schema_type {
        SchemaType::Type(kind) => vec![kind.clone()],
        SchemaType::Array(kinds) => kinds.clone(),
        SchemaType::AnyValue => Vec::new(),
    };
    kinds.push(Type::Null);
    ObjectBuilder::from(built).schema_type(SchemaType::Array(kinds))
}

/// A positive integer.
fn whole() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).format(Some(INT64)).minimum(Some(1))
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
            | Field::CredentialId
            | Field::HedgeId
            | Field::Venue
            | Field::SoldAssetSymbol
            | Field::SoldQuantity
            | Field::BoughtAssetSymbol
            | Field::BoughtQuantity
            | Field::ExecutedAt
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
        Field::CredentialId => {
            "The credential: the first 12 hex digits of the SHA-256 of an API key, or a username, as `firmquote credential list` shows it."
        }
        Field::HedgeId => "Identifies the hedge: 1 to 64 printable ASCII characters without blanks.",
        Field::Venue => "Where it was traded: 1 to 64 printable ASCII characters without blanks.",
        Field::SoldAssetSymbol => "Symbol of the asset that was paid.",
        Field::SoldQuantity => "What was paid, in whole units with at most 18 decimals.",
        Field::BoughtAssetSymbol => "Symbol of the asset that was received.",
        Field::BoughtQuantity => "What was received, in whole units with at most 18 decimals.",
        Field::Price => "The price as the venue states it, for information, with at most 18 decimals.",
        Field::FeeUsd => "The fee of the venue in US dollars, with at most 8 decimals; 0 by default.",
        Field::ExecutedAt => "When it was executed, in Unix milliseconds.",
        Field::Strict => {
            "Whether an input that the operation does not have is an error; false by default: it is ignored."
        }
        Field::Since => "Only swaps that were signed in this Unix second or later.",
        Field::Until => "Only swaps that were signed before this Unix second.",
        Field::Cursor => "The `next_cursor` of the page before.",
        Field::Limit => "The most swaps to return, 1 to 100; 100 by default.",
        Field::Reason => "Why, for the log and the operator's stream. Required to end a pause of a breaker.",
        Field::After | Field::LastEventId => "The `id` of the last event that was received.",
        Field::Kinds => "Kinds of events, separated by commas; by default all.",
        Field::Day => "A day in UTC; by default the last 24 hours.",
    }
}

/// Whether examples of requests have `field`: of alternatives only one, since the other would contradict it, and no levels,
/// which would have expired.
pub(super) const fn is_in_example(field: Field) -> bool {
    !matches!(
        field,
        Field::OutputAmount
            | Field::InputAssetAddress
            | Field::OutputAssetAddress
            | Field::NativeOutput
            | Field::LevelsId
            | Field::Cursor
    )
}

/// An example value that the demo configuration accepts.
pub(super) fn example(field: Field) -> Value {
    match field {
        Field::ChainId => json!(1),
        Field::InputAssetSymbol | Field::Symbol => json!("ETH"),
        Field::OutputAssetSymbol => json!("USDC"),
        Field::InputAssetAddress => json!(values::ETH),
        Field::OutputAssetAddress => json!(values::USDC),
        Field::InputAmount => json!("1000000000000000000"),
        Field::OutputAmount => json!("2000000000"),
        Field::TimeInSeconds => json!(60),
        Field::Amounts => json!("1000000000000000000,2000000000000000000"),
        Field::Times => json!("15,60"),
        Field::Pairs => json!("ETH-USDC,USDC-ETH"),
        Field::Knots => json!(4),
        Field::Format => json!("cumulative"),
        Field::PoolAddress => json!(values::POOL),
        Field::QuoteId => json!(values::QUOTE_ID),
        Field::DestinationAddress | Field::SenderAddress => json!(values::DESTINATION),
        Field::StateId => json!(values::STATE_ID),
        Field::LevelsId => json!("51ee2ce4b5a24a6e8f5d1f0d9d2ea1c7"),
        Field::AuxData => json!("0x4669726d71756f74650000000000000000000000000000000000000000000000"),
        Field::Calldata | Field::NativeInput => json!(true),
        Field::NativeOutput | Field::Transmit | Field::Guarantee | Field::Strict => json!(false),
        Field::Fieldset => json!("offchain-data"),
        Field::Prices => json!([{"symbol": "ETH", "price_usd": "2080.527"}]),
        Field::PriceUsd => json!("2080.527"),
        Field::ConfidenceUsd => json!("0.4"),
        Field::ObservedAt => json!(1_763_700_000_123_u64),
        Field::CredentialId => json!("9f86d081884c"),
        Field::HedgeId => json!("binance-81236123"),
        Field::Venue => json!("binance"),
        Field::SoldAssetSymbol => json!("ETH"),
        Field::SoldQuantity => json!("1.5"),
        Field::BoughtAssetSymbol => json!("USDC"),
        Field::BoughtQuantity => json!("3120.79"),
        Field::Price => json!("2080.5267"),
        Field::FeeUsd => json!("0.31"),
        Field::ExecutedAt => json!(1_763_700_000_123_u64),
        Field::Since => json!(1_697_235_840),
        Field::Until => json!(1_697_322_240),
        Field::Cursor => json!("0006079f1b0b9050bdb2784e107b4daba125b6f62540d958"),
        Field::Limit => json!(100),
        Field::Reason => json!("reserves do not match"),
        Field::After => json!("5f1c3a9be2d04c6f8a7b6c5d4e3f2a1b.1795222800000-0.1795222700000-0"),
        Field::LastEventId => json!("u3Vb1h2kQm0Yc9fTzX5rJ8sLwE7aGdNnPqRtUvWxYz0123456789-_abcdefghijklmnop"),
        Field::Kinds => json!("signed,settled,position"),
        Field::Day => json!("2026-11-20"),
    }
}
