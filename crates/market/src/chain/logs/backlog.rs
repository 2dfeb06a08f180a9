//! The events that a reading of many blocks has got so far, kept for the next reading: a node with a small limit on
//! events may return all of them only over several readings.

use parking_lot::Mutex;
use tokio::time::Instant;

use super::event::RawLog;
use firmquote_domain::MAX_REORG_DEPTH;

use crate::chain::{Head, Node, NodeFault};

/// The events of a range of blocks, as far as they were read.
#[derive(Clone, Debug)]
pub(super) struct PartialReading {
    /// The first block of the range.
    from: u64,
    /// The first block that was not read yet.
    pub(super) next: u64,
    pub(super) logs: Vec<RawLog>,
    /// A block that the node had before the last range was read. As long as it is part of the chain, so are the blocks
    /// up to it.
    anchor: Option<Head>,
}

/// The events that are kept, if the last reading was of many blocks: those of blocks that only a reorganization of more
/// than [`MAX_REORG_DEPTH`] blocks replaces, which the anchor reveals.
#[derive(Debug, Default)]
pub(super) struct Backlog(Mutex<Option<PartialReading>>);

impl Backlog {
    /// Begins a reading from block `from` to the one below `head`, with what is kept of it and still part of the chain.
    pub(super) async fn resume(&self, node: &Node, from: u64, head: &Head) -> Result<PartialReading, NodeFault> {
        let kept = self.0.lock().clone().filter(|kept| kept.covers(from, head));
        let few_blocks = MAX_REORG_DEPTH.saturating_add(node.health.lock().max_event_blocks(Instant::now()));
        if kept.is_none() && head.number.saturating_sub(from) <= few_blocks {
            *self.0.lock() = None;
            return Ok(PartialReading { from, next: from, logs: Vec::new(), anchor: None });
        }
        let anchor = node.block(head.number.saturating_sub(MAX_REORG_DEPTH)).await?;
        if let Some(PartialReading { next, mut logs, anchor: Some(last), .. }) = kept
            && node.block(last.number).await?.is_some_and(|block| block.hash == last.hash)
        {
            logs.retain(|log| log.number() >= from);
            return Ok(PartialReading { from, next, logs, anchor });
        }
        Ok(PartialReading { from, next: from, logs: Vec::new(), anchor })
    }

    /// Keeps what was read up to the anchor, if there is one.
    pub(super) fn keep(&self, reading: &PartialReading) {
        let Some(anchor) = reading.anchor else { return };
        let next = reading.next.min(anchor.number.saturating_add(1));
        let is_kept = |log: &&RawLog| log.number() < next;
        let logs = reading.logs.iter().filter(is_kept).cloned().collect();
        *self.0.lock() = Some(PartialReading { next, logs, ..*reading });
    }
}

impl PartialReading {
    /// Whether some blocks of a reading from block `from` to the one below `head` were read.
    const fn covers(&self, from: u64, head: &Head) -> bool {
        self.from <= from && from < self.next && self.next <= head.number
    }
}
