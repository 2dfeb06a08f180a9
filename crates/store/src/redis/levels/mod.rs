//! Firm levels and budgets in Redis: those of a pool on one node. A failover may lose any of them; levels of another
//! generation of the server are therefore no longer honored, and no write waits for replicas.

pub(super) mod codec;

use async_trait::async_trait;
use firmquote_domain::{FirmLevels, LevelsId, PoolId, QuoteId, Timestamp, U256};

use super::{
    RedisStore,
    book::codec::{decode_amount, encode_amount},
    generation::Generation,
    scripts::ScriptCall,
    store::encoded,
};
use crate::{FoundLevels, LevelBudget, LevelStore, Reservation, ReservationOutcome, StoreError};

#[async_trait]
impl LevelStore for RedisStore {
    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, _now: Timestamp) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: self.prefix.levels(levels.pool, levels.id).into(),
            arguments: vec![
                encoded(codec::encode(levels))?,
                millis(levels.valid_until),
                vec![b'0' + u8::from(renewal)],
                self.seen_generation(levels.pool),
            ],
        };
        let reply: Vec<Vec<u8>> = self.read(&self.scripts.hold_levels, &call).await?;
        match self.status(levels.pool, &reply)? {
            b"held" => Ok(true),
            b"lost" => Ok(false),
            word => Err(unexpected(word)),
        }
    }

    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<FoundLevels, StoreError> {
        let [key, generation] = self.prefix.levels(pool, id);
        let call = ScriptCall { keys: vec![key.clone(), generation], arguments: vec![self.seen_generation(pool)] };
        let reply: Vec<Vec<u8>> = self.read(&self.scripts.find_levels, &call).await?;
        match self.status(pool, &reply)? {
            b"held" => {
                let value = reply.get(2).map(Vec::as_slice).unwrap_or_default();
                let levels = codec::decode(pool, id, value).ok_or(StoreError::Unreadable { key })?;
                let is_live = now < levels.valid_until;
                Ok(if is_live { FoundLevels::Live(Box::new(levels)) } else { FoundLevels::Expired })
            }
            b"lost" => Ok(FoundLevels::Lost),
            b"expired" => Ok(FoundLevels::Expired),
            word => Err(unexpected(word)),
        }
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError> {
        let Reservation { budget, levels_id, limit, quote_id, input, until } = *reservation;
        let [levels, _] = self.prefix.levels(budget.pool, levels_id);
        let [inputs, expiry] = self.prefix.level_budget(budget);
        let call = ScriptCall {
            keys: vec![levels, inputs, expiry],
            arguments: vec![
                quote_id.to_string().into_bytes(),
                encode_amount(input.base_units()).to_vec(),
                encode_amount(limit.base_units()).to_vec(),
                millis(until),
                whole_millis(now),
            ],
        };
        let reply: Vec<Vec<u8>> = self.read(&self.scripts.reserve, &call).await?;
        let used = || -> Result<U256, StoreError> {
            let sum = reply.get(1).map(Vec::as_slice).unwrap_or_default();
            decode_amount(sum).ok_or_else(|| unexpected(sum))
        };
        match reply.first().map(Vec::as_slice).unwrap_or_default() {
            b"reserved" => Ok(ReservationOutcome::Reserved { used: used()? }),
            b"limit" => Ok(ReservationOutcome::LimitExceeded { used: used()? }),
            b"lost" => Ok(ReservationOutcome::Lost),
            word => Err(unexpected(word)),
        }
    }

    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: self.prefix.level_budget(budget).into(),
            arguments: vec![quote_id.to_string().into_bytes(), millis(until), whole_millis(now)],
        };
        let found: u8 = self.read(&self.scripts.set_reserved_until, &call).await?;
        Ok(found == 1)
    }
}

impl RedisStore {
    /// The generation in which this replica last saw levels of `pool`, as a script argument.
    fn seen_generation(&self, pool: PoolId) -> Vec<u8> {
        self.levels.last(pool).map(|generation| generation.as_bytes().to_vec()).unwrap_or_default()
    }

    /// Returns the status of a reply about levels of `pool`, and notes the generation after it.
    fn status<'r>(&self, pool: PoolId, reply: &'r [Vec<u8>]) -> Result<&'r [u8], StoreError> {
        let [status, generation, ..] = reply else { return Err(unexpected(&[])) };
        let generation = Generation::try_from(generation.as_slice()).map_err(|_| unexpected(generation))?;
        if self.levels.last(pool) != Some(generation) {
            self.levels.store(pool, generation);
        }
        Ok(status)
    }
}

/// The current time as a script argument: nothing expires before its time.
fn whole_millis(now: Timestamp) -> Vec<u8> {
    (now.as_micros() / 1_000).to_string().into_bytes()
}

/// An end as a script argument, rounded up to the next millisecond.
fn millis(time: Timestamp) -> Vec<u8> {
    time.as_micros().div_ceil(1_000).to_string().into_bytes()
}

fn unexpected(word: &[u8]) -> StoreError {
    StoreError::Unavailable(format!("Redis answered {:?} about levels", String::from_utf8_lossy(word)).into())
}
