//! A snapshot of books, as JSON.

use std::sync::Arc;

use firmquote_api as api;
use firmquote_desk::{Desk, LevelBookKey, LevelState};
use firmquote_domain::ChainId;

use super::{
    hub::LevelHub,
    request::{LevelsInput, RequestedLevelBook},
    topic::PublishedLevelBook,
};
use crate::error::ApiError;

/// Returns the JSON of the current publication of `books`, which `input` selects.
///
/// # Errors
/// [`ApiError::ConcurrencyLimited`] if too many custom books are read.
pub(crate) async fn read_snapshot(
    hub: &LevelHub,
    desk: &Desk,
    books: Vec<RequestedLevelBook>,
    input: &LevelsInput,
) -> Result<Vec<u8>, ApiError> {
    let published = hub.read(desk, books).await?;
    encode(input.chain_id, &published, input).map_err(|error| ApiError::Internal(error.to_string()))
}

fn encode(
    chain_id: ChainId,
    published: &[(LevelBookKey, Arc<PublishedLevelBook>)],
    input: &LevelsInput,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut json = format!("{{\"chain_id\":{chain_id},\"books\":[").into_bytes();
    let mut is_first = true;
    for (_, book) in published {
        if let Some(members) = book.members(input.format)? {
            json.extend_from_slice(if is_first { b"{" } else { b",{" });
            json.extend_from_slice(&members);
            json.push(b'}');
            is_first = false;
        }
    }
    json.extend_from_slice(b"],\"withdrawn\":");
    let withdrawn = published.iter().filter_map(|(key, book)| match &book.state {
        LevelState::Live(..) => None,
        LevelState::Withdrawn(reason) => Some(api::WithdrawnLevels {
            pool_address: key.pool.address.into(),
            input_asset_symbol: key.input.clone().into(),
            output_asset_symbol: key.output.clone().into(),
            reason: reason.name().into(),
        }),
    });
    serde_json::to_writer(&mut json, &withdrawn.collect::<Vec<_>>())?;
    json.push(b'}');
    Ok(json)
}
