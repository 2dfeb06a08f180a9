//! Blocks of the simulated chain.

use alloy_primitives::{B256, keccak256};
use firmquote_domain::{ChainId, Timestamp};

use super::{
    sent_transaction::SentTransaction,
    simulated_chain::{Chain, SimulatedChain},
};

/// A block, with the transactions that were sent to one chain.
pub(crate) struct Block<'c> {
    pub(crate) number: u64,
    pub(crate) time: Timestamp,
    pub(crate) hash: B256,
    pub(crate) parent_hash: B256,
    /// Hash and transaction, in their order.
    pub(crate) transactions: Vec<(B256, &'c SentTransaction)>,
}

impl Chain {
    /// Returns the block `number` of `chain_id`; `None` before the oldest that is known. It may not be mined yet.
    pub(super) fn block(&self, chain_id: ChainId, number: u64) -> Option<Block<'_>> {
        let parent_hash =
            block_hash(chain_id, number.saturating_sub(1), self.transactions(chain_id, number.saturating_sub(1)));
        Some(Block {
            number,
            time: self.times.get(number)?,
            hash: block_hash(chain_id, number, self.transactions(chain_id, number)),
            parent_hash,
            transactions: self.transactions(chain_id, number).collect(),
        })
    }

    /// The transactions of `chain_id` in a block.
    fn transactions(&self, chain_id: ChainId, number: u64) -> impl Iterator<Item = (B256, &SentTransaction)> {
        let hashes = self.hashes.get(&number).into_iter().flatten();
        let sent = hashes.filter_map(|hash| Some((*hash, self.sent.get(hash)?)));
        sent.filter(move |(_, sent)| sent.chain_id == chain_id)
    }
}

/// The hash of a block: another one once a reorganization has taken a transaction out of it.
fn block_hash<'c>(
    chain_id: ChainId,
    number: u64,
    transactions: impl Iterator<Item = (B256, &'c SentTransaction)>,
) -> B256 {
    let mut bytes = [chain_id.get().to_be_bytes(), number.to_be_bytes()].concat();
    transactions.for_each(|(hash, _)| bytes.extend_from_slice(hash.as_slice()));
    keccak256(bytes)
}

impl SimulatedChain {
    /// The number of the newest block.
    pub(crate) fn number(&self) -> u64 {
        self.chain.lock().number
    }

    /// Passes the block `number` of `chain_id` to `read`; `None` if there is no such block.
    pub(crate) fn read_block<T>(
        &self,
        chain_id: ChainId,
        number: u64,
        read: impl FnOnce(&Block<'_>) -> T,
    ) -> Option<T> {
        self.chain.lock().block(chain_id, number).as_ref().map(read)
    }

    /// Passes the blocks from `from` to `to` that have transactions of `chain_id` to `read`.
    pub(crate) fn read_blocks(&self, chain_id: ChainId, from: u64, to: u64, read: impl FnMut(Block<'_>)) {
        let chain = self.chain.lock();
        let last = to.min(chain.number);
        let numbers = chain.hashes.keys().copied().filter(|number| (from..=last).contains(number));
        numbers.filter_map(|number| chain.block(chain_id, number)).for_each(read);
    }

    /// Returns the number of the block with this hash.
    pub(crate) fn number_of(&self, chain_id: ChainId, hash: B256) -> Option<u64> {
        let chain = self.chain.lock();
        let has_hash = |number: &u64| chain.block(chain_id, *number).is_some_and(|block| block.hash == hash);
        (chain.times.first()..=chain.number).rev().find(has_hash)
    }
}
