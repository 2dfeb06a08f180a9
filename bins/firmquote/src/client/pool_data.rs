//! The public data of pools, in the form that quotes are recomputed from, and the names of their tokens.

use std::path::Path;

use firmquote_client::{Client, ParseError, Pool, PoolRequest, Pools, Response, parse_pools};
use firmquote_domain::{Address, Amount, Asset, PoolId, WholeTokens};
use firmquote_verify::{PairFee, PublishedAsset, PublishedPool};

use super::{access, failure::Failure};

/// The reason why pool data is unusable.
#[derive(Debug, thiserror::Error)]
#[error("not the output of pool --json, a response with fieldset=all: {0}")]
pub(crate) struct InvalidPoolData(#[from] ParseError);

/// Fetches the data of pools; the error for an unsupported chain lists the supported ones.
///
/// # Errors
/// [`Failure`].
pub(crate) async fn fetch(client: &Client, request: &PoolRequest) -> Result<Response<Pools>, Failure> {
    match client.pools(request).await {
        Ok(fetched) => Ok(fetched),
        Err(error) => Err(Failure::from(error).with_chains(client).await),
    }
}

/// Reads the pools from a file given on the command line.
///
/// # Errors
/// [`Failure::Usage`] if the file cannot be read or is invalid.
pub(crate) fn from_file(path: &Path) -> Result<Vec<PublishedPool>, Failure> {
    let pools = parse(&access::read_text(path)?);
    pools.map_err(|error| Failure::usage(format!("the pool data in {}: {error}", path.display())))
}

/// Parses the output of `pool --json`.
///
/// # Errors
/// [`InvalidPoolData`].
pub(crate) fn parse(text: &str) -> Result<Vec<PublishedPool>, InvalidPoolData> {
    Ok(published(parse_pools(text)?))
}

/// Converts the data of pools for recomputation; without the assets that are not quoted at present.
pub(crate) fn published(pools: Pools) -> Vec<PublishedPool> {
    pools.into_iter().map(published_pool).collect()
}

fn published_pool(Pool { onchain, offchain }: Pool) -> PublishedPool {
    let assets = offchain.assets.into_iter().zip(onchain.assets).filter_map(|(asset, holding)| {
        Some(PublishedAsset {
            asset: Asset {
                symbol: asset.name,
                address: asset.address,
                decimals: asset.decimals,
                weight: asset.listing_weight,
            },
            price: asset.price_in_usd?,
            reserve: holding.balance?,
            outstanding_inflow: holding.outstanding_inflow,
            outstanding_outflow: holding.outstanding_outflow,
        })
    });
    let pairs = offchain.pairs.into_iter().map(|pair| PairFee { assets: pair.assets, fee: pair.fee_in_basis_points });
    PublishedPool {
        id: PoolId { chain_id: offchain.chain_id, address: offchain.address },
        signer: offchain.signer_address,
        domain: offchain.eip712_domain,
        k: offchain.k,
        time_in_seconds: offchain.time_in_seconds,
        assets: assets.collect(),
        pairs: pairs.collect(),
    }
}

/// Symbols and decimals of tokens, from the published data of these pools; empty without pool data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolNames<'p>(pub(crate) &'p [PublishedPool]);

impl PoolNames<'_> {
    /// Returns the symbol of a token, empty if unknown.
    pub(crate) fn symbol(self, token: Address) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        named.map(|one| one.asset.symbol.to_string()).unwrap_or_default()
    }

    /// Formats an amount in whole tokens with the token's symbol; empty if the token is unknown.
    pub(crate) fn tokens(self, token: Address, amount: Amount) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        let whole = |decimals| WholeTokens(amount.base_units(), decimals);
        named.map(|one| format!("{} {}", whole(one.asset.decimals), one.asset.symbol)).unwrap_or_default()
    }

    /// Formats an amount in whole tokens if the token is known, else in base units.
    pub(crate) fn amount(self, token: Address, amount: Amount) -> String {
        let tokens = self.tokens(token, amount);
        if tokens.is_empty() { format!("{amount} base units of {token}") } else { tokens }
    }
}
