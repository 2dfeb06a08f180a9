//! Following a book: its version, and the changes since an earlier one.

use firmquote_domain::{Book, BookEntry, QuoteId, SwapState};

/// The state of a book: changes are numbered, and start again when the store may have lost some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookVersion {
    /// Identifies the numbering; another one whenever the store may have lost changes.
    pub epoch: u64,
    /// The number of the last change.
    pub number: u64,
}

impl BookVersion {
    /// Whether `self` is the version right after `earlier`.
    pub fn follows(self, earlier: Self) -> bool {
        self.epoch == earlier.epoch && earlier.number.checked_add(1) == Some(self.number)
    }

    /// Whether `self` is an earlier version of the same numbering than `other`.
    pub fn precedes(self, other: Self) -> bool {
        self.epoch == other.epoch && self.number < other.number
    }
}

/// A change of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookChange {
    /// A swap was entered.
    Entered(BookEntry),
    /// A swap settled or lapsed, or is outstanding again.
    State(QuoteId, SwapState),
    /// A swap was removed.
    Removed(QuoteId),
}

impl BookChange {
    /// The quote of the swap that changed.
    pub fn quote_id(&self) -> QuoteId {
        match self {
            Self::Entered(booked) => booked.swap.quote_id,
            Self::State(id, _) | Self::Removed(id) => *id,
        }
    }

    /// Applies the change to a copy of the book. Returns whether anything changed: a change that is in the copy already
    /// is harmless.
    pub fn apply(&self, book: &mut Book) -> bool {
        match self {
            Self::Entered(swap) => book.insert(swap.clone()),
            Self::State(id, state) => book.set_state(*id, *state),
            Self::Removed(id) => book.remove(*id),
        }
    }
}

/// What a follower of a book missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookUpdate {
    /// The changes since the follower's version, oldest first, each with the next number; none if nothing changed.
    Changes {
        /// The version after the last change.
        version: BookVersion,
        /// The changes.
        changes: Vec<BookChange>,
    },
    /// All swaps, for a follower whose version is unknown or too old.
    Snapshot {
        /// The version of the book.
        version: BookVersion,
        /// The swaps, in no particular order.
        swaps: Vec<BookEntry>,
    },
}

impl BookUpdate {
    /// The version of the book after the update.
    pub const fn version(&self) -> BookVersion {
        match self {
            Self::Changes { version, .. } | Self::Snapshot { version, .. } => *version,
        }
    }
}
