//! What is signed in a minute, in US dollars: for a pool by all its clients, and by one client of it.

mod minute;

use firmquote_domain::{Client, PoolId, Usd};

pub(crate) use minute::{Minute, WINDOW_SECONDS};

/// A trade about to be signed, and the most that may be signed in any minute with it.
///
/// A side without a limit is neither counted nor kept: a limit that is set later knows nothing of the trades before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeCharge {
    /// The pool that is to trade.
    pub pool: PoolId,
    /// Who asks for the signature. All that ask without a credential are one client.
    pub client: Client,
    /// What the trade is worth.
    pub value: Usd,
    /// The most that all clients of the pool may have signed, this trade included; the very amount is allowed.
    pub most_of_pool: Option<Usd>,
    /// The most that the client may have signed at this pool, this trade included; the very amount is allowed.
    pub most_of_client: Option<Usd>,
}

/// What became of an attempt to add a trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeOutcome {
    /// No limit was exceeded, and the trade is counted.
    Within,
    /// Too much for the pool; nothing was counted. The client may have reached its own limit as well.
    PoolLimit(LimitExceeded),
    /// Too much for the client; nothing was counted. The pool may have reached its limit as well, but has room again
    /// no later than the client.
    ClientLimit(LimitExceeded),
    /// The store may have lost trades of the last minute, as after a restart; nothing was counted.
    Uncounted {
        /// After how many seconds the minute of what may be lost is over, 1 to 61.
        retry_after_seconds: u32,
    },
}

/// By how much a trade comes too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitExceeded {
    /// What is signed at present, without the trade.
    pub signed: Usd,
    /// After how many seconds enough of that has left the minute for the trade, 1 to 61, if nothing else is signed
    /// meanwhile; `None` for a trade that exceeds the limit alone.
    pub retry_after_seconds: Option<u32>,
}

/// Whose total it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LimitScope {
    pub(crate) pool: PoolId,
    /// One client of the pool, or all of them together.
    pub(crate) client: Option<Client>,
}

impl VolumeCharge {
    /// The sides that have a limit, each with it.
    pub(crate) fn limits(&self) -> impl Iterator<Item = (LimitScope, Usd)> {
        let of_pool = self.most_of_pool.map(|most| (LimitScope { pool: self.pool, client: None }, most));
        let of_client =
            self.most_of_client.map(|most| (LimitScope { pool: self.pool, client: Some(self.client.clone()) }, most));
        of_pool.into_iter().chain(of_client)
    }
}

impl VolumeOutcome {
    /// The refusal by the side that takes longest to have room; of two that take the same time, by the client's.
    pub(crate) fn refused(excesses: impl IntoIterator<Item = (LimitScope, LimitExceeded)>) -> Option<Self> {
        let wait = |(_, excess): &(LimitScope, LimitExceeded)| excess.retry_after_seconds.unwrap_or(u32::MAX);
        let (side, excess) = excesses.into_iter().max_by_key(wait)?;
        Some(if side.client.is_some() { Self::ClientLimit(excess) } else { Self::PoolLimit(excess) })
    }
}
