//! `[sandbox]`: a service for takers to test their integration. It never moves value.

use firmquote_http::SANDBOX_PREFIX;
#[cfg(feature = "sandbox")]
use firmquote_sandbox::Schedule;
use serde::Deserialize;

use crate::{
    chain::ChainConfig,
    document::{
        error::KeyError,
        field::Field,
        values::{
            array::{Array, Plural},
            text::FromText,
        },
    },
    pool::{PoolConfig, ReservesConfig},
    store::StoreConfig,
};

/// The chain ids of development nodes, which no network of value uses.
const DEVELOPMENT_CHAINS: [u64; 2] = [1_337, 31_337];

/// A sandbox.
#[derive(Clone, Debug)]
pub struct SandboxConfig {
    /// Faults that are injected automatically, such as `conflict:10`, into every tenth signature.
    #[cfg(feature = "sandbox")]
    pub schedule: Schedule,
}

/// `[sandbox]`; a file with this table configures a sandbox.
#[derive(Deserialize)]
pub(crate) struct SandboxTable {
    schedule: Option<Array<ScheduleEntry>>,
}

/// An entry of `schedule` as written.
struct ScheduleEntry(String);

impl FromText for ScheduleEntry {
    fn from_text(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("a fault such as \"conflict:10\"".to_owned()) } else { Ok(Self(text.to_owned())) }
    }
}

impl Plural for ScheduleEntry {
    const PLURAL: &'static str = "faults such as \"conflict:10\"";
}

impl SandboxConfig {
    /// Creates the sandbox of a table in the file at `root`.
    ///
    /// # Errors
    /// [`KeyError`] for an unknown fault, for a chain that is not a development chain, for a store that other services
    /// can share, and for pools of which only some are on a node.
    pub(crate) fn new(
        table: SandboxTable,
        root: &Field<'_>,
        chains: &[ChainConfig],
        pools: &[PoolConfig],
        store: &StoreConfig,
    ) -> Result<Self, KeyError> {
        let field = root.key("sandbox");
        let entries = table.schedule.map(|entries| entries.0).unwrap_or_default();
        #[cfg(feature = "sandbox")]
        let schedule = Schedule::parse(entries.iter().map(|entry| entry.0.as_str()))
            .map_err(|error| field.key("schedule").not_allowed(error))?;
        #[cfg(not(feature = "sandbox"))]
        if let Some(entry) = entries.first() {
            return Err(field.key("schedule").not_allowed(format!("no {:?} without the feature sandbox", entry.0)));
        }
        for (chain, table) in chains.iter().zip(root.key("chain").entries()) {
            if !DEVELOPMENT_CHAINS.contains(&chain.id.get()) {
                let allowed = "1337 or 31337, the chain ids of development nodes, in a sandbox";
                return Err(table.key("id").not_allowed(allowed));
            }
        }
        if store.is_shared() {
            return Err(field.not_allowed("only with store.kind = \"memory\""));
        }
        let is_on_node = |pool: &PoolConfig| matches!(pool.reserves, ReservesConfig::Chain);
        if pools.iter().any(is_on_node) && !pools.iter().all(is_on_node) {
            return Err(field.not_allowed("only with reserves = \"chain\" for all pools, or for none"));
        }
        Ok(Self {
            #[cfg(feature = "sandbox")]
            schedule,
        })
    }
}

/// Refuses usernames that this kind of service does not accept: those of a sandbox start with [`SANDBOX_PREFIX`], and
/// no others do. API keys are not checked, because only their hashes are known.
///
/// # Errors
/// [`KeyError`] for the first such username.
pub(crate) fn check_usernames(root: &Field<'_>, is_sandbox: bool) -> Result<(), KeyError> {
    for table in root.key("credential").entries() {
        let username = table.key("username");
        if username.text().is_some_and(|username| username.starts_with(SANDBOX_PREFIX) != is_sandbox) {
            let allowed = if is_sandbox { "one that starts with sandbox_" } else { "none that starts with sandbox_" };
            return Err(table.key("username").not_allowed(format!("{allowed}, which is reserved for sandboxes")));
        }
    }
    Ok(())
}
