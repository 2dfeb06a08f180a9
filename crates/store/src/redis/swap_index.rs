//! The signed swaps of a client in Redis: a sorted set of the ids of its quotes, whose scores are the microseconds of their
//! signatures, written with each signature.

use firmquote_domain::{Client, MAX_LIFETIME_SECONDS, QuoteId, SignedQuote, Timestamp};
use futures_util::future::try_join_all;
use redis::cmd;

use super::RedisStore;
use crate::{StoreError, SwapPage, SwapPosition, SwapRange};

impl RedisStore {
    /// The listing of a signed swap, as `scripts/functions/record.lua` reads it; empty for the anonymous client.
    pub(super) fn swap_listing(&self, signed: &SignedQuote) -> Vec<u8> {
        if signed.quote.client.name().is_none() {
            return Vec::new();
        }
        let signed_at = signed.signed_at;
        let forgotten = signed_at.minus_seconds(self.status_retention_seconds.saturating_add(2 * MAX_LIFETIME_SECONDS));
        let last = signed_at.seconds().saturating_add(MAX_LIFETIME_SECONDS);
        let numbers = [signed_at.as_micros(), forgotten.as_micros(), self.retained_until_ms(last)];
        [&signed.quote.id.as_bytes()[..], &numbers.map(u64::to_be_bytes).concat()].concat()
    }

    pub(super) async fn signed_swaps(
        &self,
        client: &Client,
        range: &SwapRange,
        now: Timestamp,
    ) -> Result<SwapPage, StoreError> {
        if client.name().is_none() {
            return Ok(SwapPage::default());
        }
        let positions = self.swap_positions(client, range).await?;
        let found = try_join_all(positions.iter().map(|position| self.find(position.quote_id, now))).await?;
        let swaps = found.into_iter().flatten().filter(|record| record.signed.is_some()).collect();
        Ok(SwapPage { swaps, next: positions.last().copied() })
    }

    /// Returns the first positions in `range`, as many as a page has.
    async fn swap_positions(&self, client: &Client, range: &SwapRange) -> Result<Vec<SwapPosition>, StoreError> {
        let (key, count) = (self.prefix.signed_swaps(client), range.page_size());
        let (mut positions, mut offset) = (Vec::with_capacity(count), 0);
        // Several swaps may have been signed in the microsecond after which the page starts.
        while positions.len() < count {
            let mut request = cmd("ZRANGEBYSCORE");
            request.arg(&key).arg(range.start().as_micros()).arg(format!("({}", range.until.as_micros()));
            request.arg("WITHSCORES").arg("LIMIT").arg(offset).arg(count);
            let page: Vec<(Vec<u8>, f64)> = self.query(async |mut connection| connection.run(&request).await).await?;
            offset += page.len();
            let is_last = page.len() < count;
            for (id, score) in page {
                let position = position(&id, score).ok_or_else(|| StoreError::Unreadable { key: key.clone() })?;
                if range.contains(position) && positions.len() < count {
                    positions.push(position);
                }
            }
            if is_last {
                break;
            }
        }
        Ok(positions)
    }
}

fn position(id: &[u8], score: f64) -> Option<SwapPosition> {
    // Whole microseconds until the year 2255 are exact.
    let micros = format!("{score:.0}").parse().ok()?;
    Some(SwapPosition { signed_at: Timestamp::from_micros(micros), quote_id: QuoteId::from_bytes(id.try_into().ok()?) })
}
