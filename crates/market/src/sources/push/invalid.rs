//! What can be wrong with a list of prices.

use std::fmt;

use firmquote_domain::{InvalidValue, Symbol};

/// A text is not a list of prices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPrices {
    /// It is no JSON object at all, or names a member twice: what the reader says.
    #[error("not a JSON object of prices: {0}")]
    Unreadable(String),
    /// Everything that is wrong in it, in its order, one at least. Its text has the first few.
    #[error("{}", in_one_line(.0))]
    Invalid(Vec<InvalidPrice>),
}

/// One thing that is wrong in a list of prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPrice {
    /// The position in the list; nothing about the list as a whole.
    pub position: Option<usize>,
    /// The asset, where it can be told.
    pub symbol: Option<Symbol>,
    /// The name of the member, `prices` among them; nothing about an item as a whole.
    pub member: Option<&'static str>,
    /// In which way it is wrong.
    pub mistake: InvalidReason,
    /// What would have been right.
    pub error: InvalidValue,
    /// What stood there, in JSON; nothing for what was missing.
    pub received: Option<String>,
}

/// In which way a member of a list of prices is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidReason {
    /// It is not there, or `null`.
    Missing,
    /// It is not a text in Unicode.
    NotText,
    /// It is not a decimal, in a number or a text.
    NotDecimal,
    /// It is not an integer, in a number or a text.
    NotInteger,
    /// It is not an array.
    NotList,
    /// It is not an object, or names a member twice.
    NotObject,
    /// It is what it should be, and not allowed.
    NotAllowed,
    /// An asset that was there before.
    Repeated,
}

/// The first few mistakes and how many there are: a list that anybody wrote may have any number.
fn in_one_line(mistakes: &[InvalidPrice]) -> String {
    const MAX_LISTED: usize = 5;
    let first: Vec<_> = mistakes.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    let first = first.join("; ");
    match mistakes.len().checked_sub(MAX_LISTED) {
        None | Some(0) => first,
        Some(more) => format!("{first}; and {more} more"),
    }
}

impl fmt::Display for InvalidPrice {
    /// Where it is, which asset, and what would have been right; never what was received.
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
