//! `firmquote credential revoke`.

use std::{io::Write as _, path::Path};

use anyhow::bail;
use firmquote_config::credentials_file::{id_of, text};
use firmquote_http::ClientName;

use super::file::CredentialsFile;
use crate::commands::output::Output;

/// Selects credentials by client or by ID.
pub(crate) enum CredentialSelector {
    /// All credentials of a client.
    Client(ClientName),
    /// The credential with this ID, as shown by `list`.
    Id(String),
}

/// Removes credentials from the file at `path`. A running service that reads the file refuses them within a second.
///
/// # Errors
/// When no credential matches, and when the file cannot be edited.
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
        bail!("{}: no credential {kind} {name}; list them with `firmquote credential list`", path.display());
    }
    file.write()?;
    let mut out = Output::lock();
    let credentials = if removed == 1 { "credential" } else { "credentials" };
    writeln!(out, "{removed} {credentials} removed from {}", path.display())?;
    Ok(out.flush()?)
}
