//! Both sets of pool data, unmodified: the output of `pool --json` and the input of `--pool`.

use super::{
    access,
    failure::Failure,
    pool_data::{FetchError, InvalidPoolSets, JoinError, PoolListing},
};

use std::path::Path;

use firmquote_client::{Client, PoolRequest, parse_offchain_pools, parse_onchain_pools};
use firmquote_verify::PublishedPool;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Maximum number of attempts to read both sets without a price change in between.
const ATTEMPTS: u32 = 5;

/// The on-chain and off-chain pool data, exactly as the service returned them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PoolSets {
    onchain: Box<RawValue>,
    offchain: Box<RawValue>,
}

/// Reads the pools from a file given on the command line.
///
/// # Errors
/// [`Failure::Usage`] if the file cannot be read or is invalid.
pub(crate) fn pools_from_file(path: &Path) -> Result<Vec<PublishedPool>, Failure> {
    let text = access::read_text(path)?;
    let pools = serde_json::from_str(&text).map_err(InvalidPoolSets::from).and_then(|sets: PoolSets| sets.pools());
    pools.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

impl PoolSets {
    /// Fetches both sets, and retries if a price changed in between.
    ///
    /// # Errors
    /// [`FetchError`]; it wraps [`JoinError::Inconsistent`] if prices changed on every attempt.
    pub(crate) async fn fetch(
        client: &Client,
        request: &PoolRequest,
    ) -> Result<(Self, Vec<PublishedPool>), FetchError> {
        let mut attempt = 1;
        loop {
            let (offchain, onchain) = (client.offchain_pools(request).await?, client.onchain_pools(request).await?);
            match PoolListing::join_all(&onchain, &offchain) {
                Err(JoinError::Inconsistent(_)) if attempt < ATTEMPTS => attempt += 1,
                listings => {
                    let pools = published(listings.map_err(InvalidPoolSets::from)?);
                    let raw = |text| RawValue::from_string(text).map_err(InvalidPoolSets::from);
                    return Ok((Self { onchain: raw(onchain.text)?, offchain: raw(offchain.text)? }, pools));
                }
            }
        }
    }

    /// Fetches both sets; the error for an unsupported chain lists the supported ones.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn fetch_or_explain(
        client: &Client,
        request: &PoolRequest,
    ) -> Result<(Self, Vec<PublishedPool>), Failure> {
        match Self::fetch(client, request).await {
            Ok(fetched) => Ok(fetched),
            Err(error) => Err(Failure::from(error).with_chains(client).await),
        }
    }

    /// Parses and joins both sets.
    ///
    /// # Errors
    /// [`InvalidPoolSets`].
    pub(crate) fn pools(&self) -> Result<Vec<PublishedPool>, InvalidPoolSets> {
        self.listings().map(published)
    }

    /// Parses and joins both sets, with the additional data that `firmquote pool` shows.
    ///
    /// # Errors
    /// [`InvalidPoolSets`].
    pub(crate) fn listings(&self) -> Result<Vec<PoolListing>, InvalidPoolSets> {
        let onchain = parse_onchain_pools(self.onchain.get()).map_err(InvalidPoolSets::Onchain)?;
        let offchain = parse_offchain_pools(self.offchain.get()).map_err(InvalidPoolSets::Offchain)?;
        Ok(PoolListing::join_all(&onchain, &offchain)?)
    }
}

fn published(listings: Vec<PoolListing>) -> Vec<PublishedPool> {
    listings.into_iter().map(|listing| listing.pool).collect()
}
