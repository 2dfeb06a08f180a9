//! The rows of the tables.

mod block;
mod change;
mod configuration;
mod gap;
mod levels;
mod price;
mod request;
mod state;
mod table;

pub use self::{
    block::{BlockRow, RecordedBalance, RecordedSwap},
    change::{Change, ChangeRow},
    configuration::ConfigurationRow,
    gap::GapRow,
    levels::LevelsRow,
    price::PriceRow,
    request::{RecordedLevelsUse, RecordedQuote, RequestOperation, RequestRow},
    state::{RecordedAsset, RecordedPair, StateRow},
    table::{Table, TableRow},
};
/// Rows of all tables, to be written together.
#[derive(Debug, Default)]
pub struct Rows {
    /// Prices.
    pub prices: Vec<PriceRow>,
    /// Configurations that the requests name.
    pub configurations: Vec<ConfigurationRow>,
    /// States that the requests name.
    pub states: Vec<StateRow>,
    /// Firm levels, published or named by the requests.
    pub levels: Vec<LevelsRow>,
    /// Requests.
    pub requests: Vec<RequestRow>,
    /// Blocks.
    pub blocks: Vec<BlockRow>,
    /// Changes of the service.
    pub changes: Vec<ChangeRow>,
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
            Table::Levels => self.levels.len(),
            Table::Requests => self.requests.len(),
            Table::Blocks => self.blocks.len(),
            Table::Changes => self.changes.len(),
            Table::Gaps => self.gaps.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        Table::ALL.iter().all(|table| self.len(*table) == 0)
    }
}
