//! ABI encoding and decoding for the pool contract: calldata of the five swap functions, the event they emit, and the
//! view functions. Bytes in, bytes out: nothing here signs, sends or queries a chain.
#![doc = include_str!("../README.md")]

mod abi;
mod decode;
mod encode;
mod error;
mod event;
mod function;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod read;

pub use decode::{DecodedSwap, decode};
pub use encode::{encode, transaction_value};
pub use error::CalldataError;
pub use event::{SWAPPED_TOPIC, SwappedEvent, decode_swapped, decode_swapped_start, encode_swapped};
pub use function::SwapFunction;
pub use read::{PoolBalances, PoolRead, decode_address, decode_balances, decode_number};
