//! The branch of the chain that is followed: the hashes and times of its blocks, and how far their events are
//! confirmed. Everything that nodes state about a block elsewhere is checked against its header.

use std::collections::BTreeMap;

use firmquote_domain::{B256, MAX_REORG_DEPTH, Timestamp};
use parking_lot::Mutex;

use crate::chain::{Head, Node, NodeFault};

/// The maximum number of newest blocks that are remembered to detect deep reorganizations.
const MAX_HEADS: usize = 512;

/// The blocks of the followed branch, as far as they were read.
#[derive(Debug, Default)]
pub(super) struct Branch(Mutex<Blocks>);

#[derive(Debug, Default)]
struct Blocks {
    /// The newest block that was read.
    last: Option<Head>,
    /// By number.
    headers: BTreeMap<u64, BranchBlock>,
    /// The hashes of the newest blocks that were read, by number.
    heads: BTreeMap<u64, B256>,
    /// Whether a reorganization replaced more than [`MAX_REORG_DEPTH`] blocks since the last successful reading.
    is_deeply_reorganized: bool,
}

/// A block of the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BranchBlock {
    pub(super) hash: B256,
    pub(super) time: Timestamp,
    /// Whether its events were requested by its hash.
    pub(super) is_confirmed: bool,
}

impl Branch {
    /// Follows the chain to `head`, and forgets the blocks below `from`. After a reorganization, every block is read
    /// again.
    pub(super) async fn follow(&self, node: &Node, from: u64, head: &Head) -> Result<(), NodeFault> {
        let last = self.0.lock().last;
        let is_continued = match last {
            None => true,
            Some(last) if head.continues(&last) => true,
            Some(last) if last.number < head.number => is_on_branch(node, last.number, last.hash).await?,
            Some(_) => self.0.lock().heads.get(&head.number) == Some(&head.hash),
        };
        let anchor = last.filter(|_| !is_continued).and_then(|last| self.0.lock().anchor(last.number.min(head.number)));
        let is_anchored = match anchor {
            Some((number, hash)) => is_on_branch(node, number, hash).await?,
            None => true,
        };
        let mut blocks = self.0.lock();
        if !is_continued {
            blocks.headers.clear();
            let kept = anchor.filter(|_| is_anchored).map_or(0, |(number, _)| number + 1);
            drop(blocks.heads.split_off(&kept));
        }
        blocks.is_deeply_reorganized |= !is_anchored;
        blocks.headers = blocks.headers.split_off(&from);
        blocks.add_head(head);
        Ok(())
    }

    /// Returns whether the chain was reorganized deeply since this was last asked.
    pub(super) fn take_deep_reorganization(&self) -> bool {
        std::mem::take(&mut self.0.lock().is_deeply_reorganized)
    }

    /// Returns the block at this height of the branch; `None` if the node has none. Each is read once, also if the
    /// reading of events fails later.
    pub(super) async fn block(&self, node: &Node, number: u64) -> Result<Option<BranchBlock>, NodeFault> {
        if let Some(block) = self.0.lock().headers.get(&number) {
            return Ok(Some(*block));
        }
        let Some(header) = node.block(number).await? else { return Ok(None) };
        let block = BranchBlock { hash: header.hash, time: header.time, is_confirmed: false };
        Ok(Some(*self.0.lock().headers.entry(number).or_insert(block)))
    }

    /// Forgets the headers: one may be of another branch than the events, as behind an address that several nodes share.
    pub(super) fn forget_headers(&self) {
        self.0.lock().headers.clear();
    }

    /// Notes that the events of a block were requested by its hash.
    pub(super) fn confirm(&self, number: u64, hash: B256) {
        let mut blocks = self.0.lock();
        if let Some(block) = blocks.headers.get_mut(&number).filter(|block| block.hash == hash) {
            block.is_confirmed = true;
        }
    }
}

impl Blocks {
    /// Returns the newest head that a reorganization of at most [`MAX_REORG_DEPTH`] blocks below `number` leaves.
    fn anchor(&self, number: u64) -> Option<(u64, B256)> {
        let end = number.checked_sub(MAX_REORG_DEPTH)?;
        self.heads.range(..=end).next_back().map(|(number, hash)| (*number, *hash))
    }

    fn add_head(&mut self, head: &Head) {
        let Head { number, hash, time, .. } = *head;
        let head_block = BranchBlock { hash, time, is_confirmed: false };
        let known = self.headers.entry(number).or_insert(head_block);
        if known.hash != hash {
            *known = head_block;
        }
        self.heads.insert(number, hash);
        while self.heads.len() > MAX_HEADS {
            self.heads.pop_first();
        }
        self.last = Some(*head);
    }
}

async fn is_on_branch(node: &Node, number: u64, hash: B256) -> Result<bool, NodeFault> {
    Ok(node.block(number).await?.is_some_and(|block| block.hash == hash))
}
