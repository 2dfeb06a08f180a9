//! A key held by a signing service. Its address may contain a secret, so no error shows it.

use std::time::Duration;

use firmquote_signer::{InvalidRemoteSignerConfig, RemoteIdentity, RemoteSigner, RemoteSignerConfig};

use crate::{
    FileReaders,
    document::{error::KeyError, reader::Table, secret_refs::MAX_PEM_BYTES},
};

/// Reads all keys that start with `remote_`. Sends no request.
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for conflicting keys.
pub(super) fn read(table: &Table<'_>) -> Result<RemoteSigner, KeyError> {
    let (url, authorities) = (table.field("remote_url").secret(), table.field("remote_ca_file"));
    let timeout = table.field("remote_timeout_ms").or(2_000, |field| field.integer(50..=60_000, " ms"))?;
    let access = RemoteSignerConfig {
        url: url.text("the address of a signing service", |text| Ok::<_, ()>(text.to_owned()))?,
        address: table.field("remote_address").account()?,
        timeout: Duration::from_millis(timeout),
        authorities: authorities.clone().optional(|field| field.pem_certificates())?,
        identity: identity(table)?,
    };
    RemoteSigner::new(&access).map_err(|error| match error {
        InvalidRemoteSignerConfig::Url { allowed } => url.not_allowed(allowed),
        InvalidRemoteSignerConfig::Timeout => table.field("remote_timeout_ms").not_allowed("more than 0 ms"),
        InvalidRemoteSignerConfig::Authorities { reason } if authorities.is_present() => {
            authorities.not_allowed(format!("a file that holds certificates in PEM ({reason})"))
        }
        InvalidRemoteSignerConfig::Authorities { reason } => authorities
            .not_allowed(format!("a file that holds certificates in PEM: the system has none to trust ({reason})")),
        InvalidRemoteSignerConfig::Identity => {
            table.field("remote_key_file").not_allowed("the private key of remote_certificate_file, both in PEM")
        }
    })
}

/// Reads `remote_certificate_file` and `remote_key_file`, which require each other.
fn identity(table: &Table<'_>) -> Result<Option<RemoteIdentity>, KeyError> {
    let (certificates, key) = (table.field("remote_certificate_file"), table.field("remote_key_file"));
    match (certificates.is_present(), key.is_present()) {
        (false, false) => Ok(None),
        (true, false) => Err(certificates.not_allowed("only with remote_key_file")),
        (false, true) => Err(key.not_allowed("only with remote_certificate_file")),
        (true, true) => Ok(Some(RemoteIdentity {
            certificates: certificates.pem_certificates()?,
            key: key.read_file("a private key in PEM", MAX_PEM_BYTES, FileReaders::OwnerOnly)?,
        })),
    }
}
