//! `[sandbox]`: a service for takers to test their integration. It never moves value.

use firmquote_http::{Credential, SANDBOX_PREFIX};
use firmquote_sandbox::Schedule;

use crate::{
    chain::ChainConfig,
    document::{
        error::KeyError,
        reader::{Keys, Table},
    },
    pool::{PoolConfig, ReservesConfig},
    store::StoreConfig,
};

/// The chain ids of development nodes, which no network of value uses.
const DEVELOPMENT_CHAINS: [u64; 2] = [1_337, 31_337];

/// `[sandbox]`; a file with this table configures a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxConfig {
    /// `schedule`: faults that are injected automatically, such as `"conflict:10"`, into every tenth signature. Default
    /// none.
    pub schedule: Schedule,
}

pub(super) const KEYS: Keys = Keys::new(&["schedule"]);

impl SandboxConfig {
    /// Reads the table, if there is one.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key, for a chain that is not a development chain, for a store that other
    /// services can share, and for pools of which only some are on a node.
    pub(super) fn read(
        root: &Table<'_>,
        chains: &[ChainConfig],
        pools: &[PoolConfig],
        store: &StoreConfig,
    ) -> Result<Option<Self>, KeyError> {
        if !root.field("sandbox").is_present() {
            return Ok(None);
        }
        let table = root.field("sandbox").table(&KEYS)?;
        let schedule = table.field("schedule").or(Schedule::default(), |field| {
            let entries = field.list("faults such as \"conflict:10\"")?;
            let texts = entries.iter().map(|entry| entry.text("a fault such as \"conflict:10\"", Ok::<_, KeyError>));
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            Schedule::parse(texts).map_err(|error| field.not_allowed(error))
        })?;
        let tables = root.field("chain");
        for (position, chain) in chains.iter().enumerate() {
            if !DEVELOPMENT_CHAINS.contains(&chain.id.get()) {
                let key = tables.path().index(position).key("id");
                let allowed = "1337 or 31337, the chain ids of development nodes, in a sandbox";
                return Err(KeyError::not_allowed(key, chain.id, allowed));
            }
        }
        if matches!(store, StoreConfig::Redis(_)) {
            return Err(root.field("sandbox").not_allowed("only with store.kind = \"memory\""));
        }
        let is_on_node = |pool: &PoolConfig| matches!(pool.reserves, ReservesConfig::Chain);
        if pools.iter().any(is_on_node) && !pools.iter().all(is_on_node) {
            return Err(root.field("sandbox").not_allowed("only with reserves = \"chain\" for all pools, or for none"));
        }
        Ok(Some(Self { schedule }))
    }
}

/// Refuses usernames that this kind of service does not accept: those of a sandbox start with [`SANDBOX_PREFIX`], and
/// no others do. API keys are not checked, because only their hashes are known.
///
/// # Errors
/// [`KeyError`] for the first such username.
pub(super) fn check_usernames(root: &Table<'_>, credentials: &[Credential], is_sandbox: bool) -> Result<(), KeyError> {
    for (position, credential) in credentials.iter().enumerate() {
        let Credential::Basic { username, .. } = credential else { continue };
        if username.as_str().starts_with(SANDBOX_PREFIX) != is_sandbox {
            let key = root.field("credential").path().index(position).key("username");
            let allowed = if is_sandbox { "one that starts with sandbox_" } else { "none that starts with sandbox_" };
            return Err(KeyError::not_allowed(
                key,
                username.as_str(),
                format!("{allowed}, which is reserved for sandboxes"),
            ));
        }
    }
    Ok(())
}
