//! Values in their JSON notation.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;

/// How values of a type are written in JSON.
pub trait Notation: Sized {
    /// The name of the notation in an OpenAPI document.
    const NAME: &'static str;

    /// Writes the value.
    ///
    /// # Errors
    /// Those of the serializer.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads a value, with every digit of its text.
    ///
    /// # Errors
    /// If the JSON is not a valid value of the type.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    /// The schema of the notation.
    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema;

    /// Adds the schemas that it references.
    #[cfg(feature = "schema")]
    fn add_schemas(_schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {}
}

/// A value in the JSON notation of its type.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Json<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: PartialEq> PartialEq<T> for Json<T> {
    fn eq(&self, other: &T) -> bool {
        self.0 == *other
    }
}

impl<T: fmt::Debug> fmt::Debug for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Notation> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: Notation> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

#[cfg(feature = "schema")]
impl<T: Notation> utoipa::PartialSchema for Json<T> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        T::schema().into()
    }
}

#[cfg(feature = "schema")]
impl<T: Notation> utoipa::ToSchema for Json<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        T::NAME.into()
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        T::add_schemas(schemas);
    }
}

/// Reads a value; the default for one that is invalid.
pub(crate) fn valid_or_default<'de, T: DeserializeOwned + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(text.get()).unwrap_or_default())
}
