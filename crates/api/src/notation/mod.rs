//! The JSON notation of each domain type: ids, addresses and amounts are strings, prices and rates are numbers with all
//! their digits, never floats.

mod address;
mod number;
mod pair;
mod signature;
mod text;
mod time;

pub use self::pair::Band;
use alloy_primitives::Bytes;
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Decimals, Execution, GoodUntil, LevelsId, PoolConstant, Price,
    QuoteId, Signature, StateId, Symbol, Timestamp, U256, UnixSeconds, Usd, Weight,
};

use crate::Json;

/// An address with its EIP-55 checksum.
pub type AddressText = Json<Address>;
/// A positive number of base units, in decimal digits.
pub type AmountText = Json<Amount>;
/// A number of base units, also zero, in decimal digits.
pub type BaseUnits = Json<U256>;
/// Price and size of a part of a curve.
pub type BandText = Json<Band>;
/// Basis points with at most two decimals, as a number.
pub type BasisPointsNumber = Json<BasisPoints>;
/// 32 bytes in hex.
pub type Bytes32 = Json<B256>;
/// An encoded call in hex.
pub type CalldataText = Json<Bytes>;
/// An EIP-155 chain id, as an integer.
pub type ChainIdNumber = Json<ChainId>;
/// Decimals of a token, as an integer.
pub type DecimalsNumber = Json<Decimals>;
/// A number for display, written and read as the nearest double.
pub type DisplayNumber = Json<f64>;
/// The name of an execution.
pub type ExecutionName = Json<Execution>;
/// `good_until` as it is signed, in decimal digits.
pub type GoodUntilText = Json<GoodUntil>;
/// The id of price levels.
pub type LevelsIdText = Json<LevelsId>;
/// Cumulative input and output, in base units.
pub type Knot = Json<[Amount; 2]>;
/// A pool constant, as a number.
pub type PoolConstantNumber = Json<PoolConstant>;
/// A price in US dollars, as a number.
pub type PriceNumber = Json<Price>;
/// The id of a quote.
pub type QuoteIdText = Json<QuoteId>;
/// A signature: `v`, `r` and `s`.
pub type SignatureObject = Json<Signature>;
/// The id of a pool state.
pub type StateIdText = Json<StateId>;
/// The symbol of an asset.
pub type SymbolText = Json<Symbol>;
/// The symbols of two assets, in either order.
pub type SymbolPair = Json<[Symbol; 2]>;
/// A Unix time in seconds, as an integer.
pub type UnixSecondsNumber = Json<UnixSeconds>;
/// An amount of US dollars, as a number.
pub type UsdNumber = Json<Usd>;
/// A time in UTC with microseconds: `2023-10-13 22:24:20.932560+00:00`.
pub type UtcTime = Json<Timestamp>;
/// A listing weight, as an integer.
pub type WeightNumber = Json<Weight>;
