//! Why a store does not do what it is asked.

/// Why a store does not do what it is asked; a variant per reaction.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store holds as many live quotes as it may; nothing was kept. Quotes expire within seconds.
    #[error("the store is full: {capacity} live quotes")]
    Full {
        /// How many it takes.
        capacity: usize,
    },
    /// The client holds its share of a store that fills up; nothing was kept. Quotes expire within seconds.
    #[error("the client holds {held} live quotes, its share of the store")]
    ClientFull {
        /// How many live quotes are the client's, signed ones included.
        held: usize,
    },
    /// The quote is bound to other terms; nothing was recorded, and the signature must not leave.
    #[error("the quote is bound to other terms")]
    OtherTerms,
    /// There is no claim for the signature, as after a restart of the store that lost it or made it void; nothing was
    /// recorded, and the signature must not leave.
    #[error("the quote is not claimed")]
    Unclaimed,
    /// The clock of this process and that of the store differ by more than is allowed.
    #[error("the clock of this machine is {} ms {} that of the store", .skew_ms.unsigned_abs(), direction(*.skew_ms))]
    ClockSkew {
        /// How far this process is ahead, in milliseconds; negative where it is behind.
        skew_ms: i64,
    },
    /// The ledger takes no entry; nothing was recorded, and the signature must not leave.
    #[error("{0}")]
    Ledger(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store could not be asked, or its answer did not arrive; what was asked may or may not have happened.
    #[error("the store could not be asked")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What is stored cannot be read, as after a change of its form by another version. Asking again does not help.
    #[error("what is stored under {key} cannot be read")]
    Unreadable {
        /// The key it is stored under.
        key: String,
    },
}

const fn direction(skew_ms: i64) -> &'static str {
    if skew_ms < 0 { "behind" } else { "ahead of" }
}
