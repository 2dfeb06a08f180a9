//! When the newest blocks were mined.

use std::collections::VecDeque;

use firmquote_domain::Timestamp;

/// The number of blocks that can be read.
const MAX_BLOCKS: usize = 1_024;

/// When the newest blocks were mined.
#[derive(Default)]
pub(super) struct BlockTimes {
    first: u64,
    times: VecDeque<Timestamp>,
}

impl BlockTimes {
    pub(super) fn new(number: u64, time: Timestamp) -> Self {
        Self { first: number, times: VecDeque::from([time]) }
    }

    /// Adds the time of the next block.
    pub(super) fn add(&mut self, time: Timestamp) {
        self.times.push_back(time);
        if self.times.len() > MAX_BLOCKS {
            self.times.pop_front();
            self.first += 1;
        }
    }

    pub(super) fn get(&self, number: u64) -> Option<Timestamp> {
        self.times.get(usize::try_from(number.checked_sub(self.first)?).ok()?).copied()
    }

    /// The oldest block that can be read.
    pub(super) const fn first(&self) -> u64 {
        self.first
    }
}
