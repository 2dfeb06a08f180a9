//! What `firmquote overview` and `firmquote clients` print of the answers of replicas.

use std::collections::BTreeMap;

use anyhow::Context as _;
use hyper::StatusCode;
use serde::Deserialize;

use super::http_request::{NO_ADMIN_LISTENER, refuse};
use crate::client::display::{Align, TextTable};

/// The pools of a replica.
#[derive(Deserialize)]
pub(super) struct ReplicaPools {
    version: String,
    /// Why files that have changed are not in effect.
    pub(super) rejected_files: Vec<String>,
    pools: Vec<PoolState>,
}

#[derive(Deserialize)]
struct PoolState {
    chain_id: u64,
    pool_address: String,
    swaps_enabled: bool,
    /// `None` while pauses cannot be read.
    paused: Option<bool>,
    breakers: Vec<BreakerState>,
    value_in_usd: Option<f64>,
    outstanding_swaps: usize,
    assets: Vec<AssetState>,
}

#[derive(Deserialize)]
struct BreakerState {
    breaker: String,
    token: Option<String>,
    step: String,
}

#[derive(Deserialize)]
struct AssetState {
    name: String,
    price: ObservedState,
    reserve: ObservedState,
}

#[derive(Deserialize)]
struct ObservedState {
    distrust: Option<Distrust>,
}

#[derive(Deserialize)]
struct Distrust {
    rule: String,
}

/// Returns the empty table of pools.
pub(super) fn pools_table() -> TextTable {
    use Align::{Left, Right};
    let mut table = TextTable::new([Left, Left, Left, Right, Right, Left, Left]);
    table.row(["replica", "pool", "state", "value_usd", "outstanding", "not trusted", "version"]);
    table
}

/// Reads the answer of `/overview`.
///
/// # Errors
/// The message of an error, and an answer of another kind.
pub(super) fn read_pools(status: StatusCode, body: &str) -> anyhow::Result<ReplicaPools> {
    refuse(status, body)?;
    serde_json::from_str(body).context(NO_ADMIN_LISTENER)
}

impl ReplicaPools {
    /// Adds a row for each pool.
    pub(super) fn add_to(&self, table: &mut TextTable, address: &str) {
        for pool in &self.pools {
            table.row([
                address.to_owned(),
                format!("{}:{}", pool.chain_id, pool.pool_address),
                pool.state(),
                pool.value_in_usd.map(|value| format!("{value:.2}")).unwrap_or_default(),
                pool.outstanding_swaps.to_string(),
                pool.untrusted(),
                self.version.clone(),
            ]);
        }
    }
}

impl PoolState {
    fn state(&self) -> String {
        let state = match (self.swaps_enabled, self.paused) {
            (false, _) => "swaps disabled",
            (true, Some(true)) => "paused",
            (true, Some(false)) => "open",
            (true, None) => "pauses unknown",
        };
        let breakers = self.breakers.iter().map(|BreakerState { breaker, token, step }| match token {
            Some(token) => format!("{breaker} of {token}: {step}"),
            None => format!("{breaker}: {step}"),
        });
        std::iter::once(state.to_owned()).chain(breakers).collect::<Vec<_>>().join(", ")
    }

    /// Names the prices and reserves that are not trusted, with the rule that each breaks.
    fn untrusted(&self) -> String {
        let problems = self.assets.iter().flat_map(|asset| {
            let observed = [("price", &asset.price), ("reserve", &asset.reserve)];
            observed.into_iter().filter_map(|(what, observed)| {
                let Distrust { rule } = observed.distrust.as_ref()?;
                Some(format!("{} {what} ({rule})", asset.name))
            })
        });
        problems.collect::<Vec<_>>().join(", ")
    }
}

#[derive(Deserialize)]
struct EarningsAnswer {
    notes: Vec<String>,
    rows: Vec<EarningsRow>,
}

#[derive(Deserialize)]
struct EarningsRow {
    client: Option<String>,
    pair: String,
    requested: u64,
    signed: u64,
    executed: u64,
    executed_usd: String,
    edge_usd: String,
    markout_bps: Option<String>,
}

/// What the swaps of clients earned.
pub(super) struct ClientEarnings {
    /// A row for each client and pair.
    pub(super) table: TextTable,
    /// What is missing, and why.
    pub(super) notes: Vec<String>,
}

/// Reads the answer of `/earnings`.
///
/// # Errors
/// The message of an error, and an answer of another kind.
pub(super) fn read_clients(status: StatusCode, body: &str) -> anyhow::Result<ClientEarnings> {
    use Align::{Left, Right};
    refuse(status, body)?;
    let EarningsAnswer { notes, rows } = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
    let mut table = TextTable::new([Left, Left, Right, Right, Right, Right, Right, Right]);
    table.row(["client", "pair", "requested", "signed", "executed", "executed_usd", "edge_usd", "markout_bps"]);
    let named = |row: EarningsRow| ((row.client.clone().unwrap_or_else(|| "-".to_owned()), row.pair.clone()), row);
    let sorted: BTreeMap<(String, String), EarningsRow> = rows.into_iter().map(named).collect();
    for ((client, pair), row) in sorted {
        table.row([
            client,
            pair,
            row.requested.to_string(),
            row.signed.to_string(),
            row.executed.to_string(),
            row.executed_usd,
            row.edge_usd,
            row.markout_bps.unwrap_or_default(),
        ]);
    }
    Ok(ClientEarnings { table, notes })
}
