//! What goes on the tape: requests with the states and the configurations that they were priced on, and blocks.

mod block_history;
mod configuration;
mod encoder;
mod text;

pub(crate) use self::encoder::recorded_quote;
pub use self::{
    block_history::{BlockBalances, BlockHistory, UnexplainedChanges},
    configuration::{InvalidConfiguration, RecordedConfiguration},
    encoder::{DeskEncoder, TapeRecord},
};
