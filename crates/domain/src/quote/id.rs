//! Quote ids.

use std::{fmt, ops::Range, str::FromStr};

use alloy_primitives::hex;

use crate::InvalidValue;

/// Identifies a quote: a UUID (RFC 9562), version 4 when this project makes it.
///
/// A client that knows the id and owns the quote may have the quote signed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuoteId([u8; 16]);

impl QuoteId {
    /// Creates an id from 16 bytes, of any UUID version.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// Positions of the 32 digits in `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, by group: among the digits, and in the text.
const GROUPS: [(Range<usize>, Range<usize>); 5] =
    [(0..8, 0..8), (8..12, 9..13), (12..16, 14..18), (16..20, 19..23), (20..32, 24..36)];
/// Positions of the hyphens.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

impl fmt::Display for QuoteId {
    /// Lower-case hex in the 8-4-4-4-12 form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = hex::Buffer::<16>::new();
        let digits = digits.format(&self.0).as_bytes();
        let mut text = [b'-'; 36];
        for (among_digits, in_text) in GROUPS {
            if let (Some(group), Some(place)) = (digits.get(among_digits), text.get_mut(in_text)) {
                place.copy_from_slice(group);
            }
        }
        f.write_str(str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for QuoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for QuoteId {
    type Err = InvalidValue;

    /// Accepts only the 8-4-4-4-12 form, in either case.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "a UUID: 8-4-4-4-12 hex digits" };
        let text = text.as_bytes();
        if text.len() != 36 || HYPHENS.iter().any(|at| text.get(*at) != Some(&b'-')) {
            return Err(SHAPE);
        }
        let mut digits = [0; 32];
        for (among_digits, in_text) in GROUPS {
            if let (Some(place), Some(group)) = (digits.get_mut(among_digits), text.get(in_text)) {
                place.copy_from_slice(group);
            }
        }
        let mut bytes = [0; 16];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| SHAPE)?;
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_parsed_and_formatted_with_hyphens() {
        let text = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4";
        assert_eq!(text.parse::<QuoteId>().unwrap().to_string(), text);
        assert_eq!(text.to_uppercase().parse::<QuoteId>().unwrap().to_string(), text);
        for text in [
            "",
            "05a51aa641b54c61a452f1b95d0d43e4",
            "05a51aa6-41b5-4c61-a452-f1b95d0d43eg",
            "05a51aa6-41b5-4c61-a452f-1b95d0d43e4",
            "05a51aa6-41b5-4c61-a452-f1b95d0d43-4",
            "0x51aa6-41b5-4c61-a452-f1b95d0d43e44",
            "0xa51aa6-41b5-4c61-a452-f1b95d0d43e4",
            "0x",
        ] {
            assert!(text.parse::<QuoteId>().is_err(), "{text}");
        }
    }
}
