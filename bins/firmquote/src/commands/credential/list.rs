//! `firmquote credential list`.

use std::{io::Write as _, path::Path};

use super::{
    super::output::Output,
    document::{id_of, text},
    file::CredentialsFile,
};

/// Shows the credentials of the file at `path`, without hashes.
pub(crate) fn list(path: &Path) -> anyhow::Result<()> {
    let mut file = CredentialsFile::open(path)?;
    let row = |credential| {
        let kind = if text(credential, "username").is_some() { "Basic" } else { "API key" };
        let created = credential.get("created_at").map(|item| item.to_string().trim().to_owned());
        let client = text(credential, "client").unwrap_or_default().to_owned();
        [id_of(credential), client, kind.to_owned(), created.unwrap_or_default()]
    };
    let heading = ["id", "client", "kind", "created"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(heading).chain(file.document().tables().map(row)).collect();
    let width = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.len())).max().unwrap_or_default();
    let [ids, clients, kinds] = [0, 1, 2].map(width);
    let mut out = Output::lock();
    for [id, client, kind, created] in &rows {
        let line = format!("{id:<ids$}  {client:<clients$}  {kind:<kinds$}  {created}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(out.flush()?)
}
