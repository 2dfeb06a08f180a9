//! `[tape]`: what the service saw, recorded in files.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::document::{
    deserializer::keys_of,
    error::KeyError,
    field::Field,
    values::{
        integer::{Day, Integer},
        setting::{Form, OptionalSetting as _, Setting, Syntax},
        text::{DirectoryPath, Text},
    },
};

/// The tape of this process.
#[derive(Clone, Debug)]
pub struct TapeConfig {
    /// The directory of the tapes of all replicas.
    pub directory: PathBuf,
    /// The name of its own directory in it; by default that of the machine.
    pub instance: Option<String>,
    /// How long files are kept, in seconds; by default, they are not removed.
    pub retention_seconds: Option<u64>,
}

/// `[tape]`.
#[derive(Deserialize)]
pub(crate) struct TapeTable {
    directory: Option<Text<DirectoryPath>>,
    instance: Option<Setting<String, AsFileName>>,
    retain_days: Option<Integer<u64, 1, 3_650, Day>>,
}

/// The name of a directory.
enum AsFileName {}

impl Form<String> for AsFileName {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<String, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_allowed = (1..=64).contains(&text.len()) && text.bytes().all(is_plain) && !text.starts_with('.');
        let name = is_allowed.then(|| text.to_owned());
        name.ok_or_else(|| "1 to 64 letters, digits, '-', '_' and '.', not a '.' at the start".to_owned())
    }
}

impl TapeConfig {
    /// Creates the settings of the table at `field`; without a `directory` nothing is recorded.
    ///
    /// # Errors
    /// [`KeyError`] for keys without a `directory`.
    pub(crate) fn new(table: TapeTable, field: &Field<'_>) -> Result<Option<Self>, KeyError> {
        let Some(DirectoryPath(directory)) = table.directory.value() else {
            field.refuse(keys_of::<TapeTable>().iter().copied(), "only with directory")?;
            return Ok(None);
        };
        Ok(Some(Self {
            directory: field.environment().resolve(Path::new(&directory)),
            instance: table.instance.value(),
            retention_seconds: table.retain_days.value().map(|days| days * 86_400),
        }))
    }
}
