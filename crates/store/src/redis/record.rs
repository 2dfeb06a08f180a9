//! Records of signatures: written together with their ledger entry, and as durably as configured.

use firmquote_domain::{Client, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp, is_lapsed};
use redis::{RedisResult, cmd};

use super::{
    RedisStore,
    codec::{self, StoredRecord},
    connection::Connection,
    keys::QuoteKeys,
    reply::ScriptReply,
    scripts::ScriptCall,
    store::unencodable,
};
use crate::{ClaimOutcome, ClaimRefusal, StoreError, ledger};

/// Where the quote of a signature to be recorded comes from.
#[derive(Clone, Copy)]
pub(super) enum QuoteSource {
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
            return Ok(ClaimOutcome::Refused(ClaimRefusal::Unknown));
        }
        if signed.quote.client != *client {
            return Ok(ClaimOutcome::Refused(ClaimRefusal::OtherClient));
        }
        if signed.terms != *terms {
            return Ok(ClaimOutcome::Refused(ClaimRefusal::OtherTerms));
        }
        // The attempt that recorded it may have ended before it reached the ledger or the replicas.
        if is_in_ledger && self.durable.is_none() {
            return Ok(ClaimOutcome::Signed(signed));
        }
        match self.write_record(&signed, QuoteSource::Claimed { is_in_ledger }, now).await {
            Ok(signed) => Ok(ClaimOutcome::Signed(signed)),
            Err(StoreError::Unclaimed) => Ok(ClaimOutcome::Refused(ClaimRefusal::Unknown)),
            Err(StoreError::OtherTerms) => Ok(ClaimOutcome::Refused(ClaimRefusal::OtherTerms)),
            Err(error) => Err(error),
        }
    }

    /// Writes `signed` to its record and to the ledger, usually in one round trip, and returns the signature that may
    /// leave the service: `signed`, or the one already on record.
    pub(super) async fn write_record(
        &self,
        signed: &SignedQuote,
        source: QuoteSource,
        now: Timestamp,
    ) -> Result<SignedQuote, StoreError> {
        let keys = self.prefix.quote_keys(signed.quote.id);
        let line = ledger::line(signed).map_err(unencodable)?;
        if !self.ledger.is_elsewhere() {
            return Ok(self.record_with(&keys, signed, source, Some(&line), now).await?.signed);
        }
        if let QuoteSource::Claimed { is_in_ledger: true } = source {
            let recorded = self.record_with(&keys, signed, source, None, now).await?;
            if recorded.is_in_ledger {
                return Ok(recorded.signed);
            }
        }
        // Both at once; a signature that is recorded but not in the ledger does not leave the service.
        let (recorded, appended) = tokio::join!(self.record_with(&keys, signed, source, None, now), self.append(&line));
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
        source: QuoteSource,
        line: Option<&str>,
        now: Timestamp,
    ) -> Result<StoredRecord, StoreError> {
        let call = self.record_call(keys, signed, source, line, now)?;
        let reply = self.write_call(&self.scripts.record, &call).await?;
        record_from_reply(&reply, signed, line.is_some(), keys)
    }

    /// Keys and arguments of a record.
    pub(super) fn record_call(
        &self,
        keys: &QuoteKeys,
        signed: &SignedQuote,
        source: QuoteSource,
        line: Option<&str>,
        now: Timestamp,
    ) -> Result<ScriptCall, StoreError> {
        let until = self.retained_until_ms(signed.quote.good_until.expires_at());
        let [now_ms, max_lead_ms] = self.clock_and_max_lead_ms(now);
        let needs_no_claim = matches!(source, QuoteSource::QuoteAndSign);
        // The fields of `RECORDING` in `scripts/functions/record.lua`.
        let recording = [
            &[now_ms, max_lead_ms, self.ledger.max_age_ms()].map(u64::to_be_bytes).concat()[..],
            &[u8::from(self.durable.is_some()), u8::from(needs_no_claim)],
        ];
        let mut call = ScriptCall {
            keys: vec![keys.quote.clone(), keys.claim.clone(), keys.record.clone()],
            arguments: vec![
                codec::encode_terms(&signed.terms).map_err(unencodable)?,
                codec::encode_record(signed, line.is_some()).map_err(unencodable)?,
                until.to_string().into_bytes(),
                line.unwrap_or_default().as_bytes().to_vec(),
                recording.concat(),
            ],
        };
        call.keys.extend(line.map(|_| self.ledger.key().to_owned()));
        Ok(call)
    }

    /// Writes how a signed swap ended, and a ledger entry if that is new.
    pub(super) async fn write_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let keys = self.prefix.quote_keys(swap.quote_id);
        let value = outcome.as_ref().map(codec::encode_outcome).transpose().map_err(unencodable)?.unwrap_or_default();
        let line = ledger::outcome_line(swap, outcome, now).map_err(unencodable)?;
        let until = self.retained_until_ms(swap.offer.good_until.expires_at()).to_string();
        let max_age = self.ledger.max_age_ms().to_string();
        if self.ledger.is_elsewhere() {
            let get = async |mut connection: Connection| connection.run(cmd("GET").arg(&keys.outcome)).await;
            let stored: Option<Vec<u8>> = self.query(get).await?;
            if stored.unwrap_or_default() == value {
                return Ok(());
            }
            self.append(&line).await?;
        }
        let mut names = vec![keys.outcome.as_str()];
        names.extend((!self.ledger.is_elsewhere()).then(|| self.ledger.key()));
        let arguments = [value.as_slice(), until.as_bytes(), line.as_bytes(), max_age.as_bytes()];
        self.write(&self.scripts.outcome, &names, &arguments).await
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
                    tracing::debug!(%error, key, "cannot mark a record as present in the ledger");
                }
            }
        });
    }
}

/// Returns what is on record, from the reply of the script.
pub(super) fn record_from_reply(
    reply: &ScriptReply,
    signed: &SignedQuote,
    is_in_ledger: bool,
    keys: &QuoteKeys,
) -> Result<StoredRecord, StoreError> {
    let stored = match reply.status() {
        b"written" => return Ok(StoredRecord { signed: signed.clone(), is_in_ledger }),
        b"recorded" => reply.value(0)?,
        b"unknown" => return Err(StoreError::Unclaimed),
        b"terms" => return Err(StoreError::OtherTerms),
        _ => return Err(reply.unexpected()),
    };
    let recorded = parse_record(signed.quote.id, stored, keys)?;
    // The existing record may be for other terms that were requested from another replica.
    if recorded.signed.terms == signed.terms { Ok(recorded) } else { Err(StoreError::OtherTerms) }
}

pub(super) fn parse_record(id: QuoteId, record: &[u8], keys: &QuoteKeys) -> Result<StoredRecord, StoreError> {
    codec::decode_record(id, record).ok_or_else(|| StoreError::Unreadable { key: keys.record.clone() })
}
