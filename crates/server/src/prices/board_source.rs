//! Hearing the prices that were posted for all replicas, whoever posted them.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use firmquote_domain::Symbol;
use firmquote_market::{PriceListener, PriceSource, SourceError, push::BoardReader};
use firmquote_store::redis::{Board, Posted};

/// Tells what stands on a board, and what is posted there, until the subscription is lost.
pub(crate) struct BoardSource {
    board: Arc<Board>,
    name: String,
    reader: BoardReader,
    /// Whether something that names no asset was told to the log: such a writer seldom stops.
    has_complained: AtomicBool,
}

impl BoardSource {
    /// Follows `board` for the prices of `symbols`.
    pub(crate) fn new(board: Arc<Board>, symbols: &[Symbol]) -> Self {
        let name = format!("push {}", board.name());
        Self { board, name, reader: BoardReader::new(symbols), has_complained: AtomicBool::new(false) }
    }

    fn tell(&self, posted: &Posted, listener: &dyn PriceListener) {
        match posted {
            Posted::Message(message) => {
                if let Err(error) = self.reader.tell_message(message, listener) {
                    self.complain(&error.to_string());
                }
            }
            Posted::Entry { field, value } => {
                match str::from_utf8(field).ok().and_then(|text| Symbol::new(text).ok()) {
                    Some(symbol) => self.reader.tell_entry(&symbol, value, listener),
                    None => self.complain("an entry of the hash is stored under what is no symbol"),
                }
            }
        }
    }

    /// Once; nothing of what was written is repeated.
    fn complain(&self, error: &str) {
        if !self.has_complained.swap(true, Ordering::Relaxed) {
            let source = self.name();
            tracing::warn!(source, error, "something that names no asset was posted as a price; said once");
        }
    }
}

#[async_trait]
impl PriceSource for BoardSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        let Err(error) = self.board.follow(|posted| self.tell(&posted, listener)).await;
        SourceError::Gone(error.into())
    }
}
