//! Mid prices of public exchanges, from best bid and ask over WebSockets.
//!
//! A price is in the quote currency of the product: `ETHUSDT` counts in Tether, not in US dollars, and an operator who
//! configures it as a price in dollars trusts that the two are equal.

mod binance;
mod coinbase;
mod config;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod kraken;
mod okx;
mod source;
mod ticker;
mod venue;

pub use config::{Exchange, ExchangeConfig};
pub use source::ExchangeSource;
