//! A value of a table with the form in which it is written.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

use crate::document::{error::KeyError, field::Field};

/// A `T` that is written in the form `F`.
pub(crate) struct Setting<T, F>(pub T, PhantomData<F>);

/// A form in which values are written: their syntax, range and unit.
pub(crate) trait Form<T> {
    /// What the text is taken from.
    const SYNTAX: Syntax;

    /// Parses the text as written. Of an empty text, the error says what is allowed.
    ///
    /// # Errors
    /// What is allowed instead.
    fn parse(text: &str) -> Result<T, String>;
}

/// What a value is in TOML. The text of a variable is any of these.
#[derive(Clone, Copy)]
pub(crate) enum Syntax {
    /// A string.
    String,
    /// An integer.
    Integer,
    /// An integer, or a string with an integer of more than 64 bits.
    WideInteger,
    /// A string, a number or a date.
    Any,
}

impl<'de, T, F: Form<T>> Deserialize<'de> for Setting<T, F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor::<T, F>(PhantomData);
        let value = match F::SYNTAX {
            Syntax::String => deserializer.deserialize_str(visitor),
            Syntax::Integer => deserializer.deserialize_u64(visitor),
            Syntax::WideInteger => deserializer.deserialize_u128(visitor),
            Syntax::Any => deserializer.deserialize_any(visitor),
        };
        value.map(|value| Self(value, PhantomData))
    }
}

struct TextVisitor<T, F>(PhantomData<(T, F)>);

impl<T, F: Form<T>> Visitor<'_> for TextVisitor<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::parse("").err().as_deref().unwrap_or("a text"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        F::parse(text).map_err(E::custom)
    }
}

/// A value that may be absent.
pub(crate) trait OptionalSetting<T> {
    /// Returns the value, if it is present.
    fn value(self) -> Option<T>;

    /// Returns the value, or `default` if it is absent.
    fn value_or(self, default: T) -> T;

    /// Returns the value of `field`, which another key requires.
    ///
    /// # Errors
    /// [`KeyError`] if it is absent.
    fn required(self, field: &Field<'_>) -> Result<T, KeyError>;
}

impl<T, F: Form<T>> OptionalSetting<T> for Option<Setting<T, F>> {
    fn value(self) -> Option<T> {
        self.map(|setting| setting.0)
    }

    fn value_or(self, default: T) -> T {
        self.value().unwrap_or(default)
    }

    fn required(self, field: &Field<'_>) -> Result<T, KeyError> {
        self.value().ok_or_else(|| field.not_allowed(F::parse("").err().unwrap_or_default()))
    }
}
