//! Errors of a store.

/// Reasons a store operation fails, one variant per reaction of the caller.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store holds the maximum number of live quotes; nothing was stored. Quotes expire within seconds.
    #[error("the store is full: {capacity} live quotes")]
    Full {
        /// The capacity in quotes.
        capacity: usize,
    },
    /// The store is filling up and the client already holds its share; nothing was stored. Quotes expire within
    /// seconds.
    #[error("the client holds {held} live quotes, its share of the store")]
    ClientFull {
        /// Live quotes of the client, signed ones included.
        held: usize,
    },
    /// The clocks of this process and of the store differ by more than the allowed skew.
    #[error("the clock of this machine is {} ms {} that of the store", .skew_ms.unsigned_abs(), direction(*.skew_ms))]
    ClockSkew {
        /// How far this process is ahead, in milliseconds; negative when it is behind.
        skew_ms: i64,
    },
    /// The ledger rejected the entry; nothing was recorded, and the signature must not leave the service.
    #[error("{0}")]
    Ledger(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store could not be reached, or its response did not arrive; the operation may or may not have taken effect.
    #[error("the store call failed")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store does not permit this user all that a signature needs; nothing was written.
    #[error("the user of Redis is denied what a signature needs: {commands}")]
    Denied {
        /// The denied commands, each with the reason of Redis.
        commands: String,
    },
    /// A stored value cannot be decoded, for example because another version wrote a different format. Retrying does
    /// not help.
    #[error("the value of {key} cannot be read")]
    Unreadable {
        /// The key of the value.
        key: String,
    },
}

const fn direction(skew_ms: i64) -> &'static str {
    if skew_ms < 0 { "behind" } else { "ahead of" }
}
