//! `firmquote credential list`.

use std::{io::Write as _, path::Path};

use firmquote_config::credentials_document::{id_of, text};

use super::{
    super::{last_uses, output::Output},
    file::CredentialsFile,
};
use crate::client::moment::utc;

/// Shows the credentials of the file at `path`, without hashes; with the service whose admin listener is `admin`, when it saw
/// each last.
pub(crate) fn list(path: &Path, admin: Option<&str>) -> anyhow::Result<()> {
    let uses = admin.map(last_uses::ask).transpose()?;
    let mut file = CredentialsFile::open(path)?;
    let last_used = |id: &str| match &uses {
        None => String::new(),
        Some(uses) => uses.get(id).map_or("not since the service started".to_owned(), |at| utc(at.seconds())),
    };
    let row = |credential| {
        let kind = if text(credential, "username").is_some() { "Basic" } else { "API key" };
        let created = credential.get("created_at").map(|item| item.to_string().trim().to_owned());
        let client = text(credential, "client").unwrap_or_default().to_owned();
        let id = id_of(credential);
        let used = last_used(&id);
        [id, client, kind.to_owned(), created.unwrap_or_default(), used]
    };
    let heading = ["id", "client", "kind", "created", if uses.is_some() { "last used" } else { "" }].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(heading).chain(file.document().tables().map(row)).collect();
    let width = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.len())).max().unwrap_or_default();
    let [ids, clients, kinds, dates] = [0, 1, 2, 3].map(width);
    let mut out = Output::lock();
    for [id, client, kind, created, used] in &rows {
        let line = format!("{id:<ids$}  {client:<clients$}  {kind:<kinds$}  {created:<dates$}  {used}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(out.flush()?)
}
