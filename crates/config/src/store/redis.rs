//! `[store]` with `kind = "redis"`: the settings of the Redis store, with the passwords and certificates stored
//! elsewhere.

use std::time::Duration;

use firmquote_store::redis::{KeyPrefix, RedisAddress, RedisConfig, RedisCredentials, Servers, TlsFiles};
use zeroize::Zeroizing;

use super::{
    servers,
    table::{CommonSettings, Password, StoreTable},
};
use crate::{
    FileReaders,
    document::{
        error::KeyError,
        field::{Field, both},
        secret_refs::{MAX_PEM_BYTES, without_line_ending},
        values::{setting::OptionalSetting as _, text::FilePath},
    },
};

/// Maximum length of a password file in bytes, more than any password.
const MAX_PASSWORD_BYTES: usize = 4_096;

/// Creates the settings of the table at `field`, and reads the files and variables that it names.
///
/// # Errors
/// [`KeyError`] for missing and conflicting keys, and for unusable files and variables.
pub(super) fn read(table: StoreTable, common: CommonSettings, field: &Field<'_>) -> Result<RedisConfig, KeyError> {
    let servers = servers::new(table.url, table.cluster, table.sentinel_master.value(), field)?;
    let tls_files = [table.tls_ca_file, table.tls_certificate_file, table.tls_key_file].map(|file| file.value());
    let is_tls = servers.addresses().iter().any(RedisAddress::is_tls);
    let passwords = (table.password_env.value(), table.password_file.value());
    Ok(RedisConfig {
        credentials: credentials(table.username.value(), passwords, field)?,
        tls: tls(tls_files, is_tls, field)?,
        prefix: table.prefix.value_or(KeyPrefix::default()),
        timeout: common.timeout,
        max_clock_skew: common.max_clock_skew,
        wait_replicas: table.wait_replicas.value_or(0),
        status_retention_seconds: common.status_retention_seconds,
        ledger_max_age_seconds: table.ledger_max_age_seconds.value_or(86_400),
        wait_aof: wait_aof(table.wait_aof.unwrap_or(false), table.wait_aof_timeout_ms.value(), &servers, field)?,
        servers,
    })
}

fn wait_aof(
    is_on: bool,
    timeout: Option<Duration>,
    servers: &Servers,
    field: &Field<'_>,
) -> Result<Option<Duration>, KeyError> {
    if is_on && matches!(servers, Servers::Cluster(_)) {
        return Err(field.key("wait_aof").not_allowed(
            "false in a Cluster, whose nodes would be waited for one signature at a time; use wait_replicas instead",
        ));
    }
    if !is_on {
        field.refuse(["wait_aof_timeout_ms"], "only with wait_aof = true")?;
    }
    Ok(is_on.then(|| timeout.unwrap_or(Duration::from_secs(3))))
}

/// Returns the credentials; `None` if only the addresses may contain them.
fn credentials(
    username: Option<String>,
    passwords: (Option<String>, Option<FilePath>),
    field: &Field<'_>,
) -> Result<Option<RedisCredentials>, KeyError> {
    const NOT_EMPTY: &str = "the source of a password that is not empty";
    let password = match passwords {
        (Some(_), Some(_)) => {
            return Err(field.key("password_file").not_allowed("only one of password_env and password_file"));
        }
        (None, None) => {
            field.refuse(["username"], "only with password_env or password_file")?;
            return Ok(None);
        }
        (Some(variable), None) => {
            let source = field.key("password_env");
            let password = source.read_variable::<Password>(&variable)?;
            if password.is_empty() {
                return Err(source.variable_not_allowed(&variable, NOT_EMPTY.to_owned()));
            }
            password
        }
        (None, Some(file)) => {
            let source = field.key("password_file");
            let password = read_file(&source, &file)?;
            if password.is_empty() {
                return Err(source.not_allowed(NOT_EMPTY));
            }
            password
        }
    };
    Ok(Some(RedisCredentials { username, password }))
}

/// Reads a password file, without the line ending that editors append.
fn read_file(field: &Field<'_>, file: &FilePath) -> Result<Zeroizing<String>, KeyError> {
    let contents = field.read_file(file, "a password", MAX_PASSWORD_BYTES, FileReaders::OwnerOnly)?;
    let text =
        str::from_utf8(&contents).map_err(|_| field.not_allowed("a file that holds a password: text in UTF-8"))?;
    Ok(Zeroizing::new(without_line_ending(text).to_owned()))
}

fn tls(files: [Option<FilePath>; 3], is_tls: bool, field: &Field<'_>) -> Result<TlsFiles, KeyError> {
    if !is_tls {
        field.refuse(["tls_ca_file", "tls_certificate_file", "tls_key_file"], "only with rediss:// in url")?;
    }
    let [authorities, certificate, key] = files;
    let identity = both((certificate, "tls_certificate_file"), (key, "tls_key_file"), field)?;
    let client = identity.map(|(certificate, key)| {
        let read = |at, file, what, readers| field.key(at).read_file(file, what, MAX_PEM_BYTES, readers);
        let of_key = "the key of tls_certificate_file in PEM";
        let certificate =
            read("tls_certificate_file", &certificate, "a certificate in PEM", FileReaders::All)?.to_vec();
        Ok::<_, KeyError>((certificate, read("tls_key_file", &key, of_key, FileReaders::OwnerOnly)?))
    });
    let authorities = authorities.map(|file| field.key("tls_ca_file").read_certificates(&file)).transpose()?;
    Ok(TlsFiles { authorities, client: client.transpose()? })
}
