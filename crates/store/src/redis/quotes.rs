//! The implementation of [`QuoteStore`] on Redis. Most calls take one round trip.

use async_trait::async_trait;
use firmquote_domain::{
    Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp, is_expired, is_lapsed,
};
use redis::cmd;

use super::{
    RedisStore, codec,
    connection::Connection,
    record::{QuoteSource, parse_record},
    reply::ScriptReply,
    scripts::ScriptCall,
    store::{forgotten_at_ms, unencodable, unencodable_quote},
};
use crate::{
    ClaimOutcome, ClaimRefusal, CommitOutcome, Commitment, QuoteRecord, QuoteStore, SigningRecord, StoreError,
    VolumeCharge, VolumeOutcome,
};

#[async_trait]
impl QuoteStore for RedisStore {
    async fn insert(&self, quote: &Quote, _now: Timestamp) -> Result<(), StoreError> {
        // Rounded up to the next millisecond: Redis removes only quotes that are already expired in the domain.
        let until = quote.must_accept_by.as_micros().div_ceil(1_000);
        let (key, claimed_until) = (self.prefix.quote(quote.id), forgotten_at_ms(quote.good_until.expires_at()));
        self.query(async |mut connection: Connection| {
            let value =
                codec::encode_quote(quote, claimed_until, &connection.generation()).map_err(unencodable_quote)?;
            connection.insert(&self.scripts.insert, &key, &value, until).await
        })
        .await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        let keys = self.prefix.quote_keys(id);
        let names = [keys.quote.as_str(), &keys.record, &keys.outcome];
        let call = async |mut connection: Connection| connection.call(&self.scripts.find, &names, &[]).await;
        let reply: ScriptReply = self.query(call).await?;
        match reply.status() {
            b"unknown" => Ok(None),
            b"stored" => match codec::decode_quote(id, reply.value(0)?) {
                Some(quote) if is_expired(quote.must_accept_by, now) => Ok(None),
                Some(quote) => Ok(Some(QuoteRecord { quote, signed: None, outcome: None })),
                None => Err(StoreError::Unreadable { key: keys.quote }),
            },
            b"recorded" => {
                let signed = parse_record(id, reply.value(0)?, &keys)?.signed;
                let expires_at = signed.quote.good_until.expires_at();
                let forgotten_at = expires_at.saturating_add(self.status_retention_seconds);
                if is_lapsed(expires_at, now) && is_lapsed(forgotten_at, now) {
                    return Ok(None);
                }
                let outcome = match reply.values().get(1) {
                    None => None,
                    Some(outcome) => match codec::decode_outcome(outcome) {
                        None => return Err(StoreError::Unreadable { key: keys.outcome }),
                        outcome => outcome,
                    },
                };
                let record = SigningRecord::from(&signed);
                Ok(Some(QuoteRecord { quote: signed.quote, signed: Some(record), outcome }))
            }
            _ => Err(reply.unexpected()),
        }
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        let reply = self.read(&self.scripts.claim, &self.claim_call(id, client, terms, now)?).await?;
        self.claim_outcome(reply, id, client, terms, now).await
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        let keys = self.prefix.quote_keys(id);
        let terms = codec::encode_terms(terms).map_err(unencodable)?;
        let names = [keys.claim.as_str(), &keys.record];
        self.query(async |mut connection| connection.call(&self.scripts.release, &names, &[&terms]).await).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.write_record(&signed, QuoteSource::Claimed { is_in_ledger: false }, now).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.write_record(&signed, QuoteSource::QuoteAndSign, now).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write_outcome(swap, outcome, now).await
    }

    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        self.add_to_totals(charge, now).await
    }

    fn supports_commit(&self) -> bool {
        !self.ledger.is_elsewhere()
    }

    async fn commit(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<CommitOutcome, StoreError> {
        self.commit_atomically(commitment, now).await
    }

    fn has_clock(&self) -> bool {
        true
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        let probed = self.probe(now).await;
        self.explained(probed).await
    }
}

impl RedisStore {
    async fn probe(&self, now: Timestamp) -> Result<(), StoreError> {
        let key = self.prefix.probe();
        let time = async |mut connection: Connection| {
            connection.probe(&key).await?;
            connection.run::<(u64, u64)>(&cmd("TIME")).await
        };
        let (seconds, micros) = self.query(time).await?;
        self.privileges.prove(&self.connections, &self.prefix).await?;
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

    /// Keys and arguments of a claim.
    pub(super) fn claim_call(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ScriptCall, StoreError> {
        let keys = self.prefix.quote_keys(id);
        let bound = codec::encode_terms(terms).map_err(unencodable)?;
        let owner = codec::encode_client(client).map_err(unencodable)?;
        let [now_ms, max_lead_ms] = self.clock_and_max_lead_ms(now).map(|ms| ms.to_string().into_bytes());
        Ok(ScriptCall {
            keys: vec![keys.quote, keys.claim, keys.record],
            arguments: vec![bound, owner, now_ms, max_lead_ms],
        })
    }

    /// The outcome of a claim, from the reply of its script.
    pub(super) async fn claim_outcome(
        &self,
        reply: ScriptReply,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        let keys = self.prefix.quote_keys(id);
        match reply.status() {
            b"unknown" => Ok(ClaimOutcome::Refused(ClaimRefusal::Unknown)),
            b"client" => Ok(ClaimOutcome::Refused(ClaimRefusal::OtherClient)),
            b"terms" => Ok(ClaimOutcome::Refused(ClaimRefusal::OtherTerms)),
            b"granted" => match codec::decode_quote(id, reply.value(0)?) {
                Some(quote) if is_expired(quote.must_accept_by, now) => {
                    Ok(ClaimOutcome::Refused(ClaimRefusal::Unknown))
                }
                Some(quote) => Ok(ClaimOutcome::Granted(quote)),
                None => Err(StoreError::Unreadable { key: keys.quote }),
            },
            b"recorded" => self.claim_recorded(parse_record(id, reply.value(0)?, &keys)?, client, terms, now).await,
            _ => Err(reply.unexpected()),
        }
    }
}
