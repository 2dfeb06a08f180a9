//! A key held by a signing service. Its address may contain a secret, so no error shows it.

use std::time::Duration;

use firmquote_signer::{InvalidRemoteSignerConfig, RemoteIdentity, RemoteSigner, RemoteSignerConfig};

use super::table::SignerTable;
use crate::{
    FileReaders,
    document::{
        error::KeyError,
        field::{Field, both},
        secret_refs::MAX_PEM_BYTES,
        values::{setting::OptionalSetting as _, text::FilePath},
    },
};

/// Creates the signer of the keys that start with `remote_` of the table at `field`. Sends no request.
///
/// # Errors
/// [`KeyError`] for missing and conflicting keys, and for unusable files.
pub(super) fn new(table: SignerTable, field: &Field<'_>) -> Result<RemoteSigner, KeyError> {
    let (url, authorities) = (field.key("remote_url"), field.key("remote_ca_file"));
    let files = (table.remote_certificate_file.value(), table.remote_key_file.value());
    let access = RemoteSignerConfig {
        url: table.remote_url.required(&url)?.0,
        address: table.remote_address.required(&field.key("remote_address"))?,
        timeout: table.remote_timeout_ms.value_or(Duration::from_secs(2)),
        authorities: table.remote_ca_file.value().map(|file| authorities.read_certificates(&file)).transpose()?,
        identity: identity(files, field)?,
    };
    RemoteSigner::new(&access).map_err(|error| match error {
        InvalidRemoteSignerConfig::Url { allowed } => url.not_allowed(allowed),
        InvalidRemoteSignerConfig::Timeout => field.key("remote_timeout_ms").not_allowed("more than 0 ms"),
        InvalidRemoteSignerConfig::Authorities { reason } if authorities.is_present() => {
            authorities.not_allowed(format!("a file that holds certificates in PEM ({reason})"))
        }
        InvalidRemoteSignerConfig::Authorities { reason } => authorities
            .not_allowed(format!("a file that holds certificates in PEM: the system has none to trust ({reason})")),
        InvalidRemoteSignerConfig::Identity => {
            field.key("remote_key_file").not_allowed("the private key of remote_certificate_file, both in PEM")
        }
    })
}

/// Reads the files of the client certificate, if there are any.
fn identity(
    (certificates, key): (Option<FilePath>, Option<FilePath>),
    field: &Field<'_>,
) -> Result<Option<RemoteIdentity>, KeyError> {
    let (at_certificates, at_key) = (field.key("remote_certificate_file"), field.key("remote_key_file"));
    let files = both((certificates, "remote_certificate_file"), (key, "remote_key_file"), field)?;
    let Some((certificates, key)) = files else { return Ok(None) };
    Ok(Some(RemoteIdentity {
        certificates: at_certificates.read_certificates(&certificates)?,
        key: at_key.read_file(&key, "a private key in PEM", MAX_PEM_BYTES, FileReaders::OwnerOnly)?,
    }))
}
