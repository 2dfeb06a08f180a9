//! Entries of the ledger and of the operator's stream as a feed reads them, from a cursor on.

mod line_log;

use std::{fmt, str::FromStr};

use firmquote_domain::InvalidValue;

pub(crate) use line_log::LineLog;

/// The position after an entry of a stream: positions increase. Of a file, its second number is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventPosition(pub u64, pub u64);

/// A position in the history of a store: after an entry of each of its two streams. Another history has another
/// generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventCursor {
    /// Identifies the history, in hexadecimal digits.
    pub generation: String,
    /// The position in the ledger.
    pub ledger: EventPosition,
    /// The position in the operator's stream.
    pub operator: EventPosition,
}

/// A stream of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStream {
    /// The ledger.
    Ledger,
    /// The operator's stream.
    Operator,
}

/// An entry of one of the streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamEntry {
    /// Its stream.
    pub stream: EventStream,
    /// The cursor after it.
    pub cursor: EventCursor,
    /// A line of JSON.
    pub line: String,
}

/// The entries after a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventPage {
    /// The entries, those of each stream in its order.
    pub entries: Vec<StreamEntry>,
    /// The cursor after them.
    pub cursor: EventCursor,
    /// Whether entries after the cursor that was asked for may be missing: it is of another history, or too old.
    pub is_reset: bool,
}

impl EventPage {
    /// Creates a page of the lines of both streams after a cursor.
    pub(crate) fn new(
        after: &EventCursor,
        ledger: Vec<(EventPosition, String)>,
        operator: Vec<(EventPosition, String)>,
    ) -> Self {
        let mut page = Self { cursor: after.clone(), ..Self::default() };
        for (stream, lines) in [(EventStream::Ledger, ledger), (EventStream::Operator, operator)] {
            for (position, line) in lines {
                page.cursor = page.cursor.advanced(stream, position);
                page.entries.push(StreamEntry { stream, cursor: page.cursor.clone(), line });
            }
        }
        page
    }
}

impl EventCursor {
    /// Returns a cursor of no history: what is read after it begins with a reset.
    pub fn unknown() -> Self {
        Self { generation: "f".repeat(32), ..Self::default() }
    }

    /// Returns the position in a stream.
    pub const fn position(&self, stream: EventStream) -> EventPosition {
        match stream {
            EventStream::Ledger => self.ledger,
            EventStream::Operator => self.operator,
        }
    }

    /// Returns the cursor after an entry of a stream, of which `entry` is the cursor: also of its history, which the first
    /// entry of all begins.
    #[must_use]
    pub fn after_entry(&self, stream: EventStream, entry: &Self) -> Self {
        Self { generation: entry.generation.clone(), ..self.advanced(stream, entry.position(stream)) }
    }

    /// Returns the cursor with another position in a stream.
    #[must_use]
    fn advanced(&self, stream: EventStream, position: EventPosition) -> Self {
        match stream {
            EventStream::Ledger => Self { ledger: position, ..self.clone() },
            EventStream::Operator => Self { operator: position, ..self.clone() },
        }
    }
}

impl fmt::Display for EventPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

impl FromStr for EventPosition {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let position =
            text.split_once('-').and_then(|(first, second)| Some(Self(first.parse().ok()?, second.parse().ok()?)));
        position.ok_or(InvalidValue::Malformed { expected: "two numbers with a hyphen between them" })
    }
}

impl fmt::Display for EventCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.generation, self.ledger, self.operator)
    }
}

impl FromStr for EventCursor {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let is_generation = |text: &str| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let cursor = || {
            let (generation, positions) = text.split_once('.')?;
            let (ledger, operator) = positions.split_once('.')?;
            let cursor = Self {
                generation: generation.to_owned(),
                ledger: ledger.parse().ok()?,
                operator: operator.parse().ok()?,
            };
            is_generation(generation).then_some(cursor)
        };
        cursor().ok_or(InvalidValue::Malformed { expected: "the id of an event" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_parsed_from_its_text_and_from_no_other() {
        let cursor = EventCursor {
            generation: "0123456789abcdef0123456789abcdef".to_owned(),
            ledger: EventPosition(u64::MAX, 7),
            operator: EventPosition(0, 0),
        };
        assert_eq!(cursor.to_string().parse(), Ok(cursor.clone()));
        for text in ["", ".", "a.1-0.1-0", "0123456789abcdef0123456789abcdef.1-0", &format!("{cursor}x")] {
            assert!(text.parse::<EventCursor>().is_err(), "{text}");
        }
    }
}
