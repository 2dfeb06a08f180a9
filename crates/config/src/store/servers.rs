//! The addresses of the Redis servers: a single one, a Cluster, or those named by the Sentinels. Addresses may contain
//! passwords, so no error shows one.

use firmquote_store::redis::{ALLOWED_ADDRESSES, RedisAddress, Servers};

use crate::document::{
    error::KeyError,
    reader::{Field, Raw, Table},
};

/// Reads `url`, `cluster` and `sentinel_master`.
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for conflicting keys and addresses.
pub(super) fn read(table: &Table<'_>) -> Result<Servers, KeyError> {
    let (url, cluster, master) = (table.field("url").secret(), table.field("cluster"), table.field("sentinel_master"));
    let addresses = addresses(&url)?;
    let is_cluster = cluster.clone().optional(|field| field.boolean())?;
    if master.is_present() {
        if is_cluster == Some(true) {
            return Err(master.not_allowed("only without cluster = true"));
        }
        let servers = Servers::Sentinels { master: master.label(128)?, addresses };
        return check_together(&url, servers);
    }
    let servers = match <[RedisAddress; 1]>::try_from(addresses) {
        Ok([address]) if is_cluster != Some(true) => Servers::One(address),
        Ok(one) => Servers::Cluster(one.into()),
        Err(_) if is_cluster == Some(false) => {
            return Err(cluster.not_allowed("true, or one address in url, or a sentinel_master"));
        }
        Err(several) => Servers::Cluster(several),
    };
    check_together(&url, servers)
}

/// Reads one text, or an array of texts; for an environment variable, its comma-separated parts.
fn addresses(field: &Field<'_>) -> Result<Vec<RedisAddress>, KeyError> {
    let fields = match field.raw {
        Raw::Untyped(text) if text.contains(',') => field.list("addresses")?,
        Raw::List([]) => return Err(field.not_allowed("one address or more")),
        Raw::List(_) => field.list("addresses")?,
        _ => vec![field.clone()],
    };
    fields.iter().map(|field| field.text(ALLOWED_ADDRESSES, RedisAddress::parse)).collect()
}

/// Checks the constraints of each kind of deployment on its addresses.
fn check_together(url: &Field<'_>, servers: Servers) -> Result<Servers, KeyError> {
    let addresses = servers.addresses();
    let is_one = matches!(servers, Servers::One(_));
    if !is_one && addresses.iter().any(RedisAddress::is_unix_socket) {
        return Err(url.not_allowed("redis:// or rediss:// for a Cluster and for Sentinels"));
    }
    let first = addresses.first();
    let is_other = |address: &RedisAddress| first.is_some_and(|first| address.is_tls() != first.is_tls());
    if addresses.iter().any(is_other) {
        return Err(url.not_allowed("redis:// in all addresses, or rediss:// in all"));
    }
    if matches!(servers, Servers::Cluster(_)) && addresses.iter().any(|address| address.database() != 0) {
        return Err(url.not_allowed("database 0 with a Cluster"));
    }
    let is_other = |address: &RedisAddress| {
        first.is_some_and(|first| address.database() != first.database() || !address.has_credentials_of(first))
    };
    if addresses.iter().any(is_other) {
        return Err(url.not_allowed("the same database and credentials in all addresses"));
    }
    Ok(servers)
}
