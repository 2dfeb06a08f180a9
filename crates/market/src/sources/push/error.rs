//! Errors in a list of prices.

use std::fmt;

use firmquote_domain::{InvalidValue, Symbol};

/// The error of an input that is not a valid list of prices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPrices {
    /// The input is not a JSON object, or has a duplicate member; contains the message of the parser.
    #[error("not a JSON object of prices: {0}")]
    Unreadable(String),
    /// All mistakes in the list, in its order, at least one. The displayed text contains the first few.
    #[error("{}", in_one_line(.0))]
    Invalid(Vec<InvalidPrice>),
}

/// One mistake in a list of prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPrice {
    /// The position in the list; `None` for the list as a whole.
    pub position: Option<usize>,
    /// The asset, if it could be read.
    pub symbol: Option<Symbol>,
    /// The name of the member, possibly `prices`; `None` for an item as a whole.
    pub member: Option<&'static str>,
    /// The kind of mistake.
    pub reason: InvalidReason,
    /// The expected value.
    pub error: InvalidValue,
    /// The received value, in JSON; for a missing member the object that lacks it.
    pub received: String,
}

/// The kind of mistake in a list of prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidReason {
    /// The value is missing, or `null`.
    Missing,
    /// The value is not a string in Unicode.
    NotText,
    /// The value is not a decimal, as a number or a string.
    NotDecimal,
    /// The value is not an integer, as a number or a string.
    NotInteger,
    /// The value is not an array.
    NotList,
    /// The value is not an object, or has a duplicate member.
    NotObject,
    /// The value has the right type, but is not allowed.
    NotAllowed,
    /// The asset occurred before in the list.
    Repeated,
}

/// Joins the first few mistakes and the number of the others: an untrusted list may have any number.
fn in_one_line(errors: &[InvalidPrice]) -> String {
    const MAX_LISTED: usize = 5;
    let first: Vec<_> = errors.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    let first = first.join("; ");
    match errors.len().checked_sub(MAX_LISTED) {
        None | Some(0) => first,
        Some(more) => format!("{first}; and {more} more"),
    }
}

impl fmt::Display for InvalidPrice {
    /// Writes the location, the asset and the expected value; never the received one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.position, self.member) {
            (Some(position), Some(member)) => write!(f, "prices[{position}].{member}")?,
            (Some(position), None) => write!(f, "prices[{position}]")?,
            (None, member) => f.write_str(member.unwrap_or("prices"))?,
        }
        if let Some(symbol) = &self.symbol {
            write!(f, " of {symbol}")?;
        }
        write!(f, ": {}", self.error)
    }
}
