//! The description of an input: its name, meaning, schema and example, and how it is read.

use std::{borrow::Cow, ptr};

use firmquote_api::Step;
use serde_json::Value;
use utoipa::openapi::schema::ObjectBuilder;

use super::{RawInput, ValueError};

/// Reads a value.
pub(crate) type Read<T> = fn(&RawInput<'_>) -> Result<T, ValueError>;

/// Reads a text, borrowed from what was received.
pub(crate) type ReadText = for<'r> fn(&'r RawInput<'_>) -> Result<Cow<'r, str>, ValueError>;

/// A kind of value: how it is read, and its schema. The schema has one type, though bodies may write numbers as strings and
/// the reverse, and queries booleans in other words: generators give each input one type.
#[derive(Clone, Copy)]
pub(crate) struct Kind<R> {
    pub(crate) read: R,
    pub(crate) schema: fn() -> ObjectBuilder,
}

/// An input of operations whose value `R` reads.
pub(crate) struct Input<R> {
    pub(crate) field: Field,
    pub(crate) read: R,
}

/// The description of an input. Each is one static, and equal to itself only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// The name on the wire.
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) schema: fn() -> ObjectBuilder,
    /// The members of each item, if it is a list of objects.
    pub(crate) items: &'static [&'static Self],
    /// The input that may be given instead.
    pub(crate) alternative: Option<&'static Self>,
    is_required: bool,
    /// A value that the demo configuration accepts. `None` for alternatives of what examples have, and for what would have
    /// expired.
    example: Option<fn() -> Value>,
}

impl<R: Copy> Input<R> {
    /// Creates the input of this kind that `field` describes.
    pub(crate) const fn new(kind: &Kind<R>, field: Field) -> Self {
        Self { field: field.with_schema(kind.schema), read: kind.read }
    }
}

impl Field {
    /// Creates the description of an optional input without an example.
    pub(crate) const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self {
            name,
            meaning,
            schema: ObjectBuilder::new,
            items: &[],
            alternative: None,
            is_required: false,
            example: None,
        }
    }

    /// With this schema, which is its kind's if it is an [`Input`].
    #[must_use]
    pub(crate) const fn with_schema(self, schema: fn() -> ObjectBuilder) -> Self {
        Self { schema, ..self }
    }

    /// A list of objects with these members.
    #[must_use]
    pub(crate) const fn list_of(self, items: &'static [&'static Self]) -> Self {
        Self { items, ..self }
    }

    /// Every operation that has it requires it, or its alternative if the operation has that too.
    #[must_use]
    pub(crate) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// `alternative` may be given instead.
    #[must_use]
    pub(crate) const fn or(self, alternative: &'static Self) -> Self {
        Self { alternative: Some(alternative), ..self }
    }

    #[must_use]
    pub(crate) const fn example(self, example: fn() -> Value) -> Self {
        Self { example: Some(example), ..self }
    }

    /// Returns the field in `accepted` with this name, or `None` if there is none.
    pub(super) fn from_name(name: &str, accepted: &[&'static Self]) -> Option<&'static Self> {
        accepted.iter().copied().find(|field| field.name == name)
    }

    /// Returns the example value, if it has one.
    pub(crate) fn example_value(&self) -> Option<Value> {
        self.example.map(|example| example())
    }

    /// Whether an operation with the inputs `accepted` rejects requests without this one.
    pub(crate) fn is_required_of(&self, accepted: &[&'static Self]) -> bool {
        self.is_required && !self.alternative.is_some_and(|alternative| accepted.contains(&alternative))
    }
}

/// Joins lists of fields at compile time, where `N` has to be the number of all of them.
#[expect(clippy::indexing_slicing, clippy::panic, reason = "evaluated at compile time only")]
pub(crate) const fn concat<const N: usize>(lists: &[&[&'static Field]]) -> [&'static Field; N] {
    let [[first, ..], ..] = lists else { panic!("there is no field") };
    let mut joined = [*first; N];
    let (mut rest, mut count) = (lists, 0);
    while let [list, others @ ..] = rest {
        let mut fields = *list;
        while let [field, more @ ..] = fields {
            joined[count] = *field;
            (fields, count) = (more, count + 1);
        }
        rest = others;
    }
    assert!(count == N);
    joined
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self, other)
    }
}

impl From<&Field> for Step {
    fn from(field: &Field) -> Self {
        Self::Name(field.name.into())
    }
}
