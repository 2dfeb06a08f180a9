//! `[auth]`: the retirement of the deprecated Basic scheme, and the credentials file.

use std::path::PathBuf;

use firmquote_domain::UnixSeconds;
use firmquote_http::BasicRetirement;

use crate::{
    document::{
        error::KeyError,
        reader::{Field, Keys, Table},
    },
    time_format,
};

pub(crate) const KEYS: Keys = Keys::new(&["basic", "basic_deprecated_at", "basic_sunset_at", "credentials_file"]);

/// Reads `[auth]`: `basic`, whether Basic is accepted at all (default true), `basic_deprecated_at`, when it became
/// deprecated (default 2026-01-01), and `basic_sunset_at`, when it ends (default: undecided).
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for an end before the deprecation.
pub(crate) fn read(table: &Table<'_>) -> Result<BasicRetirement, KeyError> {
    let is_switched_off = !table.field("basic").or(true, |field| field.boolean())?;
    let deprecated_at =
        table.field("basic_deprecated_at").or(BasicRetirement::default().deprecated_at, |field| date(&field))?;
    let sunset = table.field("basic_sunset_at");
    if !sunset.is_present() {
        return Ok(BasicRetirement { deprecated_at, sunset_at: None, is_switched_off });
    }
    let sunset_at = date(&sunset)?;
    if sunset_at < deprecated_at {
        return Err(sunset.not_allowed("no date before basic_deprecated_at"));
    }
    Ok(BasicRetirement { deprecated_at, sunset_at: Some(sunset_at), is_switched_off })
}

/// Reads `credentials_file`: the path of a file with more credentials. Default: none. The file is not read yet.
///
/// # Errors
/// [`KeyError`] for a value that is not a path.
pub(crate) fn credentials_file(table: &Table<'_>) -> Result<Option<PathBuf>, KeyError> {
    let path = |field: Field<'_>| field.file_path("the path of a file", |_| true);
    table.field("credentials_file").optional(path)
}

fn date(field: &Field<'_>) -> Result<UnixSeconds, KeyError> {
    field.date("a date such as 2027-01-31 or 2027-01-31T12:00:00Z, 1970 to 2106", |text| parse(text).ok_or(()))
}

/// Parses a date whose Unix seconds fit 32 bits.
fn parse(text: &str) -> Option<UnixSeconds> {
    u32::try_from(time_format::parse(text)?.as_second()).ok().map(UnixSeconds::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_parsed_with_and_without_time() {
        for (text, seconds) in [
            ("2026-01-01", 1_767_225_600),
            ("2026-01-01T00:00:00Z", 1_767_225_600),
            ("2026-01-01 02:00:00+02:00", 1_767_225_600),
        ] {
            assert_eq!(parse(text), Some(UnixSeconds::new(seconds)), "{text}");
        }
        for text in ["", "soon", "2026-13-01", "2026-01-01T00:00:00", "1969-12-31", "2107-01-01"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
