//! The tables of a tape.

use firmquote_domain::Timestamp;

use crate::Row;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// [`PriceRow`](crate::PriceRow)
    Prices,
    /// [`ConfigurationRow`](crate::ConfigurationRow)
    Configurations,
    /// [`StateRow`](crate::StateRow)
    States,
    /// [`LevelsRow`](crate::LevelsRow)
    Levels,
    /// [`RequestRow`](crate::RequestRow)
    Requests,
    /// [`BlockRow`](crate::BlockRow)
    Blocks,
    /// [`ChangeRow`](crate::ChangeRow)
    Changes,
    /// [`GapRow`](crate::GapRow)
    Gaps,
}

impl Table {
    /// All tables, in the order in which a batch is written: what a row names stands before it.
    pub const ALL: [Self; 8] = [
        Self::Prices,
        Self::Configurations,
        Self::States,
        Self::Levels,
        Self::Requests,
        Self::Blocks,
        Self::Changes,
        Self::Gaps,
    ];

    /// Returns the name, with which the names of its files begin.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prices => "prices",
            Self::Configurations => "configurations",
            Self::States => "states",
            Self::Levels => "levels",
            Self::Requests => "requests",
            Self::Blocks => "blocks",
            Self::Changes => "changes",
            Self::Gaps => "gaps",
        }
    }
}

/// A row of a table.
pub trait TableRow: Row {
    /// The table.
    const TABLE: Table;

    /// Returns the time of the row.
    fn time(&self) -> Timestamp;
}
