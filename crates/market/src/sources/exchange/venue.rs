//! The protocol of one exchange.

use firmquote_domain::Timestamp;

use super::ticker::Ticker;
use crate::SourceError;

/// How one exchange publishes best bid and ask over a WebSocket.
pub(super) trait Venue: Sync {
    /// The name, as configured.
    fn name(&self) -> &'static str;

    /// The address at which the exchange publishes market data.
    fn public_url(&self) -> &'static str;

    /// Returns whether `separator` may occur in the name of a product, besides letters and digits.
    fn is_separator(&self, separator: u8) -> bool;

    /// Returns the address to connect to; `base` has no path, and no slash at its end.
    fn address(&self, base: &str, products: &[&str]) -> String;

    /// Returns the message that requests the tickers of all products, sent once connected; `None` if the address
    /// already requests them.
    fn subscription(&self, products: &[&str]) -> Option<String>;

    /// Returns the ticker in a message that was sent at `time` or later; `None` for a message of another type.
    ///
    /// # Errors
    /// [`SourceError::Disconnected`] if the exchange is about to close the connection; [`SourceError::Protocol`] if it
    /// refuses the request, and for an invalid message.
    fn read(&self, text: &str, time: Timestamp) -> Result<Option<Ticker>, SourceError>;
}
