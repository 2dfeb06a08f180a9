//! Quotes in Redis, and the records that replace them once they are signed. Most calls take one round trip.

use firmquote_domain::{
    Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp, is_expired, is_lapsed,
};

use super::{
    RedisStore, codec,
    connection::Connection,
    keys::QuoteKeys,
    reply::ScriptReply,
    scripts::ScriptCall,
    store::{encode_error, forgotten_at_ms, quote_encode_error},
};
use crate::{OpenOutcome, QuoteRecord, QuoteRefusal, SigningRecord, StoreError, ledger};

/// A signature on record.
pub(super) struct SignatureRecord(SignedQuote);

impl SignatureRecord {
    pub(super) fn parse(id: QuoteId, record: &[u8], keys: &QuoteKeys) -> Result<Self, StoreError> {
        codec::decode_record(id, record).map(Self).ok_or_else(|| StoreError::Unreadable { key: keys.record.clone() })
    }

    /// Returns the signature, if it is of this client and for these terms, and may still be executed.
    pub(super) fn signed_for(
        self,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<SignedQuote, QuoteRefusal> {
        let Self(signed) = self;
        if is_lapsed(signed.quote.good_until.expires_at(), now) {
            Err(QuoteRefusal::Unknown)
        } else if signed.quote.client != *client {
            Err(QuoteRefusal::OtherClient)
        } else if signed.terms != *terms {
            Err(QuoteRefusal::OtherTerms)
        } else {
            Ok(signed)
        }
    }
}

impl RedisStore {
    pub(super) async fn insert(&self, quote: &Quote, _now: Timestamp) -> Result<(), StoreError> {
        // Rounded up to the next millisecond: Redis removes only quotes that are already expired in the domain.
        let until = quote.must_accept_by.as_micros().div_ceil(1_000);
        let (key, claimed_until) = (self.prefix.quote(quote.id), forgotten_at_ms(quote.good_until.expires_at()));
        let inserted = self.query(async |mut connection: Connection| {
            let value =
                codec::encode_quote(quote, claimed_until, &connection.generation()).map_err(quote_encode_error)?;
            connection.insert(&self.scripts.insert, &key, &value, until).await
        });
        inserted.await?;
        self.recent.insert(quote);
        Ok(())
    }

    pub(super) async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        let keys = self.prefix.quote_keys(id);
        let names = [keys.quote.as_str(), &keys.record, &keys.outcome];
        let call = async |mut connection: Connection| connection.call(&self.scripts.find, &names, &[]).await;
        let reply: ScriptReply = self.query(call).await?;
        match reply.status() {
            b"unknown" => Ok(None),
            b"stored" => {
                let quote = parse_quote(id, reply.value(0)?, &keys)?;
                let is_live = !is_expired(quote.must_accept_by, now);
                Ok(is_live.then_some(QuoteRecord { quote, signed: None, outcome: None }))
            }
            b"recorded" => {
                let SignatureRecord(signed) = SignatureRecord::parse(id, reply.value(0)?, &keys)?;
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

    /// Returns a quote to be signed, from the memory of this process if it is there.
    pub(super) async fn open(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<OpenOutcome, StoreError> {
        if let Some(quote) = self.recent.take(id, client, now) {
            return Ok(OpenOutcome::Unsigned(quote));
        }
        let keys = self.prefix.quote_keys(id);
        let [now_ms, max_lead_ms] = self.clock_and_max_lead_ms(now).map(|ms| ms.to_string().into_bytes());
        let mut call = ScriptCall {
            keys: vec![keys.quote.clone(), keys.claim.clone(), keys.record.clone()],
            arguments: vec![
                codec::encode_terms(terms).map_err(encode_error)?,
                codec::encode_client(client).map_err(encode_error)?,
                now_ms,
                max_lead_ms,
                b"0".to_vec(),
            ],
        };
        let recorded = |reply: &ScriptReply| -> Result<OpenOutcome, StoreError> {
            let recorded = SignatureRecord::parse(id, reply.value(0)?, &keys)?.signed_for(client, terms, now);
            Ok(recorded.map_or_else(OpenOutcome::Refused, OpenOutcome::Signed))
        };
        let reply: ScriptReply = self.read(&self.scripts.open, &call).await?;
        match reply.status() {
            b"unsigned" => {
                let quote = parse_quote(id, reply.value(0)?, &keys)?;
                let is_live = !is_expired(quote.must_accept_by, now);
                Ok(if is_live { OpenOutcome::Unsigned(quote) } else { OpenOutcome::Refused(QuoteRefusal::Unknown) })
            }
            b"recorded" => match recorded(&reply)? {
                OpenOutcome::Signed(_) if self.durable.is_some() => {
                    // The attempt that recorded it may have ended before its record reached the replicas.
                    if let Some(rewrites) = call.arguments.last_mut() {
                        *rewrites = b"1".to_vec();
                    }
                    recorded(&self.write_call(&self.scripts.open, &call).await?)
                }
                outcome => Ok(outcome),
            },
            _ => quote_refusal(&reply).map(OpenOutcome::Refused),
        }
    }

    /// Writes how a signed swap ended, and a ledger entry if that is new.
    pub(super) async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let keys = self.prefix.quote_keys(swap.quote_id);
        let value = outcome.as_ref().map(codec::encode_outcome).transpose().map_err(encode_error)?.unwrap_or_default();
        let line = ledger::outcome_line(swap, outcome, now).map_err(encode_error)?;
        let until = self.retained_until_ms(swap.offer.good_until.expires_at()).to_string();
        let max_age = self.ledger.max_age_ms().to_string();
        let arguments = [value.as_slice(), until.as_bytes(), line.as_bytes(), max_age.as_bytes()];
        self.write(&self.scripts.outcome, &[&keys.outcome, self.ledger.key()], &arguments).await
    }
}

/// Why a quote cannot be signed, from the reply of a script.
pub(super) fn quote_refusal(reply: &ScriptReply) -> Result<QuoteRefusal, StoreError> {
    match reply.status() {
        b"unknown" => Ok(QuoteRefusal::Unknown),
        b"client" => Ok(QuoteRefusal::OtherClient),
        b"terms" => Ok(QuoteRefusal::OtherTerms),
        _ => Err(reply.unexpected()),
    }
}

fn parse_quote(id: QuoteId, value: &[u8], keys: &QuoteKeys) -> Result<Quote, StoreError> {
    codec::decode_quote(id, value).ok_or_else(|| StoreError::Unreadable { key: keys.quote.clone() })
}
