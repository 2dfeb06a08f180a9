//! Reads fields one after the other and keeps every mistake.

use super::{Field, Fields, InvalidInput, InvalidKind, Problem, RawInput};
use crate::error::ApiError;

/// Reads the fields of one request. A value that is not there or not right is `None`, and the mistake is kept.
#[derive(Debug)]
pub(crate) struct Reader<'f, 'a> {
    fields: &'f Fields<'a>,
    mistakes: Vec<InvalidInput>,
}

impl<'f, 'a> Reader<'f, 'a> {
    /// A reader of `fields`; parameters that came twice are its first mistakes.
    pub(crate) fn new(fields: &'f Fields<'a>) -> Self {
        Self { fields, mistakes: fields.repetitions().collect() }
    }

    /// The value of a field that has to be there.
    pub(crate) fn required<T>(
        &mut self,
        field: Field,
        parse: impl FnOnce(&'f RawInput<'a>) -> Result<T, Problem>,
    ) -> Option<T> {
        if !self.has(field) {
            self.note(field, Problem { kind: InvalidKind::Missing, message: "Field required" });
        }
        self.optional(field, parse)
    }

    /// The value of a field, if it is there and right.
    pub(crate) fn optional<T>(
        &mut self,
        field: Field,
        parse: impl FnOnce(&'f RawInput<'a>) -> Result<T, Problem>,
    ) -> Option<T> {
        let parsed = parse(self.fields.received(field)?);
        parsed.map_err(|problem| self.note(field, problem)).ok()
    }

    /// Whether the field was sent, right or wrong.
    pub(crate) fn has(&self, field: Field) -> bool {
        self.fields.received(field).is_some()
    }

    /// Keeps the same mistake about each of `fields`.
    pub(crate) fn note_all(&mut self, fields: [Field; 2], problem: Problem) {
        for field in fields {
            self.note(field, problem);
        }
    }

    /// What `build` makes of the values, if there was no mistake.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every mistake.
    pub(crate) fn finish<T>(self, build: impl FnOnce() -> Option<T>) -> Result<T, ApiError> {
        if !self.mistakes.is_empty() {
            return Err(ApiError::InvalidInput(self.mistakes));
        }
        build().ok_or_else(|| ApiError::Internal("a value is absent and nobody noted why".into()))
    }

    fn note(&mut self, field: Field, problem: Problem) {
        let Problem { kind, message } = problem;
        let input = match kind {
            InvalidKind::Missing => self.fields.echo_whole(),
            _ => self.fields.echo(field),
        };
        self.mistakes.push(InvalidInput { kind, item: None, field: Some(field), message: message.into(), input });
    }
}
