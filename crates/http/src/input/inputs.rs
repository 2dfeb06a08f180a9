//! The inputs of operations, one row each. An input whose values only one operation understands stands beside it.

use firmquote_api::PoolType;
use firmquote_desk::{EventCursor, SwapPosition};
use firmquote_domain::{Address, Amount, B256, ChainId, LevelsId, QuoteId, StateId, Timestamp};
use serde_json::json;

use super::{
    field::{Field, Input, Read, ReadText},
    lists, values,
};
use crate::sample;

pub(crate) static CHAIN_ID: Input<Read<ChainId>> =
    Input::new(&values::CHAIN_ID, Field::new("chain_id", "The chain id (EIP-155).").required().example(|| json!(1)));

pub(crate) static INPUT_ASSET_SYMBOL: Input<ReadText> = Input::new(
    &values::SYMBOLS,
    Field::new(
        "input_asset_symbol",
        "Symbol of the input asset, which is its `name` in the pool data; case-sensitive.",
    )
    .required()
    .or(&INPUT_ASSET_ADDRESS.field)
    .example(|| json!("ETH")),
);

pub(crate) static OUTPUT_ASSET_SYMBOL: Input<ReadText> = Input::new(
    &values::SYMBOLS,
    Field::new(
        "output_asset_symbol",
        "Symbol of the output asset, which is its `name` in the pool data; case-sensitive.",
    )
    .required()
    .or(&OUTPUT_ASSET_ADDRESS.field)
    .example(|| json!("USDC")),
);

pub(crate) static INPUT_ASSET_ADDRESS: Input<Read<Address>> = Input::new(&values::ADDRESS, Field::new("input_asset_address", "Address of the input token, instead of `input_asset_symbol`; the wrapped one for the native coin. Mixed case must be \
     a valid EIP-55 checksum.")
.or(&INPUT_ASSET_SYMBOL.field));

pub(crate) static OUTPUT_ASSET_ADDRESS: Input<Read<Address>> = Input::new(&values::ADDRESS, Field::new("output_asset_address", "Address of the output token, instead of `output_asset_symbol`; the wrapped one for the native coin. Mixed case must \
     be a valid EIP-55 checksum.")
.or(&OUTPUT_ASSET_SYMBOL.field));

pub(crate) static INPUT_AMOUNT: Input<Read<Amount>> = Input::new(
    &values::AMOUNT,
    Field::new(
        "input_amount",
        "Input amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required.",
    )
    .or(&OUTPUT_AMOUNT.field)
    .example(|| json!("1000000000000000000")),
);

pub(crate) static OUTPUT_AMOUNT: Input<Read<Amount>> = Input::new(
    &values::AMOUNT,
    Field::new(
        "output_amount",
        "Output amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required.",
    )
    .or(&INPUT_AMOUNT.field),
);

pub(crate) static TIME_IN_SECONDS: Input<Read<u32>> = Input::new(
    &values::SECONDS,
    Field::new(
        "time_in_seconds",
        "Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 \
     unless configured otherwise) and default depend on the pool.",
    )
    .example(|| json!(60)),
);

pub(crate) static AMOUNTS: Input<Read<Vec<Amount>>> = Input::new(
    &lists::AMOUNTS,
    Field::new("amounts", "1 to 32 input amounts in base units, separated by commas.")
        .required()
        .example(|| json!("1000000000000000000,2000000000000000000")),
);

pub(crate) static TIMES: Input<Read<Vec<u32>>> = Input::new(
    &lists::TIMES,
    Field::new("times", "1 to 8 validities as in `time_in_seconds`, separated by commas; by default that of the pool.")
        .example(|| json!("15,60")),
);

pub(crate) static PAIRS: Input<Read<Vec<String>>> = Input::new(
    &lists::PAIRS,
    Field::new(
        "pairs",
        "1 to 256 books, each an input and an output symbol joined by a hyphen, separated by commas; by \
     default all pairs in both directions.",
    )
    .example(|| json!("ETH-USDC,USDC-ETH")),
);

pub(crate) static POOL_ADDRESS: Input<Read<Address>> = Input::new(
    &values::ADDRESS,
    Field::new("pool_address", "Address of the pool contract. Mixed case must be a valid EIP-55 checksum.")
        .example(|| json!(sample::POOL)),
);

pub(crate) static QUOTE_ID: Input<Read<QuoteId>> = Input::new(
    &values::QUOTE_ID,
    Field::new("quote_id", "`id` of the quote.").required().example(|| json!(sample::QUOTE_ID)),
);

pub(crate) static STATE_ID: Input<Read<StateId>> = Input::new(
    &values::STATE_ID,
    Field::new(
        "state_id",
        "Returns the pool in this state, which a quote or pool data of this replica named within the last minute.",
    )
    .example(|| json!(sample::STATE_ID)),
);

pub(crate) static LEVELS_ID: Input<Read<LevelsId>> = Input::new(
    &values::LEVELS_ID,
    Field::new(
        "levels_id",
        "`levels_id` of a firm book: the quote pays at least the book's output for its input, on top of the \
     budget already used. Pair and `time_in_seconds` must match the book.",
    ),
);

pub(crate) static FIELDSET: Input<Read<PoolType>> = Input::new(
    &values::FIELDSET,
    Field::new("fieldset", "The set of pool data to return; by default balances and values.")
        .example(|| json!("offchain-data")),
);

pub(crate) static DESTINATION_ADDRESS: Input<Read<Address>> = Input::new(
    &values::DESTINATION,
    Field::new(
        "destination_address",
        "Account that receives the output; if in mixed case, with a valid EIP-55 checksum. Neither the zero \
     address nor an address where the output would be lost.",
    )
    .required()
    .example(|| json!(sample::DESTINATION)),
);

pub(crate) static SENDER_ADDRESS: Input<Read<Address>> = Input::new(
    &values::ADDRESS,
    Field::new(
        "sender_address",
        "Account that pays the input, by default the destination; if in mixed case, with a valid EIP-55 checksum.",
    )
    .example(|| json!(sample::DESTINATION)),
);

pub(crate) static AUX_DATA: Input<Read<B256>> = Input::new(
    &values::AUX_DATA,
    Field::new("aux_data", "32 bytes emitted in the swap event; by default the service name.")
        .example(|| json!("0x4669726d71756f74650000000000000000000000000000000000000000000000")),
);

pub(crate) static CALLDATA: Input<Read<bool>> = Input::new(
    &values::BOOLEAN,
    Field::new("calldata", "Whether the response contains the encoded call; false by default.").example(|| json!(true)),
);

pub(crate) static NATIVE_INPUT: Input<Read<bool>> = Input::new(
    &values::BOOLEAN,
    Field::new(
        "native_input",
        "Whether the input is the chain's native coin; false by default. Excludes `native_output`.",
    )
    .example(|| json!(true)),
);

pub(crate) static NATIVE_OUTPUT: Input<Read<bool>> = Input::new(
    &values::BOOLEAN,
    Field::new(
        "native_output",
        "Whether the output is the chain's native coin; false by default. Excludes `native_input`.",
    ),
);

pub(crate) static TRANSMIT: Input<Read<bool>> = Input::new(
    &values::BOOLEAN,
    Field::new(
        "transmit",
        "Whether the call pulls the input from its caller, which requires an allowance; false by default: the \
     input is already in the pool.",
    )
    .example(|| json!(false)),
);

pub(crate) static GUARANTEE: Input<Read<bool>> = Input::new(
    &values::BOOLEAN,
    Field::new(
        "guarantee",
        "Requires a guaranteed swap; false by default. Where the contract checks the curve, a guarantee limits other \
     swaps and requires credentials and a minimum size.",
    )
    .example(|| json!(false)),
);

pub(crate) static STRICT: Input<Read<bool>> = Input::new(
    &values::BOOLEAN,
    Field::new(
        "strict",
        "Whether an input that the operation does not have is an error; false by default: it is ignored.",
    )
    .example(|| json!(false)),
);

pub(crate) static SINCE: Input<Read<Timestamp>> = Input::new(
    &values::UNIX_SECONDS,
    Field::new("since", "Only swaps that were signed in this Unix second or later.").example(|| json!(1_697_235_840)),
);

pub(crate) static UNTIL: Input<Read<Timestamp>> = Input::new(
    &values::UNIX_SECONDS,
    Field::new("until", "Only swaps that were signed before this Unix second.").example(|| json!(1_697_322_240)),
);

pub(crate) static CURSOR: Input<Read<SwapPosition>> =
    Input::new(&values::SWAP_POSITION, Field::new("cursor", "The `next_cursor` of the page before."));

pub(crate) static LIMIT: Input<Read<usize>> = Input::new(
    &values::PAGE_SIZE,
    Field::new("limit", "The most swaps to return, 1 to 100; 100 by default.").example(|| json!(100)),
);

pub(crate) static DAY: Input<Read<Timestamp>> = Input::new(
    &values::DAY,
    Field::new("day", "A day in UTC; by default the last 24 hours.").example(|| json!("2026-11-20")),
);

pub(crate) static REASON: Input<ReadText> = Input::new(
    &values::LINE,
    Field::new("reason", "Why, for the log and the operator's stream. Required to end a pause of a breaker.")
        .example(|| json!("reserves do not match")),
);

pub(crate) static AFTER: Input<Read<EventCursor>> = Input::new(
    &values::EVENT_CURSOR,
    Field::new("after", "The `id` of the last event that was received.")
        .example(|| json!("5f1c3a9be2d04c6f8a7b6c5d4e3f2a1b.1795222800000-0.1795222700000-0")),
);

pub(crate) static LAST_EVENT_ID: Input<ReadText> = Input::new(
    &values::CLIENT_EVENT_ID,
    Field::new("last_event_id", "The `id` of the last event that was received.")
        .example(|| json!("u3Vb1h2kQm0Yc9fTzX5rJ8sLwE7aGdNnPqRtUvWxYz0123456789-_abcdefghijklmnop")),
);

pub(crate) static KINDS: Input<Read<Vec<&'static str>>> = Input::new(
    &lists::EVENT_KINDS,
    Field::new("kinds", "Kinds of events, separated by commas; by default all.")
        .example(|| json!("signed,settled,position")),
);
