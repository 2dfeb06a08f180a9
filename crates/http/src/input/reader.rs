//! Reads the fields of a request and collects every error.

use std::iter;

use firmquote_api::Step;

use super::{Field, Fields, Input, InvalidInput, InvalidKind, RawInput, STRICT, ValueError};
use crate::error::ApiError;

/// Reads the fields of a request. Missing or invalid values are returned as `None`, and the error is collected.
#[derive(Debug)]
pub(crate) struct Reader<'f, 'a> {
    fields: &'f Fields<'a>,
    errors: Vec<InvalidInput>,
}

impl<'f, 'a> Reader<'f, 'a> {
    /// Creates a reader of `fields`; repeated parameters are its first errors, and in a strict request an unknown input.
    pub(crate) fn new(fields: &'f Fields<'a>) -> Self {
        let mut reader = Self { fields, errors: fields.duplicate_errors().collect() };
        if reader.optional(&STRICT) == Some(true) {
            reader.errors.extend(fields.unknown_error());
        }
        reader
    }

    /// Creates a reader of `fields` for a request that changes something: an unknown input is an error, since it may be a
    /// misspelled one.
    pub(crate) fn strict(fields: &'f Fields<'a>) -> Self {
        let mut reader = Self::new(fields);
        reader.errors.extend(fields.unknown_error());
        reader
    }

    /// Returns the value of a required input.
    pub(crate) fn required<T>(
        &mut self,
        input: &'static Input<impl Fn(&'f RawInput<'a>) -> Result<T, ValueError>>,
    ) -> Option<T> {
        if !self.has(&input.field) {
            self.reject(&input.field, ValueError::new(InvalidKind::Missing, "Field required"));
        }
        self.optional(input)
    }

    /// Returns the value of an input if it is present and valid.
    pub(crate) fn optional<T>(
        &mut self,
        input: &'static Input<impl Fn(&'f RawInput<'a>) -> Result<T, ValueError>>,
    ) -> Option<T> {
        let parsed = (input.read)(self.fields.value(&input.field)?);
        parsed.map_err(|problem| self.reject(&input.field, problem)).ok()
    }

    /// Whether the field was sent, valid or not.
    pub(crate) fn has(&self, field: &Field) -> bool {
        self.fields.value(field).is_some()
    }

    /// Records the same error for each of `fields`.
    pub(crate) fn reject_all(&mut self, fields: [&Field; 2], problem: ValueError) {
        for field in fields {
            self.reject(field, problem);
        }
    }

    /// Returns the result of `build` if there were no errors.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn finish<T>(self, build: impl FnOnce() -> Option<T>) -> Result<T, ApiError> {
        if !self.errors.is_empty() {
            return Err(ApiError::InvalidInput(self.errors));
        }
        build().ok_or_else(|| ApiError::Internal("a value is missing without a recorded error".into()))
    }

    /// Records an error of a field.
    pub(crate) fn reject(&mut self, field: &Field, problem: ValueError) {
        let ValueError { kind, message, position } = problem;
        let input = match (kind, position) {
            (InvalidKind::Missing, _) => self.fields.echo_whole(),
            (_, Some(position)) => self.fields.echo_item(field, position),
            (_, None) => self.fields.echo(field),
        };
        let path = iter::once(Step::from(field)).chain(position.map(Step::Position)).collect();
        self.errors.push(InvalidInput { kind, path, message: message.into(), input });
    }
}
