//! Prices sent by the operator's own pricing backend: their notation, and the port that publishes them.
//!
//! Requests, and messages and entries in a shared store, have the same notation:
//!
//! ```json
//! {"prices": [{"symbol": "ETH", "price_usd": "2080.527", "confidence_usd": "0.4", "observed_at": 1763700000123}]}
//! ```
//!
//! Nothing here decides whether a price is trusted; a [`CompositePrice`](crate::CompositePrice) does.

mod error;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod list;
mod publisher;
mod pushed_price;
mod reader;

pub use error::{InvalidPrice, InvalidPrices, InvalidReason};
pub use list::{read_list, serialize_list};
pub use publisher::{LocalPublisher, PricePublisher, PublishError};
pub use pushed_price::PushedPrice;
pub use reader::PushedPriceReader;
