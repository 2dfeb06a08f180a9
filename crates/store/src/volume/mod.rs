//! The volume signed in a minute, in US dollars: of a pool over all its clients, and of one client at a pool.

mod window;

use firmquote_domain::{Client, PoolId, Usd};

pub(crate) use window::{VolumeWindow, WINDOW_SECONDS};

/// A trade about to be signed, with the limits on the volume of any minute that includes it.
///
/// A total without a limit is not tracked: a limit that is set later does not include earlier trades.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeCharge {
    /// The pool of the trade.
    pub pool: PoolId,
    /// The client that requests the signature. All clients without credentials count as one.
    pub client: Client,
    /// The value of the trade.
    pub value: Usd,
    /// The inclusive limit for all clients of the pool together, this trade included.
    pub pool_limit: Option<Usd>,
    /// The inclusive limit for the client at this pool, this trade included.
    pub client_limit: Option<Usd>,
}

/// Why a trade is not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeRefusal {
    /// The trade exceeds the limit of the pool. The limit of the client may be exceeded as well.
    PoolLimit(LimitExceeded),
    /// The trade exceeds the limit of the client. The limit of the pool may be exceeded as well,
    /// but the pool has room again no later than the client.
    ClientLimit(LimitExceeded),
    /// The store may have lost trades of the last minute, for example in a restart.
    VolumeUnknown {
        /// Seconds until the lost trades would have left the minute, 1 to 61.
        retry_after_seconds: u32,
    },
}

/// An exceeded limit, and when the trade would fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitExceeded {
    /// The volume signed in the last minute, without the trade.
    pub signed: Usd,
    /// Seconds until enough volume has left the minute for the trade to fit, 1 to 61, if nothing else is signed
    /// meanwhile; `None` for a trade that exceeds the limit on its own.
    pub retry_after_seconds: Option<u32>,
}

/// The scope of a total.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LimitScope {
    pub(crate) pool: PoolId,
    /// One client of the pool; `None` for all clients together.
    pub(crate) client: Option<Client>,
}

impl VolumeCharge {
    /// The scopes that have a limit, each with its limit.
    pub(crate) fn limits(&self) -> impl Iterator<Item = (LimitScope, Usd)> {
        let pool_total = self.pool_limit.map(|limit| (LimitScope { pool: self.pool, client: None }, limit));
        let client_total =
            self.client_limit.map(|limit| (LimitScope { pool: self.pool, client: Some(self.client.clone()) }, limit));
        pool_total.into_iter().chain(client_total)
    }
}

impl VolumeRefusal {
    /// Returns the refusal by the scope that takes longest to have room again; on a tie, by that of the client.
    pub(crate) fn from_excesses(excesses: impl IntoIterator<Item = (LimitScope, LimitExceeded)>) -> Option<Self> {
        let wait = |(_, excess): &(LimitScope, LimitExceeded)| excess.retry_after_seconds.unwrap_or(u32::MAX);
        let (scope, excess) = excesses.into_iter().max_by_key(wait)?;
        Some(if scope.client.is_some() { Self::ClientLimit(excess) } else { Self::PoolLimit(excess) })
    }
}
