//! The levels that a request names, if they are live and apply to it.

use firmquote_domain::{Client, FirmLevels, LevelsId, PoolSpec, QuoteId, Timestamp};
use firmquote_store::{LevelBudget, LevelsLookup};

use super::LevelsRefusal;
use crate::{
    BookTerms, Desk, DeskError, QuoteRequest,
    quoting::directed_pair::{DirectedPair, directed_pairs},
};

/// Live levels of a request, with their pair and budget.
pub(super) struct LiveLevels<'a> {
    pub(super) directed_pair: DirectedPair<'a>,
    pub(super) levels: Box<FirmLevels>,
    pub(super) budget: LevelBudget,
    /// The `time_in_seconds` of the quote.
    pub(super) time_in_seconds: u32,
    pub(super) quote_id: QuoteId,
}

impl<'a> LiveLevels<'a> {
    /// Creates the levels of a request for a new quote.
    ///
    /// # Errors
    /// [`DeskError::NotAllowed`] for a longer time than that of the levels.
    pub(super) fn new(
        directed_pair: DirectedPair<'a>,
        request: &QuoteRequest<'_>,
        levels: Box<FirmLevels>,
    ) -> Result<Self, DeskError> {
        let spec = directed_pair.spec();
        let budget = LevelBudget { pool: spec.id, tokens: levels.tokens, client: request.client.clone() };
        let time_in_seconds = allowed_time(spec, request, levels.time_in_seconds)?;
        Ok(Self { directed_pair, levels, budget, time_in_seconds, quote_id: request.quote_id() })
    }

    /// Returns until when a quote of `now` can be accepted: not beyond the levels.
    pub(super) fn must_accept_by(&self, now: Timestamp) -> Timestamp {
        now.plus_seconds(self.directed_pair.spec().acceptance_window_seconds).min(self.levels.valid_until)
    }
}

impl Desk {
    /// Returns the levels that a request names.
    pub(super) async fn find_live_levels(
        &self,
        request: &QuoteRequest<'_>,
        id: LevelsId,
        now: Timestamp,
    ) -> Result<LiveLevels<'_>, DeskError> {
        if request.client == Client::Anonymous {
            let reason = "requires client credentials".to_owned();
            return Err(DeskError::NotAllowed { field: "levels_id", reason });
        }
        if self.client_terms(&request.client).is_some_and(|terms| !BookTerms::from(&*terms).is_standard()) {
            let reason = "is not valid for clients with a fee or limits of their own".to_owned();
            return Err(DeskError::NotAllowed { field: "levels_id", reason });
        }
        let pools = self.pools_of(request.chain_id, request.pool_address)?;
        let mut refusal = LevelsRefusal::Expired;
        // An iterator of closures, held while the store is awaited, would keep the future from being `Send`.
        let pairs: Vec<_> = directed_pairs(pools, [request.input, request.output])?.collect();
        for directed_pair in pairs {
            let pool = directed_pair.spec().id;
            match self.store.find_levels(pool, id, now).await.map_err(DeskError::from_store)? {
                LevelsLookup::Live(levels) if levels.tokens == directed_pair.tokens() => {
                    return LiveLevels::new(directed_pair, request, levels);
                }
                LevelsLookup::Live(_) => {
                    let reason = "belongs to a different pair or direction".to_owned();
                    return Err(DeskError::NotAllowed { field: "levels_id", reason });
                }
                LevelsLookup::Lost => refusal = LevelsRefusal::StoreLost,
                LevelsLookup::Expired => {}
            }
        }
        Err(DeskError::Levels(refusal))
    }
}

/// Returns the time of a quote: that of the levels, or a shorter one, which costs the pool no more.
fn allowed_time(spec: &PoolSpec, request: &QuoteRequest<'_>, max_time: u32) -> Result<u32, DeskError> {
    let time = request.time_in_seconds.unwrap_or(max_time);
    if (spec.min_time_in_seconds..=max_time).contains(&time) {
        return Ok(time);
    }
    let reason = format!("must be {} to {max_time} seconds for these levels", spec.min_time_in_seconds);
    Err(DeskError::NotAllowed { field: "time_in_seconds", reason })
}
