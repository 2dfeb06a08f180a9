//! `firmquote credential list`.

use std::{io::Write as _, path::Path};

use firmquote_config::credentials_file::{id_of, text};

use super::file::CredentialsFile;
use crate::{
    client::{
        text_table::{Align, TextTable},
        time_format::utc,
    },
    commands::{last_uses, output::Output},
};

/// Prints the credentials of the file at `path`, without hashes. With `admin`, the admin listener of a service, also
/// prints the last use of each.
pub(crate) fn list(path: &Path, admin: Option<&str>) -> anyhow::Result<()> {
    let uses = admin.map(last_uses::ask).transpose()?;
    let mut file = CredentialsFile::open(path)?;
    let last_used = |id: &str| match &uses {
        None => String::new(),
        Some(uses) => uses.get(id).map_or("not since the service start".to_owned(), |at| utc(at.seconds())),
    };
    let mut table = TextTable::new([Align::Left; 5]);
    table.row(["id", "client", "kind", "created", if uses.is_some() { "last used" } else { "" }]);
    for credential in file.document().tables() {
        let kind = if text(credential, "username").is_some() { "Basic" } else { "API key" };
        let created = credential.get("created_at").map(|item| item.to_string());
        let (id, client) = (id_of(credential), text(credential, "client").unwrap_or_default());
        table.row([&*id, client, kind, created.as_deref().unwrap_or_default().trim(), &last_used(&id)]);
    }
    let mut out = Output::lock();
    write!(out, "{table}")?;
    Ok(out.flush()?)
}
