//! Records of signatures: written together with their ledger entry, and as durably as configured.

use firmquote_domain::{Client, QuoteId, SignedQuote, Terms, Timestamp, is_lapsed};
use redis::RedisResult;

use super::{
    RedisStore,
    codec::{self, StoredRecord},
    keys::QuoteKeys,
    store::{encoded, forgotten_at_ms, split_response, unencodable},
};
use crate::{ClaimOutcome, StoreError, ledger};

/// The origin of a signature to be recorded.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// Its quote was claimed.
    Claimed {
        /// Whether a record marked as present in the ledger was seen.
        is_in_ledger: bool,
    },
    /// Its quote was created and signed in one step.
    QuoteAndSign,
}

impl RedisStore {
    /// Returns the outcome of a claim on a quote whose signature is already recorded.
    pub(super) async fn claim_recorded(
        &self,
        recorded: StoredRecord,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        let StoredRecord { signed, is_in_ledger } = recorded;
        if is_lapsed(signed.quote.good_until.expires_at(), now) {
            return Ok(ClaimOutcome::Unknown);
        }
        if signed.quote.client != *client {
            return Ok(ClaimOutcome::AnotherClients);
        }
        if signed.terms != *terms {
            return Ok(ClaimOutcome::OtherTerms);
        }
        // The attempt that recorded it may have ended before it reached the ledger or the replicas.
        if is_in_ledger && self.durable.is_none() {
            return Ok(ClaimOutcome::Signed(signed));
        }
        match self.write_record(&signed, Origin::Claimed { is_in_ledger }, now).await {
            Ok(signed) => Ok(ClaimOutcome::Signed(signed)),
            Err(StoreError::Unclaimed) => Ok(ClaimOutcome::Unknown),
            Err(StoreError::OtherTerms) => Ok(ClaimOutcome::OtherTerms),
            Err(error) => Err(error),
        }
    }

    /// Writes `signed` to its record and to the ledger, usually in one round trip, and returns the signature that may
    /// leave the service: `signed`, or the one already on record.
    pub(super) async fn write_record(
        &self,
        signed: &SignedQuote,
        origin: Origin,
        now: Timestamp,
    ) -> Result<SignedQuote, StoreError> {
        let keys = self.prefix.of_quote(signed.quote.id);
        let line = ledger::line(signed, now).map_err(unencodable)?;
        if !self.ledger.is_elsewhere() {
            return Ok(self.record_with(&keys, signed, origin, Some(&line), now).await?.signed);
        }
        if let Origin::Claimed { is_in_ledger: true } = origin {
            let recorded = self.record_with(&keys, signed, origin, None, now).await?;
            if recorded.is_in_ledger {
                return Ok(recorded.signed);
            }
        }
        // Both at once; a signature that is recorded but not in the ledger does not leave the service.
        let (recorded, appended) = tokio::join!(self.record_with(&keys, signed, origin, None, now), self.append(&line));
        appended?;
        let recorded = recorded?;
        self.mark_in_ledger(keys.record);
        Ok(recorded.signed)
    }

    /// Runs the script; `line` is the ledger entry if the ledger is on the same node.
    async fn record_with(
        &self,
        keys: &QuoteKeys,
        signed: &SignedQuote,
        origin: Origin,
        line: Option<&str>,
        now: Timestamp,
    ) -> Result<StoredRecord, StoreError> {
        let terms = encoded(codec::encode_terms(&signed.terms))?;
        let record = encoded(codec::encode_record(signed, line.is_some()))?;
        let until = forgotten_at_ms(&signed.quote) + u64::from(self.record_retention_seconds) * 1_000;
        let (until, max_age) = (until.to_string(), self.ledger.max_age_ms().to_string());
        let rewrite: &[u8] = if self.durable.is_some() { b"1" } else { b"0" };
        let entry = line.unwrap_or_default();
        let never_stored: &[u8] = if matches!(origin, Origin::QuoteAndSign) { b"1" } else { b"0" };
        let [now_ms, max_ahead_ms] = self.clock_arguments(now);
        let arguments: [&[u8]; 9] = [
            &terms,
            &record,
            until.as_bytes(),
            rewrite,
            entry.as_bytes(),
            max_age.as_bytes(),
            never_stored,
            now_ms.as_bytes(),
            max_ahead_ms.as_bytes(),
        ];
        let mut names = vec![keys.quote.as_str(), &keys.claim, &keys.record];
        names.extend(line.map(|_| self.ledger.key()));
        let (word, value) = self.write(&self.scripts.record, &names, &arguments).await.map(split_response)?;
        let stored = match (word.as_str(), value) {
            ("written", _) => return Ok(StoredRecord { signed: signed.clone(), is_in_ledger: line.is_some() }),
            ("recorded", Some(stored)) => stored,
            ("unknown", _) => return Err(StoreError::Unclaimed),
            ("terms", _) => return Err(StoreError::OtherTerms),
            (word, _) => return Err(StoreError::Unavailable(format!("Redis answered {word:?} to a record").into())),
        };
        let recorded = decoded(signed.quote.id, &stored, keys)?;
        // The existing record may be for other terms that were requested from another replica.
        if recorded.signed.terms == signed.terms { Ok(recorded) } else { Err(StoreError::OtherTerms) }
    }

    async fn append(&self, line: &str) -> Result<(), StoreError> {
        let max_age = self.ledger.max_age_ms().to_string();
        self.write(&self.scripts.append, &[self.ledger.key()], &[line.as_bytes(), max_age.as_bytes()]).await
    }

    /// Marks a record as present in the ledger, without waiting: if the mark is lost, the next request for the
    /// signature appends it once more.
    fn mark_in_ledger(&self, key: String) {
        let Ok(mut connection) = self.connections.connection() else { return };
        let call = self.scripts.mark.call(&[&key], &[]);
        let eval = self.scripts.mark.eval(&[&key], &[]);
        tokio::spawn(async move {
            let marked: RedisResult<()> = connection.run(&call).await;
            if marked.is_err() {
                let marked: RedisResult<()> = connection.run(&eval).await;
                if let Err(error) = marked {
                    tracing::debug!(%error, key, "failed to mark a record as present in the ledger");
                }
            }
        });
    }
}

pub(super) fn decoded(id: QuoteId, record: &[u8], keys: &QuoteKeys) -> Result<StoredRecord, StoreError> {
    codec::decode_record(id, record).ok_or_else(|| StoreError::Unreadable { key: keys.record.clone() })
}
