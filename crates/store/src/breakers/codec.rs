//! Trips and samples as JSON, as the store keeps them.

use firmquote_domain::{Address, B256, PoolId, Timestamp, U256};
use serde::{Deserialize, Serialize};

use super::{Breaker, BreakerStep, PoolSample, Trip, TripKey};
use crate::ledger::Text;

#[derive(Serialize, Deserialize)]
struct TripRecord {
    pool: Text<PoolId>,
    breaker: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<Text<Address>>,
    step: String,
    figures: String,
    at_us: u64,
}

#[derive(Serialize, Deserialize)]
struct SampleRecord {
    block_number: u64,
    block_hash: Text<B256>,
    block_time_us: u64,
    balances: Vec<Text<U256>>,
    pool_tokens: Text<U256>,
}

impl Trip {
    /// Formats the trip as one line.
    ///
    /// # Errors
    /// Never fails for values of the domain.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        let TripKey { pool, breaker, token } = self.key;
        serde_json::to_string(&TripRecord {
            pool: Text(pool),
            breaker: breaker.name().to_owned(),
            token: token.map(Text),
            step: self.step.name().to_owned(),
            figures: self.figures.clone(),
            at_us: self.at.as_micros(),
        })
    }

    /// Parses a line; `None` for anything else.
    pub(crate) fn from_json(line: &[u8]) -> Option<Self> {
        let TripRecord { pool, breaker, token, step, figures, at_us } = serde_json::from_slice(line).ok()?;
        let breaker: Breaker = breaker.parse().ok()?;
        let step: BreakerStep = step.parse().ok()?;
        let key = TripKey { pool: pool.0, breaker, token: token.map(|token| token.0) };
        Some(Self { key, step, figures, at: Timestamp::from_micros(at_us) })
    }
}

impl PoolSample {
    /// Formats the sample as one line: the same one for the same block.
    ///
    /// # Errors
    /// Never fails for values of the domain.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&SampleRecord {
            block_number: self.block_number,
            block_hash: Text(self.block_hash),
            block_time_us: self.block_time.as_micros(),
            balances: self.balances.iter().copied().map(Text).collect(),
            pool_tokens: Text(self.pool_tokens),
        })
    }

    /// Parses a line; `None` for anything else.
    pub(crate) fn from_json(line: &[u8]) -> Option<Self> {
        let record: SampleRecord = serde_json::from_slice(line).ok()?;
        Some(Self {
            block_number: record.block_number,
            block_hash: record.block_hash.0,
            block_time: Timestamp::from_micros(record.block_time_us),
            balances: record.balances.into_iter().map(|Text(balance)| balance).collect(),
            pool_tokens: record.pool_tokens.0,
        })
    }
}
