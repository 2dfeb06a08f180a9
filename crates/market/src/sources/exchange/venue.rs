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

    /// Returns what separates the two currencies in the name of a product, which has letters and digits besides; `None`
    /// if nothing does.
    fn separator(&self) -> Option<char>;

    /// Returns the address to connect to; `base` has no path, and no slash at its end.
    fn address(&self, base: &str, products: &[String]) -> String;

    /// Returns the text that the exchange expects in place of WebSocket pings, if so.
    fn text_ping(&self) -> Option<&'static str> {
        None
    }

    /// Returns the messages that request the tickers, sent once connected; none if the address already requests them.
    /// A product that the exchange refuses affects no other.
    fn subscriptions(&self, products: &[String]) -> Vec<String>;

    /// Returns the messages that request the tickers of `products` anew, each with its position.
    fn renewal(&self, products: &[(usize, &str)]) -> Vec<String>;

    /// Returns the event in a message that was sent at `time` or later.
    ///
    /// # Errors
    /// [`SourceError::Disconnected`] if the exchange is about to close the connection; [`SourceError::Protocol`] for an
    /// invalid message, which says nothing about later ones.
    fn read(&self, text: &str, time: Timestamp) -> Result<Event, SourceError>;
}

/// A function that returns the request of a kind for the product at a position.
type Request = fn(&str, usize, &str) -> String;

/// Returns one request for each product.
pub(super) fn subscribe_each(products: &[String], request: Request) -> Vec<String> {
    products.iter().enumerate().map(|(position, product)| request("subscribe", position, product)).collect()
}

/// Returns two requests for each product, which end its subscription and begin another.
pub(super) fn renew_each(products: &[(usize, &str)], request: Request) -> Vec<String> {
    let requests = |&(position, product): &(usize, &str)| {
        ["unsubscribe", "subscribe"].map(|kind| request(kind, position, product))
    };
    products.iter().flat_map(requests).collect()
}

/// What a message says.
#[derive(Debug)]
pub(super) enum Event {
    /// Best bid and ask of one or more products.
    Tickers(Vec<Ticker>),
    /// The exchange refuses a request.
    Refusal(Refusal),
    /// Anything else.
    Other,
}

/// A refused request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) subject: RefusalSubject,
    /// The reason of the exchange, shortened.
    pub(super) reason: String,
}

/// What was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalSubject {
    /// The product at this position.
    Product(usize),
    /// A request for several products.
    Several,
    /// The reason names the product, if there is one.
    NamedInReason,
}

impl RefusalSubject {
    /// Returns the product whose position is the identifier of the request, if the refusal repeats one.
    pub(super) fn from_position(position: Option<u64>) -> Self {
        position.and_then(|position| usize::try_from(position).ok()).map_or(Self::NamedInReason, Self::Product)
    }
}

impl Refusal {
    /// Returns the position of the refused product among `products`, if the request was for a single one.
    pub(super) fn product(&self, products: &[String]) -> Option<usize> {
        let is_named = |product: &String| {
            self.reason
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '/')
                .any(|word| word.eq_ignore_ascii_case(product))
        };
        match self.subject {
            RefusalSubject::Product(position) => Some(position).filter(|position| *position < products.len()),
            RefusalSubject::Several => None,
            RefusalSubject::NamedInReason => products.iter().position(is_named),
        }
    }
}
