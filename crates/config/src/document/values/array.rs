//! Arrays of texts.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};

use super::text::{FromText, Text};

/// An array of texts; of a variable, its comma-separated parts.
pub(crate) struct Array<T>(pub Vec<T>);

/// A text in arrays.
pub(crate) trait Plural: FromText {
    /// What the array contains.
    const PLURAL: &'static str;
}

impl<'de, T: Plural> Deserialize<'de> for Array<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ArrayVisitor(PhantomData)).map(Self)
    }
}

struct ArrayVisitor<T>(PhantomData<T>);

impl<'de, T: Plural> Visitor<'de> for ArrayVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {}", T::PLURAL)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, entries: A) -> Result<Vec<T>, A::Error> {
        texts(entries)
    }
}

/// One address, or an array of one or more.
#[cfg_attr(not(feature = "redis"), expect(dead_code, reason = "only Redis has several addresses"))]
pub(crate) struct OneOrMore<T>(pub Vec<T>);

impl<'de, T: FromText> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMoreVisitor(PhantomData)).map(Self)
    }
}

struct OneOrMoreVisitor<T>(PhantomData<T>);

impl<'de, T: FromText> Visitor<'de> for OneOrMoreVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&T::from_text("").err().unwrap_or_default())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        T::from_text(text).map(|entry| vec![entry]).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, entries: A) -> Result<Vec<T>, A::Error> {
        let all = texts(entries)?;
        if all.is_empty() { Err(A::Error::custom("one address or more")) } else { Ok(all) }
    }
}

fn texts<'de, A: SeqAccess<'de>, T: FromText>(mut entries: A) -> Result<Vec<T>, A::Error> {
    let mut all = Vec::new();
    while let Some(entry) = entries.next_element::<Text<T>>()? {
        all.push(entry.0);
    }
    Ok(all)
}
