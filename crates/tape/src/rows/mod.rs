//! The rows of the tables.

mod configuration;
mod gap;
mod price;
mod request;
mod state;

use firmquote_domain::Timestamp;

pub use self::{
    configuration::ConfigurationRow,
    gap::GapRow,
    price::PriceRow,
    request::{RecordedQuote, RequestOperation, RequestRow},
    state::{RecordedAsset, RecordedPair, StateRow},
};
use crate::Row;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// [`PriceRow`]
    Prices,
    /// [`ConfigurationRow`]
    Configurations,
    /// [`StateRow`]
    States,
    /// [`RequestRow`]
    Requests,
    /// [`GapRow`]
    Gaps,
}

impl Table {
    /// All tables, in the order in which a batch is written: what a row names stands before it.
    pub const ALL: [Self; 5] = [Self::Prices, Self::Configurations, Self::States, Self::Requests, Self::Gaps];

    /// Returns the name, with which the names of its files begin.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prices => "prices",
            Self::Configurations => "configurations",
            Self::States => "states",
            Self::Requests => "requests",
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

/// Rows of all tables, to be written together.
#[derive(Debug, Default)]
pub struct Rows {
    /// Prices.
    pub prices: Vec<PriceRow>,
    /// Configurations that the requests name.
    pub configurations: Vec<ConfigurationRow>,
    /// States that the requests name.
    pub states: Vec<StateRow>,
    /// Requests.
    pub requests: Vec<RequestRow>,
    /// Rows that were lost.
    pub gaps: Vec<GapRow>,
}

impl Rows {
    /// Returns the number of rows of a table.
    pub const fn len(&self, table: Table) -> usize {
        match table {
            Table::Prices => self.prices.len(),
            Table::Configurations => self.configurations.len(),
            Table::States => self.states.len(),
            Table::Requests => self.requests.len(),
            Table::Gaps => self.gaps.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        Table::ALL.iter().all(|table| self.len(*table) == 0)
    }
}
