//! Values stored elsewhere: in an environment variable or in a separate file. No error shows their contents.

use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::{error::KeyError, reader::Field};
use crate::{Environment, FileReaders, SECRET_MODES, UnreadableFile};

/// Maximum length of a PEM file in bytes, more than any bundle of certificates.
pub(crate) const MAX_PEM_BYTES: usize = 4 << 20;

/// Returns a secret without the line ending that editors and shells append.
pub(crate) fn without_line_ending(text: &str) -> &str {
    text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

impl Field<'_> {
    /// Reads the environment variable that this value names, which holds `what`.
    pub(crate) fn read_variable(&self, what: &str) -> Result<Zeroizing<String>, KeyError> {
        let allowed = format!("the name of an environment variable, in capitals, that holds {what}");
        // The secret itself may have been written here by mistake, so text that is not a variable name is not shown.
        let name = self.clone().secret().text(&allowed, |text| is_variable_name(text).then_some(text).ok_or(()))?;
        let secret =
            self.environment().variable(name).map(|secret| Zeroizing::new(without_line_ending(&secret).to_owned()));
        secret.ok_or_else(|| self.not_allowed(format!("the name of a variable that is set, and holds {what}")))
    }

    /// Reads the file that this value names, which holds `what`, at most `max_bytes` bytes.
    pub(crate) fn read_file(
        &self,
        what: &str,
        max_bytes: usize,
        readers: FileReaders,
    ) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let path = self.text(&holding(what), Ok::<_, ()>)?;
        contents(&**self.environment(), path, what, max_bytes, readers).map_err(|allowed| self.not_allowed(allowed))
    }

    /// Reads the path of a file or directory that `is_allowed`; it is not opened.
    pub(crate) fn file_path(&self, allowed: &str, is_allowed: impl FnOnce(&Path) -> bool) -> Result<PathBuf, KeyError> {
        self.text(allowed, |text| {
            let path = self.environment().resolve(Path::new(text));
            if !text.is_empty() && is_allowed(&path) { Ok(path) } else { Err(()) }
        })
    }

    /// Reads the PEM certificates in the file that this value names.
    pub(crate) fn pem_certificates(&self) -> Result<Vec<u8>, KeyError> {
        Ok(self.read_file("certificates in PEM", MAX_PEM_BYTES, FileReaders::All)?.to_vec())
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

fn is_variable_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    starts && text.len() <= 128 && text.bytes().all(is_plain)
}
