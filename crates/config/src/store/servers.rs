//! The addresses of the Redis servers: a single one, a Cluster, or those named by the Sentinels. Addresses may contain
//! passwords, so no error shows one.

use firmquote_store::redis::{ALLOWED_ADDRESSES, RedisAddress, Servers};

use crate::document::{error::KeyError, field::Field, values::array::OneOrMore};

/// Creates the servers of the keys `url`, `cluster` and `sentinel_master` of the table at `field`.
///
/// # Errors
/// [`KeyError`] for missing addresses, and for conflicting keys and addresses.
pub(super) fn new(
    addresses: Option<OneOrMore<RedisAddress>>,
    is_cluster: Option<bool>,
    master: Option<String>,
    field: &Field<'_>,
) -> Result<Servers, KeyError> {
    let url = field.key("url");
    let OneOrMore(addresses) = addresses.ok_or_else(|| url.not_allowed(ALLOWED_ADDRESSES))?;
    if let Some(master) = master {
        if is_cluster == Some(true) {
            return Err(field.key("sentinel_master").not_allowed("only without cluster = true"));
        }
        return check_together(&url, Servers::Sentinels { master, addresses });
    }
    let servers = match <[RedisAddress; 1]>::try_from(addresses) {
        Ok([address]) if is_cluster != Some(true) => Servers::One(address),
        Ok(one) => Servers::Cluster(one.into()),
        Err(_) if is_cluster == Some(false) => {
            return Err(field.key("cluster").not_allowed("true, or one address in url, or a sentinel_master"));
        }
        Err(several) => Servers::Cluster(several),
    };
    check_together(&url, servers)
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
