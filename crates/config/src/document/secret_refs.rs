//! Values stored elsewhere: in an environment variable or in a separate file. No error shows their contents.

use std::{marker::PhantomData, path::Path};

use zeroize::Zeroizing;

use super::{
    displayed_value::DisplayedValue,
    error::{KeyError, Problem},
    field::Field,
    values::{
        setting::{Form, Setting, Syntax},
        text::FilePath,
    },
};
use crate::{Environment, FileReaders, SECRET_MODES, UnreadableFile};

/// Maximum length of a PEM file in bytes, more than any bundle of certificates.
pub(crate) const MAX_PEM_BYTES: usize = 4 << 20;

/// Returns a secret without the line ending that editors and shells append.
pub(crate) fn without_line_ending(text: &str) -> &str {
    text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

/// A secret that an environment variable holds.
pub(crate) trait Secret {
    /// What it is.
    const WHAT: &'static str;
}

/// The name of an environment variable that holds an `S`.
pub(crate) type Variable<S> = Setting<String, NameOf<S>>;

/// The form of [`Variable`].
pub(crate) struct NameOf<S>(PhantomData<S>);

impl<S: Secret> Form<String> for NameOf<S> {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<String, String> {
        let name = Some(text).filter(|text| is_variable_name(text)).map(str::to_owned);
        name.ok_or_else(|| format!("the name of an environment variable, in capitals, that holds {}", S::WHAT))
    }
}

impl Field<'_> {
    /// Reads the environment variable that this value names, which holds an `S`.
    pub(crate) fn read_variable<S: Secret>(&self, name: &str) -> Result<Zeroizing<String>, KeyError> {
        let secret = self.environment().variable(name);
        let secret = secret.map(|secret| Zeroizing::new(without_line_ending(&secret).to_owned()));
        secret.ok_or_else(|| {
            self.variable_not_allowed(name, format!("the name of a variable that is set, and holds {}", S::WHAT))
        })
    }

    /// Creates the error that the variable of this name is not `allowed`. It shows the name, unlike other errors, which
    /// cannot know whether the secret itself stands there.
    pub(crate) fn variable_not_allowed(&self, name: &str, allowed: String) -> KeyError {
        let problem = Problem::NotAllowed { value: DisplayedValue::text(name), allowed };
        KeyError { key: self.path().clone(), problem }
    }

    /// Reads the file that this value names, which holds `what`, at most `max_bytes` bytes.
    pub(crate) fn read_file(
        &self,
        FilePath(path): &FilePath,
        what: &str,
        max_bytes: usize,
        readers: FileReaders,
    ) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        contents(&**self.environment(), path, what, max_bytes, readers).map_err(|allowed| self.not_allowed(allowed))
    }

    /// Reads the PEM certificates in the file that this value names.
    pub(crate) fn read_certificates(&self, file: &FilePath) -> Result<Vec<u8>, KeyError> {
        Ok(self.read_file(file, "certificates in PEM", MAX_PEM_BYTES, FileReaders::All)?.to_vec())
    }
}

/// Reads the file at `path`, which holds `what`, at most `max_bytes`.
///
/// # Errors
/// A description of the allowed contents, if the file cannot be used.
pub(crate) fn contents(
    environment: &dyn Environment,
    path: &str,
    what: &str,
    max_bytes: usize,
    readers: FileReaders,
) -> Result<Zeroizing<Vec<u8>>, String> {
    environment.file(&environment.resolve(Path::new(path)), max_bytes, readers).map_err(|unread| match unread {
        UnreadableFile::Io(error) => format!("a file that can be read ({error})"),
        UnreadableFile::Exposed => format!("a file that only its owner may read and write ({SECRET_MODES})"),
        UnreadableFile::TooLong { .. } => holding(what),
        UnreadableFile::TooSlow { .. } => format!("a file that is read to its end at once ({unread})"),
    })
}

/// Describes a file that holds `what`.
fn holding(what: &str) -> String {
    format!("a file that holds {what}")
}

/// Whether `text` is the name of an environment variable, in capitals.
fn is_variable_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    starts && text.len() <= 128 && text.bytes().all(is_plain)
}
