//! Books in Redis: each on one node, changed by scripts alone, and announced on a channel.

pub(super) mod codec;
mod feed;

use firmquote_domain::{BookEntry, PoolId, QuoteId, SwapState, Timestamp, U256};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{RedisStore, connection::Connection, reply::ScriptReply, scripts::ScriptCall, store::encode_error};
use crate::{BookChange, BookUpdate, BookVersion, Booking, BookingRefusal, StoreError, volume::WINDOW_SECONDS};
pub(super) use feed::BookFeed;

/// The largest lead of a replica's clock that is waited for: a larger tolerance means that clocks are not compared.
const MAX_LEAD_SECONDS: u32 = 60;
/// The number of changes that one call applies: a script keeps all other calls waiting, about 50 us for each.
const MAX_CHANGES_PER_CALL: usize = 256;

/// The number of calls with changes of one book at a time: more could exceed the timeout of the last of them.
const MAX_CONCURRENT_CALLS: usize = 8;

impl RedisStore {
    pub(super) async fn apply_changes(
        &self,
        pool: PoolId,
        changes: &[BookChange],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        // Some at a time, so that they wait together for the durability of their writes.
        let chunks = changes.chunks(MAX_CHANGES_PER_CALL);
        let calls: Vec<_> = chunks.map(|changes| self.apply_some_changes(pool, changes, now)).collect();
        stream::iter(calls).buffer_unordered(MAX_CONCURRENT_CALLS).try_collect().await
    }

    pub(super) async fn changes_since(
        &self,
        pool: PoolId,
        followed: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        let texts = [
            now.seconds().get().to_string(),
            followed.map(|version| version.epoch.to_string()).unwrap_or_default(),
            followed.map(|version| version.number.to_string()).unwrap_or_default(),
            self.books.name().to_owned(),
            self.prefix.book_channel(),
        ];
        let (seen_totals, window) = (self.totals.as_argument(pool), WINDOW_SECONDS.to_string());
        let mut arguments: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        arguments.extend([seen_totals.as_slice(), window.as_bytes()]);
        let keys = self.prefix.book_and_totals(pool);
        let names = keys.each_ref().map(String::as_str);
        let call =
            async |mut connection: Connection| connection.call(&self.scripts.read_book, &names, &arguments).await;
        let reply: ScriptReply = self.query(call).await?;
        let version = version(&reply, 0)?;
        self.books.follow(pool, version.epoch);
        if !seen_totals.is_empty() {
            self.totals.store(pool, reply.generation(reply.value(2)?)?);
        }
        let parts = reply.values().get(3..).unwrap_or_default();
        let [entries, ..] = keys;
        let unreadable = || StoreError::Unreadable { key: entries.clone() };
        match reply.status() {
            b"changes" => {
                let changes: Option<Vec<BookChange>> = parts.chunks(3).map(|parts| change(pool, parts)).collect();
                Ok(BookUpdate::Changes { version, changes: changes.ok_or_else(unreadable)? })
            }
            b"whole" => {
                let swaps: Option<Vec<BookEntry>> = parts.chunks(2).map(|parts| booked(pool, parts)).collect();
                Ok(BookUpdate::Snapshot { version, swaps: swaps.ok_or_else(unreadable)? })
            }
            _ => Err(reply.unexpected()),
        }
    }

    pub(super) async fn signing_delay_seconds(
        &self,
        pool: PoolId,
        max_lifetime_seconds: u32,
        _is_observed: bool,
        _now: Timestamp,
    ) -> Result<u32, StoreError> {
        let keys = self.prefix.book_and_totals(pool);
        let (names, lifetime) = (keys.each_ref().map(String::as_str), max_lifetime_seconds.to_string());
        let call = async |mut connection: Connection| {
            connection.call::<u32>(&self.scripts.signing_delay, &names, &[lifetime.as_bytes()]).await
        };
        self.query(call).await
    }

    /// Applies changes in one step.
    async fn apply_some_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        let mut arguments = vec![now.seconds().get().to_string().into_bytes(), self.followed_epoch(pool).into_bytes()];
        for change in changes {
            let (kind, value) = match change {
                BookChange::Entered(swap) => ("e", codec::encode(swap).map_err(encode_error)?),
                BookChange::State(_, state) => ("s", codec::encode_state(*state).to_vec()),
                BookChange::Removed(_) => ("r", Vec::new()),
            };
            arguments.extend([kind.into(), change.quote_id().to_string().into_bytes(), value]);
        }
        arguments.push(self.prefix.book_channel().into_bytes());
        let keys = self.prefix.book(pool);
        let names = keys.each_ref().map(String::as_str);
        let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
        self.write(&self.scripts.apply_changes, &names, &arguments).await
    }

    /// Keys and arguments of a booking.
    pub(super) fn booking_call(&self, booking: &Booking, now: Timestamp) -> Result<ScriptCall, StoreError> {
        let Booking { swap, max_inflow, max_outflow, version, limits, is_single_use, max_lifetime_seconds } = booking;
        let entry = BookEntry { swap: swap.clone(), state: SwapState::Outstanding };
        let entry = codec::encode(&entry).map_err(encode_error)?;
        // The wait is measured by the clock of Redis, the lifetime by that of a replica.
        let max_lead_seconds = u32::try_from(self.max_clock_skew.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX);
        let max_lifetime_seconds = max_lifetime_seconds.saturating_add(max_lead_seconds.min(MAX_LEAD_SECONDS));
        let [client_swaps, client_entries] =
            [limits.client_swaps, limits.client_entries].map(|limit| limit.unwrap_or(u32::MAX));
        let limit = |limit: Option<U256>| limit.map_or(codec::NO_LIMIT, codec::encode_amount);
        // The fields of `BOOKING` in `scripts/functions/enter.lua`.
        let terms = [
            &[now.seconds().get(), max_lifetime_seconds, client_swaps, client_entries].map(u32::to_be_bytes).concat()[..],
            &[u8::from(*is_single_use)],
            &codec::encode_block(swap.block),
            &codec::encode_amount(*max_inflow),
            &codec::encode_amount(*max_outflow),
            &limit(limits.pool_outflow),
            &limit(limits.client_outflow),
            &limit(limits.network_outflow),
            &limit(limits.client_inflow),
        ];
        let arguments = vec![
            swap.quote_id.to_string().into_bytes(),
            entry,
            terms.concat(),
            self.followed_epoch(swap.offer.pool).into_bytes(),
            version.map(|version| version.epoch.to_string()).unwrap_or_default().into_bytes(),
            version.map(|version| version.number.to_string()).unwrap_or_default().into_bytes(),
            self.prefix.book_channel().into_bytes(),
        ];
        Ok(ScriptCall { keys: self.prefix.book(swap.offer.pool).into(), arguments })
    }

    /// The epoch that this replica follows of the book of `pool`, as a script argument.
    fn followed_epoch(&self, pool: PoolId) -> String {
        self.books.followed(pool).map(|epoch| epoch.to_string()).unwrap_or_default()
    }
}

/// The refusal of a booking, from the reply of its script.
pub(super) fn booking_refusal(reply: &ScriptReply) -> Result<BookingRefusal, StoreError> {
    match reply.status() {
        b"moved" => Ok(BookingRefusal::Moved),
        b"equal" => Ok(BookingRefusal::EqualOffer),
        b"pool" => Ok(BookingRefusal::PoolLimit),
        b"client" => Ok(BookingRefusal::ClientLimit),
        b"wait" => Ok(BookingRefusal::Incomplete { retry_after_seconds: reply.number(0)? }),
        _ => Err(reply.unexpected()),
    }
}

fn change(pool: PoolId, parts: &[Vec<u8>]) -> Option<BookChange> {
    let [kind, id, value] = parts else { return None };
    match kind.as_slice() {
        b"e" => decoded(pool, id, value).map(BookChange::Entered),
        b"s" => Some(BookChange::State(quote_id(id)?, codec::decode_state(value)?)),
        b"r" => quote_id(id).map(BookChange::Removed),
        _ => None,
    }
}

fn booked(pool: PoolId, parts: &[Vec<u8>]) -> Option<BookEntry> {
    let [id, entry] = parts else { return None };
    decoded(pool, id, entry)
}

fn decoded(pool: PoolId, id: &[u8], entry: &[u8]) -> Option<BookEntry> {
    codec::decode(pool, quote_id(id)?, entry)
}

fn quote_id(text: &[u8]) -> Option<QuoteId> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// The version of a book: two values of `reply` from `position` on.
pub(super) fn version(reply: &ScriptReply, position: usize) -> Result<BookVersion, StoreError> {
    Ok(BookVersion { epoch: reply.number(position)?, number: reply.number(position + 1)? })
}
