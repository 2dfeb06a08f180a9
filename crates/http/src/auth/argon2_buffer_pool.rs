//! The memory of password checks: a pool of reused buffers, so that a check allocates nothing.
//!
//! Allocators retain much of the memory that threads free after password checks. Reused buffers cannot add to that.

use argon2::Block;
use parking_lot::Mutex;

/// The idle buffers of 1 KiB blocks, at most `max_idle` of them.
pub(super) struct Argon2BufferPool {
    idle: Mutex<Vec<Vec<Block>>>,
    max_idle: usize,
}

/// The system has no memory left for a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AllocationError;

impl Argon2BufferPool {
    /// Creates an empty pool that keeps up to `max_idle` returned buffers.
    pub(super) const fn new(max_idle: usize) -> Self {
        Self { idle: Mutex::new(Vec::new()), max_idle }
    }

    /// Runs `work` with a buffer of at least `blocks` KiB, whose contents may be left over from an earlier check.
    ///
    /// # Errors
    /// [`AllocationError`] when a buffer cannot be allocated or grown.
    pub(super) fn with_buffer<T>(
        &self,
        blocks: usize,
        work: impl FnOnce(&mut [Block]) -> T,
    ) -> Result<T, AllocationError> {
        let idle = self.idle.lock().pop().unwrap_or_default();
        let mut buffer = with_blocks(idle, blocks)?;
        let done = work(&mut buffer);
        let mut idle = self.idle.lock();
        if idle.len() < self.max_idle {
            idle.push(buffer);
        }
        Ok(done)
    }
}

/// Returns the buffer if it is large enough, else a new one; the small buffer is freed first.
fn with_blocks(buffer: Vec<Block>, blocks: usize) -> Result<Vec<Block>, AllocationError> {
    if buffer.len() >= blocks {
        return Ok(buffer);
    }
    drop(buffer);
    let mut larger = Vec::new();
    larger.try_reserve_exact(blocks).map_err(|_| AllocationError)?;
    larger.resize(blocks, Block::new());
    Ok(larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(memory: &Argon2BufferPool) -> Vec<usize> {
        memory.idle.lock().iter().map(Vec::len).collect()
    }

    #[test]
    fn a_buffer_is_reused_and_grows_on_demand() {
        let memory = Argon2BufferPool::new(4);
        assert!(sizes(&memory).is_empty());
        for (blocks, length) in [(8, 8), (8, 8), (16, 16), (4, 16)] {
            assert_eq!(memory.with_buffer(blocks, |buffer| buffer.len()), Ok(length));
            assert_eq!(sizes(&memory), [length]);
        }
    }

    #[test]
    fn idle_buffers_are_bounded() {
        let memory = Argon2BufferPool::new(2);
        let three = memory.with_buffer(1, |_| memory.with_buffer(2, |_| memory.with_buffer(3, |_| sizes(&memory))));
        assert_eq!(three, Ok(Ok(Ok(Vec::new()))));
        assert_eq!(sizes(&memory), [3, 2]);
    }

    #[test]
    fn an_impossible_allocation_is_an_error() {
        assert_eq!(Argon2BufferPool::new(1).with_buffer(usize::MAX, |_| ()), Err(AllocationError));
    }
}
