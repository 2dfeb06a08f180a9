//! Prices that the operator's own backend sends, for all replicas: posted on a board in Redis, and heard from there by
//! each, also by the one that was asked.

use std::sync::Arc;

use firmquote_config::{Config, PriceSourceConfig, StoreConfig};
use firmquote_desk::PriceDesk;
use firmquote_domain::{Clock, Symbol};
use firmquote_market::{
    PriceListener,
    push::{DirectBoard, PriceBoard},
};
use firmquote_store::redis::Board;

use super::shared_board::SharedBoard;
use crate::{Error, error::Context as _};

/// The name of the board: behind the prefix of all keys.
const NAME: &str = "prices";

/// The board that replicas share, if prices are sent and there is Redis to share it. It lives on the runtime that this is
/// called in, and may be opened while no server answers.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn board(config: &Config) -> Result<Option<Arc<Board>>, Error> {
    let is_pushed = config.prices.sources.iter().any(|source| matches!(source, PriceSourceConfig::Push(_)));
    match &config.store {
        StoreConfig::Redis(redis) if is_pushed => {
            let board = Board::connect(redis, NAME).await.context("store: cannot be used as it is configured")?;
            Ok(Some(Arc::new(board)))
        }
        _ => Ok(None),
    }
}

/// Takes the prices of `symbols` that are sent, and posts them on `board`, or, without one, tells them `ears` at once.
pub(super) fn price_desk(
    symbols: &[Symbol],
    board: Option<&Arc<Board>>,
    ears: Arc<dyn PriceListener>,
    clock: Arc<dyn Clock>,
) -> PriceDesk {
    let board: Arc<dyn PriceBoard> = match board {
        Some(board) => Arc::new(SharedBoard(Arc::clone(board))),
        None => Arc::new(DirectBoard::new(ears)),
    };
    PriceDesk { symbols: symbols.to_vec(), board, clock }
}
