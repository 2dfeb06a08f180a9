//! `[store]` with `kind = "redis"`: the settings of the Redis store, with the passwords and certificates stored
//! elsewhere.

use std::time::Duration;

use firmquote_store::redis::{KeyPrefix, RedisAddress, RedisConfig, RedisCredentials, Servers, TlsFiles};
use zeroize::Zeroizing;

use super::servers;
use crate::{
    FileReaders,
    document::{
        error::KeyError,
        reader::{Field, Table, refuse_present},
        secret_refs::{MAX_PEM_BYTES, without_line_ending},
    },
};

/// Maximum length of a password file in bytes, more than any password.
const MAX_PASSWORD_BYTES: usize = 4_096;
/// Maximum of every retention in seconds: a year.
pub(super) const MAX_RETENTION_SECONDS: u64 = 31_536_000;

/// Reads the keys: `url`, `cluster` and `sentinel_master` locate the servers, `username` with `password_env` or
/// `password_file` are the credentials, `tls_ca_file`, `tls_certificate_file` and `tls_key_file` are PEM files for
/// `rediss://`. Defaults: `prefix` `firmquote`, `timeout_ms` 500 (50 to 10000), `max_clock_skew_ms` 5000 (500 to
/// 60000), `wait_replicas` 0 (to 16), `wait_aof` false with `wait_aof_timeout_ms` 3000 (2000 to 30000),
/// `ledger_max_age_seconds` 86400 (60 to a year).
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for conflicting keys.
pub(super) fn read(
    table: &Table<'_>,
    timeout: Duration,
    max_clock_skew: Duration,
    status_retention_seconds: u32,
) -> Result<RedisConfig, KeyError> {
    let servers = servers::read(table)?;
    let is_tls = servers.addresses().iter().any(RedisAddress::is_tls);
    let integer = |key, default, range, unit| table.field(key).or(default, |field| field.integer::<u32>(range, unit));
    Ok(RedisConfig {
        credentials: credentials(table)?,
        tls: tls(table, is_tls)?,
        prefix: prefix(&table.field("prefix"))?,
        timeout,
        max_clock_skew,
        wait_replicas: integer("wait_replicas", 0, 0..=16, " replicas")?,
        status_retention_seconds,
        ledger_max_age_seconds: integer("ledger_max_age_seconds", 86_400, 60..=MAX_RETENTION_SECONDS, " seconds")?,
        wait_aof: wait_aof(table, &servers)?,
        servers,
    })
}

/// Reads `wait_aof` with `wait_aof_timeout_ms`.
fn wait_aof(table: &Table<'_>, servers: &Servers) -> Result<Option<Duration>, KeyError> {
    let timeout = table.field("wait_aof_timeout_ms");
    let field = table.field("wait_aof");
    let is_on = field.clone().or(false, |field| field.boolean())?;
    if is_on && matches!(servers, Servers::Cluster(_)) {
        return Err(field.not_allowed(
            "false in a Cluster, whose nodes would be waited for one signature at a time; use wait_replicas instead",
        ));
    }
    if !is_on && timeout.is_present() {
        return Err(timeout.not_allowed("only with wait_aof = true"));
    }
    let millis = timeout.or(3_000, |field| field.integer(2_000..=30_000, " ms"))?;
    Ok(is_on.then(|| Duration::from_millis(millis)))
}

fn prefix(field: &Field<'_>) -> Result<KeyPrefix, KeyError> {
    let text = field.clone().or("firmquote", |field| field.text(KeyPrefix::ALLOWED, Ok::<_, ()>))?;
    KeyPrefix::new(text).ok_or_else(|| field.not_allowed(KeyPrefix::ALLOWED))
}

/// Reads the credentials; `None` if only the addresses may contain them.
fn credentials(table: &Table<'_>) -> Result<Option<RedisCredentials>, KeyError> {
    let (username, variable, file) =
        (table.field("username"), table.field("password_env"), table.field("password_file"));
    let password = match (variable.is_present(), file.is_present()) {
        (true, true) => return Err(file.not_allowed("only one of password_env and password_file")),
        (false, false) if username.is_present() => {
            return Err(username.not_allowed("only with password_env or password_file"));
        }
        (false, false) => return Ok(None),
        (true, false) => password(&variable, variable.read_variable("a password")?)?,
        (false, true) => password(&file, read_file(&file)?)?,
    };
    let username = username.optional(|field| field.label(128))?;
    Ok(Some(RedisCredentials { username, password }))
}

/// Reads a password file, without the line ending that editors append.
fn read_file(field: &Field<'_>) -> Result<Zeroizing<String>, KeyError> {
    let contents = field.read_file("a password", MAX_PASSWORD_BYTES, FileReaders::OwnerOnly)?;
    let text =
        str::from_utf8(&contents).map_err(|_| field.not_allowed("a file that holds a password: text in UTF-8"))?;
    Ok(Zeroizing::new(without_line_ending(text).to_owned()))
}

fn password(field: &Field<'_>, text: Zeroizing<String>) -> Result<Zeroizing<String>, KeyError> {
    if text.is_empty() { Err(field.not_allowed("the source of a password that is not empty")) } else { Ok(text) }
}

fn tls(table: &Table<'_>, is_tls: bool) -> Result<TlsFiles, KeyError> {
    let [authorities, certificate, key] =
        ["tls_ca_file", "tls_certificate_file", "tls_key_file"].map(|key| table.field(key));
    if !is_tls {
        refuse_present([&authorities, &certificate, &key].map(Field::clone), "only with rediss:// in url")?;
    }
    let pem = |field: &Field<'_>, what, readers| field.read_file(what, MAX_PEM_BYTES, readers);
    let client = match (certificate.is_present(), key.is_present()) {
        (false, false) => None,
        (true, true) => Some((
            pem(&certificate, "a certificate in PEM", FileReaders::All)?.to_vec(),
            pem(&key, "the key of tls_certificate_file in PEM", FileReaders::OwnerOnly)?,
        )),
        (true, false) => return Err(certificate.not_allowed("only with tls_key_file")),
        (false, true) => return Err(key.not_allowed("only with tls_certificate_file")),
    };
    let authorities = authorities.optional(|field| field.pem_certificates())?;
    Ok(TlsFiles { authorities, client })
}
