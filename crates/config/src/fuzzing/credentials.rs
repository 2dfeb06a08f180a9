//! The check of the fuzz target `files`: the credentials file and its edits.

use toml_edit::{Table, value};

use super::configuration::{check_error_text, has_secret};
use crate::credentials_file::{CredentialsDocument, InvalidCredentialsFile, id_of, text};

/// The credential that is added to a file.
const CLIENT: &str = "the-new-client";
const HASH: &str = "f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0f";

/// Reads `data` as a credentials file, and edits it in every way.
///
/// # Panics
/// When an error is not one short line or contains a hash; when a credential that the service reads cannot be edited;
/// and when the result differs from the original with the addition and without the removed credentials.
pub fn credentials(data: &[u8]) {
    let Ok(written) = str::from_utf8(data) else { return };
    let read = || CredentialsDocument::read("f".to_owned(), written);
    let document = match read() {
        Ok(document) => document,
        Err(error) => return check_error_text(&format!("{error:#}"), has_secret(written, &[])),
    };
    let before = entries(written);
    assert_eq!(document.tables().count(), before.len(), "{written}");
    assert_eq!(document.text().map(|text| plain(&text)).ok(), Some(plain(written)), "{written}");
    if !written.contains(HASH) {
        let with_new = edited(read(), |document| document.add(new()));
        assert!(with_new.iter().eq(before.iter().chain(&entries(&format!("[[credential]]\n{}", new())))), "{written}");
    }
    let names: [fn(&Table) -> String; 2] = [id_of, |table| text(table, "client").unwrap_or_default().to_owned()];
    for name in names {
        let all: Vec<_> = document.tables().map(name).collect();
        for removed in &all {
            let rest = edited(read(), |document| document.remove(|table| name(table) == *removed).map(drop));
            let remaining = before.iter().zip(&all).filter(|(_, name)| *name != removed).map(|(entry, _)| entry);
            assert!(rest.iter().eq(remaining), "{removed} of {written}");
        }
    }
}

/// Returns the credentials of the file after `edit` was applied and the result written.
fn edited(
    document: Result<CredentialsDocument, InvalidCredentialsFile>,
    edit: impl Fn(&mut CredentialsDocument) -> Result<(), InvalidCredentialsFile>,
) -> Vec<toml::Value> {
    let edited = document.and_then(|mut document| {
        edit(&mut document)?;
        document.text()
    });
    let text = edited.unwrap_or_else(|error| format!("error = {:?}", error.to_string()));
    assert!(!text.starts_with("error"), "{text}");
    entries(&text)
}

/// Parses the credentials of a file with an independent reader.
fn entries(text: &str) -> Vec<toml::Value> {
    let table: toml::Table = text.parse().unwrap_or_default();
    table.get("credential").and_then(toml::Value::as_array).cloned().unwrap_or_default()
}

/// Normalizes the differences that editing may cause: line endings and the end of the file.
fn plain(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n").trim_end().to_owned()
}

fn new() -> Table {
    Table::from_iter([("client", value(CLIENT)), ("api_key_sha256", value(HASH))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_files_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("files", credentials);
    }
}
