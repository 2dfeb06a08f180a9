//! `[[chain]]`: the chains that pools are deployed on, and their nodes.

use std::time::Duration;

use firmquote_domain::{Address, ChainId, Symbol};
use firmquote_market::chain::ChainRpcConfig;

use crate::document::{
    error::KeyError,
    reader::{Field, Keys, Table, refuse_present},
};

/// A `[[chain]]`.
pub struct ChainConfig {
    /// `id`: EIP-155 chain id, 1 to 2^64 - 1; required.
    pub id: ChainId,
    /// `name`: display name, 1 to 64 characters; required.
    pub name: String,
    /// `native_symbol`: symbol of the native coin; required. An asset of this symbol is the wrapped-native token.
    pub native_symbol: Symbol,
    /// `wrapped_native`: address of the wrapped-native contract; required.
    pub wrapped_native: Address,
    /// The nodes, if `rpc_urls` is set.
    pub nodes: Option<NodesConfig>,
}

/// The nodes of a chain: `rpc_urls`, the preferred ones first; `rpc_ca_file`, PEM, default the system's certificate
/// authorities; `rpc_timeout_ms` 3000 (100 to 60000); `rpc_pause_seconds` 30 (1 to 3600); `rpc_poll_ms` 1000 (50 to
/// 60000); `max_lag_blocks` 5 (0 to 10000); `max_block_age_seconds` 60 (1 to 86400).
pub struct NodesConfig {
    /// Their addresses, timeouts and freshness limits.
    pub access: ChainRpcConfig,
    /// How often they are polled for changes.
    pub poll_interval: Duration,
}

pub(super) const KEYS: Keys = Keys::new(&[
    "id",
    "name",
    "native_symbol",
    "wrapped_native",
    "rpc_urls",
    "rpc_ca_file",
    "rpc_timeout_ms",
    "rpc_pause_seconds",
    "rpc_poll_ms",
    "max_lag_blocks",
    "max_block_age_seconds",
]);

/// How often the newest block of every node is queried, if there are several.
const SURVEY_INTERVAL: Duration = Duration::from_secs(3);

impl ChainConfig {
    /// Reads all tables.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key, and for a duplicate chain id.
    pub(super) fn read_all(tables: &[Table<'_>]) -> Result<Vec<Self>, KeyError> {
        let mut chains: Vec<Self> = Vec::new();
        for table in tables {
            let chain = Self::read(table)?;
            if chains.iter().any(|earlier| earlier.id == chain.id) {
                return Err(table.field("id").not_allowed("an id that no other chain has"));
            }
            chains.push(chain);
        }
        Ok(chains)
    }

    fn read(table: &Table<'_>) -> Result<Self, KeyError> {
        let id = chain_id(&table.field("id"))?;
        Ok(Self {
            id,
            name: table.field("name").label(64)?,
            native_symbol: table.field("native_symbol").value(Symbol::new)?,
            wrapped_native: table.field("wrapped_native").contract()?,
            nodes: NodesConfig::read(id, table)?,
        })
    }
}

impl NodesConfig {
    fn read(chain_id: ChainId, table: &Table<'_>) -> Result<Option<Self>, KeyError> {
        let urls = table.field("rpc_urls").secret().or(Vec::new(), |field| read_urls(&field))?;
        if urls.is_empty() {
            let others = KEYS.names.iter().skip_while(|key| **key != "rpc_urls").skip(1);
            refuse_present(others.map(|key| table.field(key)), "only with rpc_urls")?;
            return Ok(None);
        }
        let millis = |key, default, min, max| -> Result<Duration, KeyError> {
            table.field(key).or(default, |field| field.integer(min..=max, " ms")).map(Duration::from_millis)
        };
        let seconds = |key, default, max| table.field(key).or(default, |field| field.integer(1..=max, " seconds"));
        let access = ChainRpcConfig {
            chain_id,
            urls,
            authorities: table.field("rpc_ca_file").optional(|field| field.pem_certificates())?,
            call_timeout: millis("rpc_timeout_ms", 3_000, 100, 60_000)?,
            cooldown: Duration::from_secs(u64::from(seconds("rpc_pause_seconds", 30_u32, 3_600)?)),
            survey_interval: SURVEY_INTERVAL,
            max_lag_blocks: table.field("max_lag_blocks").or(5, |field| field.integer(0..=10_000, " blocks"))?,
            max_age_seconds: seconds("max_block_age_seconds", 60_u32, 86_400)?,
        };
        Ok(Some(Self { access, poll_interval: millis("rpc_poll_ms", 1_000, 50, 60_000)? }))
    }
}

/// Reads a chain id.
pub(super) fn chain_id(field: &Field<'_>) -> Result<ChainId, KeyError> {
    let id = field.integer(1..=u64::MAX, "")?;
    ChainId::new(id).ok_or_else(|| field.not_allowed("1 or more"))
}

/// Reads the addresses of nodes. They may contain API keys, so no error shows them.
fn read_urls(field: &Field<'_>) -> Result<Vec<String>, KeyError> {
    let urls = field.list("addresses")?;
    if urls.len() > ChainRpcConfig::MAX_URLS {
        return Err(field.not_allowed(format!("at most {} addresses", ChainRpcConfig::MAX_URLS)));
    }
    let allowed = "https://, wss://, http:// or ws:// and a host, without blanks";
    let read = |url: &Field<'_>| {
        url.text(allowed, |text| is_url(text).then_some(()).ok_or(()))?;
        url.url("a URL of a host without credentials before it, perhaps with a port of 1 to 65535", |_| true)
    };
    urls.iter().map(read).collect()
}

fn is_url(text: &str) -> bool {
    let rest = ["https://", "wss://", "http://", "ws://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let has_host = |rest: &str| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']);
    rest.is_some_and(has_host) && text.len() <= 2_048 && text.bytes().all(|byte| byte.is_ascii_graphic())
}
