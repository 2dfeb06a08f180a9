//! A simulated chain that mines a block with the takers' transactions every second.

mod accounts;
mod block_times;
mod blocks;
mod contracts;
mod pool_swaps;
mod sending;
mod sent_transaction;
mod simulated_chain;
mod transaction;

pub(crate) use self::{
    blocks::Block,
    contracts::revert_data,
    sent_transaction::{EventLog, SendError, SentTransaction, decode_transaction},
    simulated_chain::{Receipt, SimulatedChain},
    transaction::{Revert, Transaction},
};
