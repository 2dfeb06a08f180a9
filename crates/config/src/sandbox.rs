//! `[sandbox]`: a service on which takers try what they have to handle. It is none that moves value.

use firmquote_sandbox::Schedule;

use crate::{
    chain::ChainConfig,
    document::{
        error::KeyError,
        reader::{Keys, Table},
    },
    store::StoreConfig,
};

/// The chain ids of development nodes, which no network of value has.
const DEVELOPMENT_CHAINS: [u64; 2] = [1_337, 31_337];

/// `[sandbox]`; a file with this table is that of a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxConfig {
    /// `schedule`: faults that happen by themselves, such as `"conflict:10"`, to every tenth signature. Default none.
    pub schedule: Schedule,
}

pub(super) const KEYS: Keys = Keys::new(&["schedule"]);

impl SandboxConfig {
    /// Reads the table, if there is one.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key, for a chain that is not one of development nodes, and for a store that
    /// other services can share.
    pub(super) fn read(
        root: &Table<'_>,
        chains: &[ChainConfig],
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
                let allowed = "1337 or 31337, of development nodes, in the file of a sandbox";
                return Err(KeyError::not_allowed(key, chain.id, allowed));
            }
        }
        if matches!(store, StoreConfig::Redis(_)) {
            return Err(root.field("sandbox").not_allowed("only with store.kind = \"memory\""));
        }
        Ok(Some(Self { schedule }))
    }
}
