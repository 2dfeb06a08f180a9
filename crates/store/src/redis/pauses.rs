//! Pauses in Redis: the set `<prefix>:paused` of pools in their text form; the set `<prefix>:revoked` of ids of credentials; and the hash `<prefix>:latched` of the trips of
//! breakers, each a line of JSON under its key, and of the times at which pools were resumed. Neither expires.

use std::collections::BTreeSet;

use firmquote_domain::{Hedge, PoolId, Timestamp};

use super::{RedisStore, connection::Connection, reply::ScriptReply, scripts::ScriptCall, store::encode_error};
use crate::{
    Actor, HEDGE_RETENTION_SECONDS, HedgeOutcome, OperatorEntry, OperatorEvent, PausedPools, StoreError, Trip,
    operator::HedgeRecord,
};

/// The end of the field with the time at which a pool was resumed, after the pool.
const RESUMED: &str = " resumed";

impl RedisStore {
    /// Waits for replicas as signatures do: a failover must not end a pause.
    pub(super) async fn set_paused(
        &self,
        pool: PoolId,
        is_paused: bool,
        entry: Option<&OperatorEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let keys = vec![self.prefix.paused(), self.prefix.trips(), self.prefix.operator(), self.prefix.samples(pool)];
        let arguments = vec![
            pool.to_string().into_bytes(),
            flag(is_paused),
            entry.map_or(Ok(Vec::new()), json_of)?,
            self.max_entry_age(),
            now.as_micros().to_string().into_bytes(),
        ];
        self.write_call(&self.scripts.pause, &ScriptCall { keys, arguments }).await
    }

    pub(super) async fn set_revoked(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), StoreError> {
        let call = ScriptCall {
            keys: vec![self.prefix.revoked(), self.prefix.operator()],
            arguments: vec![
                credential.into(),
                flag(is_revoked),
                entry.map_or(Ok(Vec::new()), json_of)?,
                self.max_entry_age(),
            ],
        };
        self.write_call(&self.scripts.revoke, &call).await
    }

    pub(super) async fn paused(&self) -> Result<PausedPools, StoreError> {
        let keys = [self.prefix.paused(), self.prefix.revoked(), self.prefix.trips()];
        let keys @ [pools_key, revoked_key, trips_key] = [keys[0].as_str(), keys[1].as_str(), keys[2].as_str()];
        let call = async |mut connection: Connection| connection.call(&self.scripts.paused, &keys, &[]).await;
        let reply: ScriptReply = self.query(call).await?;
        let generation = reply.generation(reply.status())?;
        let counts: [usize; 2] = [reply.number(0)?, reply.number(1)?];
        let (pools, rest) = reply
            .values()
            .get(2..)
            .and_then(|values| values.split_at_checked(counts[0]))
            .ok_or_else(|| reply.unexpected())?;
        let (revoked, fields) = rest.split_at_checked(counts[1]).ok_or_else(|| reply.unexpected())?;
        let unreadable = |key: &str| StoreError::Unreadable { key: key.to_owned() };
        let pools: Option<BTreeSet<PoolId>> = pools.iter().map(|member| parse_pool_id(member)).collect();
        let credential = |member: &Vec<u8>| String::from_utf8(member.clone()).ok();
        let revoked: Option<BTreeSet<String>> = revoked.iter().map(credential).collect();
        let mut paused = PausedPools {
            pools: pools.ok_or_else(|| unreadable(pools_key))?,
            revoked: revoked.ok_or_else(|| unreadable(revoked_key))?,
            generation: Some(*generation.as_bytes()),
            ..PausedPools::default()
        };
        for entry in fields.chunks(2) {
            let [field, value] = entry else { return Err(reply.unexpected()) };
            add_field(&mut paused, field, value).ok_or_else(|| unreadable(trips_key))?;
        }
        Ok(paused)
    }

    pub(super) async fn trip(&self, trip: &Trip, entry: Option<&OperatorEntry>) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: vec![self.prefix.paused(), self.prefix.trips(), self.prefix.operator()],
            arguments: vec![
                trip.key.pool.to_string().into_bytes(),
                trip.key.to_string().into_bytes(),
                trip.to_json().map_err(encode_error)?.into_bytes(),
                trip.step.name().into(),
                flag(trip.pauses_pool()),
                entry.map_or(Ok(Vec::new()), json_of)?,
                self.max_entry_age(),
            ],
        };
        self.write_call(&self.scripts.trip, &call).await
    }

    pub(super) async fn end_trip(&self, trip: &Trip, entry: &OperatorEntry) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: vec![self.prefix.trips(), self.prefix.operator()],
            arguments: vec![
                trip.key.to_string().into_bytes(),
                trip.to_json().map_err(encode_error)?.into_bytes(),
                json_of(entry)?,
                self.max_entry_age(),
            ],
        };
        self.write_call(&self.scripts.end_trip, &call).await
    }

    pub(super) async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError> {
        let arguments = vec![json_of(entry)?, self.max_entry_age()];
        self.write_call(&self.scripts.append_entry, &ScriptCall { keys: vec![self.prefix.operator()], arguments }).await
    }

    pub(super) async fn store_hedge(
        &self,
        hedge: &Hedge,
        actor: Option<&Actor>,
        now: Timestamp,
    ) -> Result<HedgeOutcome, StoreError> {
        let event = OperatorEvent::Hedged(hedge.clone());
        let entry = OperatorEntry { event, actor: actor.cloned(), recorded_at: now };
        let retention_ms = u64::from(HEDGE_RETENTION_SECONDS) * 1_000;
        let call = ScriptCall {
            keys: vec![self.prefix.hedge(&hedge.id), self.prefix.operator()],
            arguments: vec![
                HedgeRecord::line(hedge).map_err(encode_error)?.into_bytes(),
                retention_ms.to_string().into_bytes(),
                json_of(&entry)?,
                self.max_entry_age(),
            ],
        };
        let outcome: String = self.write_call(&self.scripts.store_hedge, &call).await?;
        match outcome.as_str() {
            "stored" => Ok(HedgeOutcome::Stored),
            "known" => Ok(HedgeOutcome::Duplicate),
            "conflict" => Ok(HedgeOutcome::Conflict),
            other => Err(StoreError::Unavailable(format!("unexpected outcome of a hedge: {other}").into())),
        }
    }

    /// The maximum age of entries of the operator's stream, that of the ledger's, in milliseconds.
    fn max_entry_age(&self) -> Vec<u8> {
        self.ledger.max_age_ms().to_string().into_bytes()
    }
}

fn flag(is_set: bool) -> Vec<u8> {
    vec![b'0' + u8::from(is_set)]
}

fn json_of(entry: &OperatorEntry) -> Result<Vec<u8>, StoreError> {
    entry.to_json().map(String::into_bytes).map_err(encode_error)
}

/// Adds a field of the hash; `None` if it cannot be read.
fn add_field(paused: &mut PausedPools, field: &[u8], value: &[u8]) -> Option<()> {
    let field = str::from_utf8(field).ok()?;
    if let Some(pool) = field.strip_suffix(RESUMED) {
        let micros = str::from_utf8(value).ok()?.parse().ok()?;
        paused.resumed.insert(parse_pool_id(pool.as_bytes())?, Timestamp::from_micros(micros));
    } else {
        let trip = Trip::from_json(value).filter(|trip| trip.key.to_string() == field)?;
        paused.trips.insert(trip.key, trip);
    }
    Some(())
}

/// Parses a member of the set. Accepts only the canonical form: another spelling of the same pool would stay in the set
/// when the pause is lifted.
pub(super) fn parse_pool_id(member: &[u8]) -> Option<PoolId> {
    str::from_utf8(member).ok()?.parse().ok()
}
