//! The public data of pools, in the form that quotes are recomputed from.

use std::path::Path;

use anyhow::anyhow;
use firmquote_client::{Client, PoolRequest, Pools, Response, parse_pools};
use firmquote_verify::PublishedPool;

use super::{access, failure::Failure};

/// Fetches the data of pools; the error for an unsupported chain lists the supported ones.
pub(crate) async fn fetch(client: &Client, request: &PoolRequest) -> Result<Response<Pools>, Failure> {
    match client.pools(request).await {
        Ok(fetched) => Ok(fetched),
        Err(error) => Err(Failure::from(error).with_chains(client).await),
    }
}

/// Reads the pools from a file given on the command line.
pub(crate) fn from_file(path: &Path) -> Result<Vec<PublishedPool>, Failure> {
    parse(&access::read_text(path)?).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Parses the output of `pool --json`.
///
/// # Errors
/// For any other text.
pub(crate) fn parse(text: &str) -> anyhow::Result<Vec<PublishedPool>> {
    let pools = parse_pools(text);
    pools.map(published).map_err(|error| anyhow!("invalid pool data, not the output of pool --json: {error}"))
}

/// Converts the data of pools for recomputation; without the assets that are not quoted at present.
pub(crate) fn published(pools: Pools) -> Vec<PublishedPool> {
    pools.into_iter().map(PublishedPool::from).collect()
}
