//! `[auth]`: the retirement of the deprecated Basic scheme, and the credentials file.

use std::path::{Path, PathBuf};

use firmquote_domain::UnixSeconds;
use firmquote_http::BasicRetirement;
use serde::Deserialize;

use crate::{
    document::{
        error::KeyError,
        field::Field,
        values::{
            setting::{Form, OptionalSetting as _, Setting, Syntax},
            text::{FilePath, Text},
        },
    },
    time_format,
};

/// `[auth]`.
#[derive(Deserialize)]
pub(crate) struct AuthTable {
    basic: Option<bool>,
    basic_deprecated_at: Option<Setting<UnixSeconds, AsDate>>,
    basic_sunset_at: Option<Setting<UnixSeconds, AsDate>>,
    credentials_file: Option<Text<FilePath>>,
}

/// A date, or a date with time and offset, whose Unix seconds fit 32 bits.
enum AsDate {}

impl Form<UnixSeconds> for AsDate {
    const SYNTAX: Syntax = Syntax::Any;

    fn parse(text: &str) -> Result<UnixSeconds, String> {
        let seconds = time_format::parse(text).and_then(|instant| u32::try_from(instant.as_second()).ok());
        seconds
            .map(UnixSeconds::new)
            .ok_or_else(|| "a date such as 2027-01-31 or 2027-01-31T12:00:00Z, 1970 to 2106".to_owned())
    }
}

impl AuthTable {
    /// Returns the path of the credentials file, which is not read yet.
    pub(crate) fn credentials_file(&self, field: &Field<'_>) -> Option<PathBuf> {
        let path = &self.credentials_file.as_ref()?.0.0;
        Some(field.environment().resolve(Path::new(path)))
    }

    /// Returns the retirement of Basic.
    ///
    /// # Errors
    /// [`KeyError`] for an end before the deprecation.
    pub(crate) fn basic(self, field: &Field<'_>) -> Result<BasicRetirement, KeyError> {
        let deprecated_at = self.basic_deprecated_at.value_or(BasicRetirement::default().deprecated_at);
        let sunset_at = self.basic_sunset_at.value();
        if sunset_at.is_some_and(|sunset_at| sunset_at < deprecated_at) {
            return Err(field.key("basic_sunset_at").not_allowed("no date before basic_deprecated_at"));
        }
        Ok(BasicRetirement { deprecated_at, sunset_at, is_switched_off: !self.basic.unwrap_or(true) })
    }
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
            assert_eq!(AsDate::parse(text), Ok(UnixSeconds::new(seconds)), "{text}");
        }
        for text in ["", "soon", "2026-13-01", "2026-01-01T00:00:00", "1969-12-31", "2107-01-01"] {
            assert!(AsDate::parse(text).is_err(), "{text}");
        }
    }
}
