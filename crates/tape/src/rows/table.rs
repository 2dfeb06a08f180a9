//! The tables of a tape.

use strum::{IntoStaticStr, VariantArray};

use crate::Row;

/// A table, in the order in which a batch is written: what a row names stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Table {
    /// [`GapRow`](crate::GapRow)
    Gaps,
    /// [`ChangeRow`](crate::ChangeRow)
    Changes,
    /// [`BlockRow`](crate::BlockRow)
    Blocks,
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
}

impl Table {
    /// All tables.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name, with which the names of its files begin.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A row of a table.
pub trait TableRow: Row {
    /// The table.
    const TABLE: Table;
}
