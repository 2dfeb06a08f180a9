//! ABI encoding and decoding for the pool contract: calldata of the five swap functions, and the event they emit. Bytes
//! in, bytes out: nothing here signs, sends or queries a chain.
#![doc = include_str!("../README.md")]

mod abi;
mod decode;
mod encode;
mod error;
mod event;
mod function;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;

pub use decode::{DecodedSwap, decode};
pub use encode::{encode, transaction_value};
pub use error::CalldataError;
pub use event::{SWAPPED_TOPIC, SwappedEvent, decode_swapped, decode_swapped_start, encode_swapped};
pub use function::SwapFunction;
