//! Firm levels and budgets in Redis: those of a pool on one node. A failover may lose any of them; levels of another
//! generation of the server are therefore no longer honored, and no write waits for replicas.

pub(super) mod codec;

use firmquote_domain::{FirmLevels, LevelsId, PoolId, QuoteId, Timestamp, U256};

use super::{
    RedisStore,
    book::codec::{decode_amount, encode_amount},
    reply::ScriptReply,
    scripts::ScriptCall,
    store::encode_error,
};
use crate::{LevelBudget, LevelsLookup, Reservation, ReservationOutcome, StoreError};

impl RedisStore {
    pub(super) async fn store_levels(
        &self,
        levels: &FirmLevels,
        renewal: bool,
        _now: Timestamp,
    ) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: self.prefix.levels(levels.pool, levels.id).into(),
            arguments: vec![
                codec::encode(levels).map_err(encode_error)?,
                ceil_millis(levels.valid_until),
                vec![b'0' + u8::from(renewal)],
                self.levels.as_argument(levels.pool),
            ],
        };
        let reply: ScriptReply = self.read(&self.scripts.hold_levels, &call).await?;
        self.levels.store(levels.pool, reply.generation(reply.value(0)?)?);
        match reply.status() {
            b"held" => Ok(true),
            b"lost" => Ok(false),
            _ => Err(reply.unexpected()),
        }
    }

    pub(super) async fn find_levels(
        &self,
        pool: PoolId,
        id: LevelsId,
        now: Timestamp,
    ) -> Result<LevelsLookup, StoreError> {
        let [key, generation] = self.prefix.levels(pool, id);
        let call = ScriptCall { keys: vec![key.clone(), generation], arguments: vec![self.levels.as_argument(pool)] };
        let reply: ScriptReply = self.read(&self.scripts.find_levels, &call).await?;
        self.levels.store(pool, reply.generation(reply.value(0)?)?);
        match reply.status() {
            b"held" => {
                let levels = codec::decode(pool, id, reply.value(1)?).ok_or(StoreError::Unreadable { key })?;
                let is_live = now < levels.valid_until;
                Ok(if is_live { LevelsLookup::Live(Box::new(levels)) } else { LevelsLookup::Expired })
            }
            b"lost" => Ok(LevelsLookup::Lost),
            b"expired" => Ok(LevelsLookup::Expired),
            _ => Err(reply.unexpected()),
        }
    }

    pub(super) async fn reserve(
        &self,
        reservation: &Reservation<'_>,
        now: Timestamp,
    ) -> Result<ReservationOutcome, StoreError> {
        let Reservation { budget, levels_id, limit, quote_id, input, until } = *reservation;
        let [levels, _] = self.prefix.levels(budget.pool, levels_id);
        let [inputs, expiry] = self.prefix.level_budget(budget);
        let call = ScriptCall {
            keys: vec![levels, inputs, expiry],
            arguments: vec![
                quote_id.to_string().into_bytes(),
                encode_amount(input.base_units()).to_vec(),
                encode_amount(limit.base_units()).to_vec(),
                ceil_millis(until),
                floor_millis(now),
            ],
        };
        let reply: ScriptReply = self.read(&self.scripts.reserve, &call).await?;
        let used = || -> Result<U256, StoreError> { decode_amount(reply.value(0)?).ok_or_else(|| reply.unexpected()) };
        match reply.status() {
            b"reserved" => Ok(ReservationOutcome::Reserved { used: used()? }),
            b"limit" => Ok(ReservationOutcome::LimitExceeded { used: used()? }),
            b"lost" => Ok(ReservationOutcome::Lost),
            _ => Err(reply.unexpected()),
        }
    }

    pub(super) async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: self.prefix.level_budget(budget).into(),
            arguments: vec![quote_id.to_string().into_bytes(), ceil_millis(until), floor_millis(now)],
        };
        let found: u8 = self.read(&self.scripts.set_reserved_until, &call).await?;
        Ok(found == 1)
    }
}

/// The current time as a script argument, rounded down: nothing expires early.
fn floor_millis(now: Timestamp) -> Vec<u8> {
    (now.as_micros() / 1_000).to_string().into_bytes()
}

/// An expiry as a script argument, rounded up: nothing expires early.
fn ceil_millis(time: Timestamp) -> Vec<u8> {
    time.as_micros().div_ceil(1_000).to_string().into_bytes()
}
