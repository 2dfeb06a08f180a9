//! `[[chain]]`: the chains that pools are deployed on, and their nodes.

use std::time::Duration;

use firmquote_domain::{Address, Chain, ChainId, Symbol};
use firmquote_market::ChainRpcConfig;
use firmquote_outbound::Endpoint;
use serde::Deserialize;

use crate::document::{
    deserializer::keys_of,
    error::KeyError,
    field::Field,
    values::{
        array::{Array, Plural},
        integer::{AsInteger, Block, Integer, Millis, Second, Seconds},
        setting::{OptionalSetting as _, Setting},
        text::{Contract, FilePath, FromText, Label, Text},
    },
};

/// A chain.
pub struct ChainConfig {
    /// EIP-155 chain id, unique.
    pub id: ChainId,
    /// As its users know it. An asset of the native coin's symbol is the wrapped-native token.
    pub chain: Chain,
    /// The nodes, if any.
    pub nodes: Option<NodesConfig>,
}

/// The nodes of a chain.
pub struct NodesConfig {
    /// Their addresses, the preferred ones first, timeouts and freshness limits.
    pub access: ChainRpcConfig,
    /// How often they are polled for changes.
    pub poll_interval: Duration,
}

/// A `[[chain]]`.
#[derive(Deserialize)]
pub(crate) struct ChainTable {
    id: Setting<ChainId, AsInteger>,
    name: Label<64>,
    native_symbol: Text<Symbol>,
    wrapped_native: Setting<Address, Contract>,
    rpc_urls: Option<Array<NodeUrl>>,
    rpc_ca_file: Option<Text<FilePath>>,
    rpc_timeout_ms: Option<Millis<100, 60_000>>,
    rpc_pause_seconds: Option<Seconds<1, 3_600>>,
    rpc_poll_ms: Option<Millis<50, 60_000>>,
    max_lag_blocks: Option<Integer<u64, 0, 10_000, Block>>,
    max_block_age_seconds: Option<Integer<u32, 1, 86_400, Second>>,
}

/// The URL of a node. It may contain an API key.
struct NodeUrl(String);

impl FromText for NodeUrl {
    fn from_text(text: &str) -> Result<Self, String> {
        let rest = ["https://", "wss://", "http://", "ws://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        let has_host = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']));
        if !has_host || text.len() > 2_048 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("https://, wss://, http:// or ws:// and a host, without blanks".into());
        }
        match Endpoint::parse(text) {
            Ok(_) => Ok(Self(text.to_owned())),
            Err(_) => Err("a URL of a host without credentials before it, perhaps with a port of 1 to 65535".into()),
        }
    }
}

impl Plural for NodeUrl {
    const PLURAL: &'static str = "addresses";
}

/// How often the newest block of every node is queried, if there are several.
const SURVEY_INTERVAL: Duration = Duration::from_secs(3);

impl ChainConfig {
    /// Creates the chains of the tables at `field`.
    ///
    /// # Errors
    /// [`KeyError`] for a duplicate chain id, and for invalid nodes.
    pub(crate) fn read(tables: Vec<ChainTable>, field: &Field<'_>) -> Result<Vec<Self>, KeyError> {
        let mut chains: Vec<Self> = Vec::new();
        for (table, field) in tables.into_iter().zip(field.entries()) {
            if chains.iter().any(|earlier| earlier.id == table.id.0) {
                return Err(field.key("id").not_allowed("an id that no other chain has"));
            }
            chains.push(Self::new(table, &field)?);
        }
        Ok(chains)
    }

    fn new(table: ChainTable, field: &Field<'_>) -> Result<Self, KeyError> {
        let urls = table.rpc_urls.map(|urls| urls.0).unwrap_or_default();
        let nodes = if urls.is_empty() {
            let others = keys_of::<ChainTable>().iter().copied().skip_while(|key| *key != "rpc_urls").skip(1);
            field.refuse(others, "only with rpc_urls")?;
            None
        } else if urls.len() > ChainRpcConfig::MAX_URLS {
            let allowed = format!("at most {} addresses", ChainRpcConfig::MAX_URLS);
            return Err(field.key("rpc_urls").not_allowed(allowed));
        } else {
            let authorities = table.rpc_ca_file.value();
            let authorities = authorities.map(|file| field.key("rpc_ca_file").read_certificates(&file)).transpose()?;
            let access = ChainRpcConfig {
                chain_id: table.id.0,
                urls: urls.into_iter().map(|url| url.0).collect(),
                authorities,
                call_timeout: table.rpc_timeout_ms.value_or(Duration::from_secs(3)),
                cooldown: table.rpc_pause_seconds.value_or(Duration::from_secs(30)),
                survey_interval: SURVEY_INTERVAL,
                max_lag_blocks: table.max_lag_blocks.value_or(5),
                max_age_seconds: table.max_block_age_seconds.value_or(60),
            };
            Some(NodesConfig { access, poll_interval: table.rpc_poll_ms.value_or(Duration::from_secs(1)) })
        };
        Ok(Self {
            id: table.id.0,
            chain: Chain {
                name: table.name.0,
                native_symbol: table.native_symbol.0,
                wrapped_native: table.wrapped_native.0,
            },
            nodes,
        })
    }
}
