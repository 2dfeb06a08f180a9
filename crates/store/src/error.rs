//! Why a store does not do what it is asked.

/// Why a store does not do what it is asked; a variant per reaction.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store holds as many live quotes as it may; nothing was kept. Quotes expire within seconds.
    #[error("the store is full: {capacity} live quotes")]
    Full {
        /// The ceiling that was reached.
        capacity: usize,
    },
    /// The quote is bound to other terms; nothing was recorded, and the signature must not leave.
    #[error("the quote is bound to other terms")]
    OtherTerms,
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
