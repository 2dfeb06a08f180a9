//! A snapshot of books, as JSON with an entity tag.

use std::sync::Arc;

use actix_web::web::Bytes;
use alloy_primitives::hex;
use firmquote_desk::{Desk, LevelBookKey, LevelState};
use firmquote_domain::ChainId;
use sha2::{Digest as _, Sha256};

use super::{
    hub::LevelHub,
    request::{LevelsInput, RequestedBook},
    topic::PublishedBook,
};
use crate::error::ApiError;

/// The JSON of a snapshot.
pub(crate) struct LevelsSnapshot {
    /// The body.
    pub(crate) json: Bytes,
    /// Identifies the body among all snapshots.
    pub(crate) tag: String,
}

impl LevelsSnapshot {
    /// Returns the current publication of `books`, which `input` selects.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if too many custom books are read.
    pub(crate) async fn read(
        hub: &LevelHub,
        desk: &Desk,
        books: Vec<RequestedBook>,
        input: &LevelsInput,
    ) -> Result<Self, ApiError> {
        let published = hub.read(desk, books).await?;
        let json = encode(input.chain_id, &published, input).map_err(|error| ApiError::Internal(error.to_string()))?;
        let tag = Sha256::digest(&json).iter().take(16).copied().collect::<Vec<_>>();
        Ok(Self { json: json.into(), tag: hex::encode(tag) })
    }
}

fn encode(
    chain_id: ChainId,
    published: &[(LevelBookKey, Arc<PublishedBook>)],
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
        LevelState::Withdrawn(reason) => Some(serde_json::json!({
            "pool_address": key.pool.address.to_string(),
            "input_asset_symbol": key.input.as_str(),
            "output_asset_symbol": key.output.as_str(),
            "reason": reason.name(),
        })),
    });
    serde_json::to_writer(&mut json, &withdrawn.collect::<Vec<_>>())?;
    json.push(b'}');
    Ok(json)
}
