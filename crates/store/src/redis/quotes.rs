//! The implementation of [`QuoteStore`] on Redis. Most calls take one round trip.

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, Terms, Timestamp, is_expired, is_lapsed};
use redis::cmd;

use super::{
    RedisStore, codec,
    connection::Connection,
    record::{Origin, decoded},
    store::{encoded, forgotten_at_ms, split_response, unencoded},
};
use crate::{ClaimOutcome, FoundQuote, QuoteStore, StoreError, VolumeCharge, VolumeOutcome};

#[async_trait]
impl QuoteStore for RedisStore {
    async fn insert(&self, quote: &Quote, _now: Timestamp) -> Result<(), StoreError> {
        // Rounded up to the next millisecond: Redis removes only quotes that are already expired in the domain.
        let until = quote.must_accept_by.as_micros().div_ceil(1_000);
        let key = self.prefix.quote(quote.id);
        self.query(async |mut connection: Connection| {
            let value =
                codec::encode_quote(quote, forgotten_at_ms(quote), &connection.generation()).map_err(unencoded)?;
            connection.insert(&self.scripts.insert, &key, &value, until).await
        })
        .await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<FoundQuote>, StoreError> {
        let keys = self.prefix.of_quote(id);
        let names = [keys.quote.as_str(), &keys.record];
        let call = async |mut connection: Connection| connection.call(&self.scripts.find, &names, &[]).await;
        let (word, value) = self.query(call).await.map(split_response)?;
        match (word.as_str(), value) {
            ("unknown", _) => Ok(None),
            ("stored", Some(value)) => match codec::decode_quote(id, &value) {
                Some(quote) => {
                    Ok((!is_expired(quote.must_accept_by, now)).then_some(FoundQuote { quote, terms: None }))
                }
                None => Err(StoreError::Unreadable { key: keys.quote }),
            },
            ("recorded", Some(value)) => {
                let SignedQuote { quote, terms, .. } = decoded(id, &value, &keys)?.signed;
                let is_live = !is_lapsed(quote.good_until.expires_at(), now);
                Ok(is_live.then_some(FoundQuote { quote, terms: Some(terms) }))
            }
            (word, _) => Err(StoreError::Unavailable(format!("Redis answered {word:?} to a read").into())),
        }
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        let keys = self.prefix.of_quote(id);
        let (bound, owner) = (encoded(codec::encode_terms(terms))?, encoded(codec::encode_client(client))?);
        let names = [keys.quote.as_str(), &keys.claim, &keys.record];
        let [now_ms, max_ahead_ms] = self.clock_arguments(now);
        let arguments: [&[u8]; 4] = [&bound, &owner, now_ms.as_bytes(), max_ahead_ms.as_bytes()];
        let call = async |mut connection: Connection| connection.call(&self.scripts.claim, &names, &arguments).await;
        let (word, value) = self.query(call).await.map(split_response)?;
        match (word.as_str(), value) {
            ("unknown", _) => Ok(ClaimOutcome::Unknown),
            ("client", _) => Ok(ClaimOutcome::AnotherClients),
            ("terms", _) => Ok(ClaimOutcome::OtherTerms),
            ("granted", Some(value)) => match codec::decode_quote(id, &value) {
                Some(quote) if is_expired(quote.must_accept_by, now) => Ok(ClaimOutcome::Unknown),
                Some(quote) => Ok(ClaimOutcome::Granted(quote)),
                None => Err(StoreError::Unreadable { key: keys.quote }),
            },
            ("recorded", Some(value)) => self.claim_recorded(decoded(id, &value, &keys)?, client, terms, now).await,
            (word, _) => Err(StoreError::Unavailable(format!("Redis answered {word:?} to a claim").into())),
        }
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        let keys = self.prefix.of_quote(id);
        let terms = encoded(codec::encode_terms(terms))?;
        let names = [keys.claim.as_str(), &keys.record];
        self.query(async |mut connection| connection.call(&self.scripts.release, &names, &[&terms]).await).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.write_record(&signed, Origin::Claimed { is_in_ledger: false }, now).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.write_record(&signed, Origin::QuoteAndSign, now).await
    }

    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        self.add_to_totals(charge, now).await
    }

    fn has_clock(&self) -> bool {
        true
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        let key = self.prefix.probe();
        let time = async |mut connection: Connection| {
            connection.probe(&key).await?;
            connection.run::<(u64, u64)>(&cmd("TIME")).await
        };
        let (seconds, micros) = self.query(time).await?;
        if let Some(writer) = &self.durable {
            writer
                .connection()
                .query(self.timeout, async |mut connection: Connection| connection.probe(&key).await)
                .await?;
        }
        let skew_us = i128::from(now.as_micros()) - i128::from(seconds) * 1_000_000 - i128::from(micros);
        // One millisecond of tolerance for the time the response took, during which the clock of Redis advanced.
        if skew_us.unsigned_abs() > self.max_clock_skew.as_micros() + 1_000 {
            return Err(StoreError::ClockSkew { skew_ms: i64::try_from(skew_us / 1_000).unwrap_or(i64::MAX) });
        }
        Ok(())
    }
}
