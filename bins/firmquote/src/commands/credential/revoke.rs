//! `firmquote credential revoke`.

use std::{io::Write as _, path::Path};

use anyhow::bail;
use firmquote_config::credentials_file::{id_of, text};
use firmquote_http::ClientName;

use super::file::CredentialsFile;
use crate::commands::output::Output;

/// Which credentials are meant.
pub(crate) enum CredentialSelector {
    /// All of a client.
    Client(ClientName),
    /// The one of this id, as `list` shows it.
    Id(String),
}

/// Removes credentials from the file at `path`. A service that reads it refuses them within a second.
///
/// # Errors
/// When there are none of them, and when the file cannot be edited.
pub(crate) fn revoke(path: &Path, which: &CredentialSelector) -> anyhow::Result<()> {
    let mut file = CredentialsFile::open(path)?;
    let removed = match which {
        CredentialSelector::Client(client) => {
            file.document().remove(|credential| text(credential, "client") == Some(client.as_str()))
        }
        CredentialSelector::Id(id) => file.document().remove(|credential| id_of(credential) == *id),
    }?;
    if removed == 0 {
        let (kind, name) = match which {
            CredentialSelector::Client(client) => ("of client", client.as_str()),
            CredentialSelector::Id(id) => ("with id", id.as_str()),
        };
        bail!("{}: no credential {kind} {name}; `firmquote credential list` shows all", path.display());
    }
    file.write()?;
    let mut out = Output::lock();
    let credentials = if removed == 1 { "credential" } else { "credentials" };
    writeln!(out, "{removed} {credentials} removed from {}", path.display())?;
    Ok(out.flush()?)
}
