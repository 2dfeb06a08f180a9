//! Typed values of keys: texts, decimals, integers, words, dates. Decimals never become floats.

use std::ops::RangeInclusive;

use firmquote_domain::{Address, InvalidValue, parse_address};
use firmquote_outbound::Endpoint;

use super::{
    error::KeyError,
    reader::{Field, Raw},
};

/// Parses a ratio from 0 to 1.
pub(crate) fn ratio(text: &str) -> Result<f64, InvalidValue> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let ratio = text.parse().ok().filter(|_| is_plain);
    let ratio: f64 = ratio.ok_or(InvalidValue::Malformed { expected: "0 to 1" })?;
    if ratio <= 1.0 { Ok(ratio) } else { Err(InvalidValue::OutOfRange { allowed: "0 to 1" }) }
}

pub(crate) fn one_of<T: ToString>(what: &str, names: impl Iterator<Item = T>) -> String {
    let names: Vec<_> = names.map(|name| name.to_string()).collect();
    if names.is_empty() { format!("{what}, and there is none") } else { format!("{what}: {}", names.join(", ")) }
}

impl<'t> Field<'t> {
    /// Reads a text that `parse` accepts.
    pub(crate) fn text<T, E>(&self, allowed: &str, parse: impl FnOnce(&'t str) -> Result<T, E>) -> Result<T, KeyError> {
        match self.raw {
            Raw::Text(text) | Raw::Untyped(text) => parse(text).map_err(|_| self.not_allowed(allowed)),
            _ => Err(self.not_allowed(allowed)),
        }
    }

    /// Reads a display text of at most `longest` characters.
    pub(crate) fn label(&self, longest: usize) -> Result<String, KeyError> {
        let allowed = format!("1 to {longest} characters, none of them a control character");
        let fits = |text: &str| (1..=longest).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        self.text(&allowed, |text| if fits(text) { Ok(text.to_owned()) } else { Err(()) })
    }

    /// Reads a URL that `is_usable` accepts. It may contain an API key, so no error shows it.
    pub(crate) fn url(&self, allowed: &str, is_usable: fn(&Endpoint) -> bool) -> Result<String, KeyError> {
        let is_url = |text: &str| Endpoint::parse(text).is_ok_and(|endpoint| is_usable(&endpoint));
        self.clone().secret().text(allowed, |text| is_url(text).then(|| text.to_owned()).ok_or(()))
    }

    /// Reads a text as a domain value.
    pub(crate) fn value<T>(&self, parse: fn(&str) -> Result<T, InvalidValue>) -> Result<T, KeyError> {
        match self.raw {
            Raw::Text(text) | Raw::Untyped(text) => parse(text).map_err(|error| self.invalid(error)),
            // The value is not a text: parsing an empty one makes the parser report the allowed values.
            _ => Err(parse("").map_or_else(|error| self.invalid(error), |_| self.not_allowed("a text"))),
        }
    }

    /// Reads the address of a contract.
    pub(crate) fn contract(&self) -> Result<Address, KeyError> {
        self.address_of("a contract, not the zero address")
    }

    /// Reads the address of an account.
    pub(crate) fn account(&self) -> Result<Address, KeyError> {
        self.address_of("an account, not the zero address")
    }

    fn address_of(&self, allowed: &str) -> Result<Address, KeyError> {
        let address = self.value(parse_address)?;
        if address.is_zero() { Err(self.not_allowed(allowed)) } else { Ok(address) }
    }

    /// Reads a decimal number, written as a number or a text, from its digits: it never becomes a float.
    pub(crate) fn decimal<T>(&self, parse: fn(&str) -> Result<T, InvalidValue>) -> Result<T, KeyError> {
        let parsed = match self.raw {
            Raw::Number(text) | Raw::Text(text) | Raw::Untyped(text) => parse(text),
            _ => parse(""),
        };
        parsed.map_err(|error| range(parse).map_or_else(|| self.invalid(error), |allowed| self.not_allowed(allowed)))
    }

    /// Reads one of `words`.
    pub(crate) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, KeyError> {
        let names: Vec<_> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        let allowed = match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => names.join(""),
        };
        let find = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or(());
        self.text(&allowed, find)
    }

    /// Reads `true` or `false`.
    pub(crate) fn boolean(&self) -> Result<bool, KeyError> {
        match self.raw {
            Raw::Boolean(boolean) => Ok(boolean),
            Raw::Untyped("true") => Ok(true),
            Raw::Untyped("false") => Ok(false),
            _ => Err(self.not_allowed("true or false")),
        }
    }

    /// Reads an integer in `range`; `unit` is its unit in errors, with a leading space, or empty.
    pub(crate) fn integer<T: TryFrom<u64>>(&self, range: RangeInclusive<u64>, unit: &str) -> Result<T, KeyError> {
        let read = match self.raw {
            Raw::Number(text) | Raw::Untyped(text) => digits(text).and_then(|text| text.parse().ok()),
            _ => None,
        };
        let fits = read.filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        fits.ok_or_else(|| self.not_allowed(format!("{} to {}{unit}", range.start(), range.end())))
    }

    /// Reads an amount in base units that `parse` accepts. TOML integers have 64 bits: larger amounts are written as
    /// texts.
    pub(crate) fn base_units<T>(&self, parse: fn(&str) -> Result<T, InvalidValue>) -> Result<T, KeyError> {
        match self.raw {
            Raw::Number(text) if digits(text).is_some() && text.parse::<i64>().is_err() => {
                Err(self.not_allowed("an integer above 9223372036854775807 in quotation marks"))
            }
            Raw::Number(text) | Raw::Text(text) | Raw::Untyped(text) => {
                parse(text).map_err(|error| self.invalid(error))
            }
            _ => self.decimal(parse),
        }
    }

    /// Reads a date, or a date with time and offset, as a TOML date or a text, that `parse` accepts.
    pub(crate) fn date<T, E>(&self, allowed: &str, parse: impl FnOnce(&'t str) -> Result<T, E>) -> Result<T, KeyError> {
        match self.raw {
            Raw::Date(text) => parse(text).map_err(|_| self.not_allowed(allowed)),
            _ => self.text(allowed, parse),
        }
    }

    fn invalid(&self, error: InvalidValue) -> KeyError {
        match error {
            InvalidValue::Malformed { expected: allowed } | InvalidValue::OutOfRange { allowed } => {
                self.not_allowed(allowed)
            }
            InvalidValue::TooPrecise { allowed } => self.not_allowed(format!("no more than {allowed}")),
        }
    }
}

/// Returns the range that `parse` accepts, from its own errors for numbers beyond every range and precision.
fn range<T>(parse: fn(&str) -> Result<T, InvalidValue>) -> Option<String> {
    /// A number with more precision than any key allows, and too small to be truncated without loss.
    const PRECISE: &str = "0.0000000150000000001";
    let large = |zeros: usize| format!("1{}", "0".repeat(zeros));
    // Beyond every range but that of amounts, then beyond amounts.
    let allowed = [30, 80].into_iter().find_map(|zeros| match parse(&large(zeros)) {
        Err(InvalidValue::OutOfRange { allowed }) => Some(allowed),
        _ => None,
    })?;
    match parse(PRECISE) {
        Err(InvalidValue::TooPrecise { allowed: precision }) => Some(format!("{allowed}, with at most {precision}")),
        _ => Some(allowed.to_owned()),
    }
}

/// Returns the text if it consists of decimal digits only.
fn digits(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}
