//! `[[price_source]]` of kind `chainlink`: feeds on a `[[chain]]`, whose nodes are polled every `rpc_poll_ms`.

use firmquote_domain::{Address, ChainId, Symbol};
use firmquote_market::{ChainlinkConfig, ChainlinkFeed};
use serde::Deserialize;

use super::{
    kind::Kind,
    source_config::{PriceSourceConfig, assets},
};
use crate::{
    ChainConfig,
    document::{
        deserializer::Tables,
        error::KeyError,
        field::Field,
        values::{
            integer::{AsInteger, Integer, Second},
            setting::{OptionalSetting as _, Setting},
            text::{Contract, Text},
        },
    },
};

#[derive(Deserialize)]
struct ChainlinkTable {
    #[serde(rename = "kind")]
    _kind: Text<Kind>,
    chain_id: Setting<ChainId, AsInteger>,
    asset: Tables<FeedTable>,
}

#[derive(Deserialize)]
struct FeedTable {
    symbol: Text<Symbol>,
    /// The address of the feed.
    id: Setting<Address, Contract>,
    heartbeat_seconds: Option<Integer<u32, 1, 604_800, Second>>,
}

/// How far the time of an update may be ahead of the local clock, in seconds: the tolerance of nodes for blocks.
const CLOCK_TOLERANCE_SECONDS: u32 = 15;

/// Reads the table at `field`.
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for a chain without nodes.
pub(super) fn read(
    field: &Field<'_>,
    chains: &[ChainConfig],
    pool_symbols: &[Symbol],
) -> Result<PriceSourceConfig, KeyError> {
    let table: ChainlinkTable = field.read()?;
    let id = table.chain_id.0;
    let nodes = chains.iter().find(|chain| chain.id == id).and_then(|chain| chain.nodes.as_ref());
    let nodes = nodes.ok_or_else(|| field.key("chain_id").not_allowed("the id of a [[chain]] with rpc_urls"))?;
    let feed = |feed: FeedTable| ((feed.id.0, feed.heartbeat_seconds.value_or(3_600)), feed.symbol.0);
    let feeds = assets(table.asset, field, pool_symbols, feed)?;
    let feed = |((aggregator, heartbeat_seconds), symbol)| ChainlinkFeed { symbol, aggregator, heartbeat_seconds };
    let feeds = ChainlinkConfig {
        feeds: feeds.into_iter().map(feed).collect(),
        poll_interval: nodes.poll_interval,
        clock_tolerance_seconds: CLOCK_TOLERANCE_SECONDS,
    };
    Ok(PriceSourceConfig::Chainlink(id, feeds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Documented;

    #[test]
    fn the_documentation_describes_the_keys() {
        Documented::in_sections(&["`[[price_source]]`"]).has::<ChainlinkTable>().has::<FeedTable>();
    }
}
