//! The JSON form of entries of the operator's stream: one line each, like those of the ledger.

use std::net::IpAddr;

use firmquote_domain::{Address, PoolId};
use serde::Serialize;

use super::{Actor, ChangedKey, OperatorEntry, OperatorEvent, hedge::HedgeRecord};
use crate::{Trip, TripKey, ledger::Text};

#[derive(Serialize)]
struct EntryRecord<'a> {
    event: &'static str,
    #[serde(flatten)]
    about: EntryDetails<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<IpAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    recorded_at_us: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum EntryDetails<'a> {
    Pool(PoolRecord),
    Trip(TripRecord<'a>),
    Hedge(HedgeRecord),
    Changes(ChangesRecord<'a>),
}

#[derive(Serialize)]
struct PoolRecord {
    chain_id: u64,
    pool: Text<Address>,
}

#[derive(Serialize)]
struct TripRecord<'a> {
    #[serde(flatten)]
    pool: PoolRecord,
    breaker: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<Text<Address>>,
    /// The step that was taken; `none` for one that ended.
    step: &'static str,
    figures: &'a str,
}

#[derive(Serialize)]
struct ChangesRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    replica: Option<&'a str>,
    changes: Vec<ChangeRecord<'a>>,
}

#[derive(Serialize)]
struct ChangeRecord<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'a str>,
}

impl OperatorEntry {
    /// Formats the entry as one line of JSON, without a newline.
    ///
    /// # Errors
    /// Never fails for values of the domain.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let (event, about) = match &self.event {
            OperatorEvent::Paused(pool) => ("paused", EntryDetails::Pool(pool_record(*pool))),
            OperatorEvent::Resumed(pool) => ("resumed", EntryDetails::Pool(pool_record(*pool))),
            OperatorEvent::Tripped(trip) => ("breaker", EntryDetails::Trip(trip_record(trip, trip.step.name()))),
            OperatorEvent::Ended(trip) => ("breaker", EntryDetails::Trip(trip_record(trip, "none"))),
            OperatorEvent::Hedged(hedge) => ("hedged", EntryDetails::Hedge(HedgeRecord::from(hedge))),
            OperatorEvent::Config { replica, changes } => ("config", changes_record(replica.as_deref(), changes)),
            OperatorEvent::Credentials { replica, changes } => {
                ("credential", changes_record(replica.as_deref(), changes))
            }
        };
        let Actor { name, address, reason } = self.actor.as_ref().unwrap_or(&Actor::SERVICE);
        serde_json::to_string(&EntryRecord {
            event,
            about,
            operator: name.as_deref(),
            address: *address,
            reason: reason.as_deref(),
            recorded_at_us: self.recorded_at.as_micros(),
        })
    }
}

impl Actor {
    /// Nobody: the service itself.
    const SERVICE: Self = Self { name: None, address: None, reason: None };
}

fn pool_record(pool: PoolId) -> PoolRecord {
    PoolRecord { chain_id: pool.chain_id.get(), pool: Text(pool.address) }
}

fn trip_record<'a>(trip: &'a Trip, step: &'static str) -> TripRecord<'a> {
    let TripKey { pool, breaker, token } = trip.key;
    TripRecord {
        pool: pool_record(pool),
        breaker: breaker.name(),
        token: token.map(Text),
        step,
        figures: &trip.figures,
    }
}

fn changes_record<'a>(replica: Option<&'a str>, changes: &'a [ChangedKey]) -> EntryDetails<'a> {
    let change = |changed: &'a ChangedKey| ChangeRecord {
        key: &changed.key,
        old: changed.old.as_deref(),
        new: changed.new.as_deref(),
    };
    EntryDetails::Changes(ChangesRecord { replica, changes: changes.iter().map(change).collect() })
}
