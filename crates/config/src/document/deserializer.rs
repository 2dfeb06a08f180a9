//! Deserializes tables of the configuration. Unlike other formats, this one hands out every key of a struct, absent
//! ones too, so that a missing value is refused by its own type, with what it allows; and it hands out numbers as their
//! text, digit by digit.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
        value::{BorrowedStrDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};

use super::{
    error::{KeyError, Problem},
    field::{Field, Raw},
};

/// An array of tables, empty if it is absent.
#[derive(Deserialize)]
pub(crate) struct Tables<T>(pub Vec<T>);

/// Why a value cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvalidValue {
    /// A key of this table, or an entry of this array.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The value itself, and what is allowed instead.
    #[error("allowed: {0}")]
    NotAllowed(String),
}

impl InvalidValue {
    /// Returns the error for the value at `field`, or for a key below it.
    pub(crate) fn at(self, field: &Field<'_>) -> KeyError {
        match self {
            Self::Key(error) => error,
            Self::NotAllowed(allowed) => field.not_allowed(allowed),
        }
    }
}

impl Error for InvalidValue {
    /// The message of a type is what it allows.
    fn custom<T: fmt::Display>(allowed: T) -> Self {
        Self::NotAllowed(allowed.to_string())
    }

    fn invalid_type(_value: Unexpected<'_>, allowed: &dyn Expected) -> Self {
        Self::custom(allowed)
    }

    fn invalid_value(_value: Unexpected<'_>, allowed: &dyn Expected) -> Self {
        Self::custom(allowed)
    }
}

fn refuse<'de, V: Visitor<'de>>(visitor: &V) -> InvalidValue {
    InvalidValue::custom(visitor as &dyn Expected)
}

impl<'de> Deserializer<'de> for Field<'de> {
    type Error = InvalidValue;

    /// Hands out a text, a number or a date as text, and several texts of a variable as an array.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Untyped(text) if text.contains(',') => self.deserialize_seq(visitor),
            Raw::Text(text) | Raw::Number(text) | Raw::Date(text) | Raw::Untyped(text) => {
                visitor.visit_borrowed_str(text)
            }
            Raw::List(_) => self.deserialize_seq(visitor),
            Raw::Absent | Raw::Boolean(_) | Raw::Table(_) => Err(refuse(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Text(text) | Raw::Untyped(text) => visitor.visit_borrowed_str(text),
            _ => Err(refuse(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Boolean(boolean) => visitor.visit_bool(boolean),
            Raw::Untyped("true") => visitor.visit_bool(true),
            Raw::Untyped("false") => visitor.visit_bool(false),
            _ => Err(InvalidValue::custom("true or false")),
        }
    }

    /// Hands out the text of a number, never a string.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Number(text) | Raw::Untyped(text) => visitor.visit_borrowed_str(text),
            _ => Err(refuse(&visitor)),
        }
    }

    /// Hands out the digits of an integer of any size. TOML integers have 64 bits: larger ones are written as texts.
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<i64>().is_err() => {
                Err(InvalidValue::custom("an integer above 9223372036854775807 in quotation marks"))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        if self.is_present() { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    /// Hands out an array of tables: [`Tables`] is the only such type.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Absent => visitor.visit_newtype_struct(SeqDeserializer::new(std::iter::empty::<()>())),
            Raw::List(_) => visitor.visit_newtype_struct(self),
            _ => Err(InvalidValue::custom(format!("an array of tables: [[{}]]", self.path()))),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::List(_) | Raw::Untyped(_) => {
                let entries: Vec<_> = self.entries().collect();
                visitor.visit_seq(Entries { rest: entries.into_iter() })
            }
            _ => Err(refuse(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Absent => {}
            Raw::Table(_) => self.check_keys(keys)?,
            _ => return Err(InvalidValue::custom(format!("a table of {}", keys.join(", ")))),
        }
        // What is there is refused before what is not.
        let (mut rest, absent): (Vec<_>, Vec<_>) = keys.iter().partition(|key| self.key(key).is_present());
        rest.extend(absent);
        visitor.visit_map(Keys { table: self, rest: rest.into_iter(), key: "" })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.raw {
            Raw::Table(_) => visitor.visit_unit(),
            _ => Err(InvalidValue::custom("a table")),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map enum
        identifier
    }
}

impl Field<'_> {
    /// Checks that this table has no other keys than these.
    ///
    /// # Errors
    /// [`KeyError`] for the first that is unknown.
    pub(crate) fn check_keys(&self, keys: &'static [&'static str]) -> Result<(), KeyError> {
        let Raw::Table(entries) = self.raw else { return Ok(()) };
        match entries.keys().find(|key| !keys.contains(&key.as_str())) {
            None => Ok(()),
            Some(unknown) => {
                let problem = Problem::UnknownKey { kind: None, nearest: nearest(keys, unknown), allowed: keys };
                Err(KeyError { key: self.path().key(unknown), problem })
            }
        }
    }
}

/// The keys of a struct, whether the table has them or not.
struct Keys<'de> {
    table: Field<'de>,
    rest: std::vec::IntoIter<&'static str>,
    key: &'static str,
}

impl<'de> MapAccess<'de> for Keys<'de> {
    type Error = InvalidValue;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, InvalidValue> {
        let Some(key) = self.rest.next() else { return Ok(None) };
        self.key = key;
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, InvalidValue> {
        let field = self.table.key(self.key);
        seed.deserialize(field.clone()).map_err(|error| error.at(&field).into())
    }
}

/// The entries of an array.
struct Entries<'de> {
    rest: std::vec::IntoIter<Field<'de>>,
}

impl<'de> SeqAccess<'de> for Entries<'de> {
    type Error = InvalidValue;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, InvalidValue> {
        let Some(field) = self.rest.next() else { return Ok(None) };
        seed.deserialize(field.clone()).map(Some).map_err(|error| error.at(&field).into())
    }
}

/// Returns the known key closest to `key`, if it is within a few typos.
fn nearest(keys: &[&'static str], key: &str) -> Option<&'static str> {
    /// The number of characters per permitted typo.
    const CHARACTERS_PER_TYPO: usize = 3;
    // Keys are short; longer text is not compared.
    if key.len() > 64 {
        return None;
    }
    let edit_distance = |name: &&'static str| strsim::damerau_levenshtein(name, key);
    let nearest = keys.iter().copied().min_by_key(edit_distance)?;
    (edit_distance(&nearest) <= key.len().div_ceil(CHARACTERS_PER_TYPO).min(3)).then_some(nearest)
}

/// Returns the keys of a struct.
pub(crate) fn keys_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut keys: &[_] = &[];
    // The keys are all that is taken from it.
    drop(T::deserialize(KeyNames(&mut keys)));
    keys
}

/// Takes the names of the keys that a struct asks for.
struct KeyNames<'k>(&'k mut &'static [&'static str]);

impl<'de> Deserializer<'de> for KeyNames<'_> {
    type Error = InvalidValue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        Err(refuse(&visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidValue> {
        *self.0 = keys;
        Err(refuse(&visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
