//! Best bid and ask of public exchanges, and the middle between them, over WebSockets.
//!
//! A price is in what the product is quoted in: `ETHUSDT` counts in Tether, not in US dollars, and whoever configures it
//! as a price in dollars trusts that the two are the same.

mod binance;
mod coinbase;
mod config;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod source;
mod ticker;

pub use config::{Exchange, ExchangeConfig, InvalidExchangeConfig};
pub use source::ExchangeSource;
