//! `[[price_source]]` of kind `chainlink`.

use firmquote_domain::Symbol;
use firmquote_market::chainlink::{ChainlinkConfig, ChainlinkFeed};

use super::{PriceSourceConfig, source_config::assets};
use crate::{
    ChainConfig,
    chain::chain_id,
    document::{
        error::KeyError,
        reader::{Keys, Table, refuse_present},
    },
};

const ASSET_KEYS: Keys = Keys::new(&["symbol", "id", "heartbeat_seconds"]);

/// How far the time of an update may be ahead of the local clock, in seconds: the tolerance of nodes for blocks.
const CLOCK_TOLERANCE_SECONDS: u32 = 15;

/// Reads a table: `chain_id` of a `[[chain]]` with `rpc_urls`, whose nodes are polled every `rpc_poll_ms`; one `asset`
/// or more, each with its `symbol`, the address of its feed as `id`, and `heartbeat_seconds` 3600 (1 to 604800).
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for keys of other kinds.
pub(super) fn read(
    table: &Table<'_>,
    chains: &[ChainConfig],
    pool_symbols: &[Symbol],
) -> Result<PriceSourceConfig, KeyError> {
    let other_keys = ["url", "api_key_env", "ca_file", "connect_timeout_ms", "idle_timeout_ms", "lifetime_seconds"];
    refuse_present(
        other_keys.map(|key| table.field(key).secret()),
        "no such key with kind = \"chainlink\": its nodes are those of the [[chain]]",
    )?;
    let field = table.field("chain_id");
    let id = chain_id(&field)?;
    let nodes = chains.iter().find(|chain| chain.id == id).and_then(|chain| chain.nodes.as_ref());
    let nodes = nodes.ok_or_else(|| field.not_allowed("the id of a [[chain]] with rpc_urls"))?;
    let feeds = assets(table, &ASSET_KEYS, pool_symbols, |asset| {
        let heartbeat = asset.field("heartbeat_seconds").or(3_600, |field| field.integer(1..=604_800, " seconds"))?;
        Ok((asset.field("id").contract()?, heartbeat))
    })?;
    let feed = |((aggregator, heartbeat_seconds), symbol)| ChainlinkFeed { symbol, aggregator, heartbeat_seconds };
    let feeds = ChainlinkConfig {
        feeds: feeds.into_iter().map(feed).collect(),
        poll_interval: nodes.poll_interval,
        clock_tolerance_seconds: CLOCK_TOLERANCE_SECONDS,
    };
    Ok(PriceSourceConfig::Chainlink(id, feeds))
}
