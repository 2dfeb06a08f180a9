//! Preparing and committing signatures: one script does all that a signature writes.

use firmquote_domain::{SignedQuote, Timestamp};

use super::{
    RedisStore,
    book::{booking_refusal, version},
    codec,
    quotes::{SignatureRecord, quote_refusal},
    reply::ScriptReply,
    scripts::ScriptCall,
    store::encode_error,
};
use crate::{
    CommitOutcome, CommitRefusal, Commitment, PrepareOutcome, QuoteRefusal, ReservationExtension, StoreError, ledger,
};

impl RedisStore {
    pub(super) async fn prepare(
        &self,
        commitment: &Commitment<'_>,
        now: Timestamp,
    ) -> Result<PrepareOutcome, StoreError> {
        let call = self.commit_call(commitment, None, now)?;
        self.privileges.require(&self.connections, &self.prefix).await?;
        // Nothing depends on a claim that is lost: the generation of its quote is over then.
        let mut reply: ScriptReply = self.read(&self.scripts.commit, &call).await?;
        if reply.status() == b"recorded" && self.durable.is_some() && self.recorded(&reply, commitment, now)?.is_ok() {
            // The attempt that recorded it may have ended before its record reached the replicas.
            reply = self.write_call(&self.scripts.commit, &call).await?;
        }
        Ok(match (reply.status(), self.refusal(&reply, commitment, now)?) {
            (b"bound", _) => PrepareOutcome::Prepared,
            (b"recorded", _) => match self.recorded(&reply, commitment, now)? {
                Ok(signed) => PrepareOutcome::AlreadySigned(signed.into()),
                Err(refusal) => PrepareOutcome::Refused(CommitRefusal::Quote(refusal)),
            },
            (_, Some(refusal)) => PrepareOutcome::Refused(refusal),
            _ => return Err(reply.unexpected()),
        })
    }

    pub(super) async fn commit(
        &self,
        commitment: &Commitment<'_>,
        signed: SignedQuote,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError> {
        let call = self.commit_call(commitment, Some(&signed), now)?;
        let reply: ScriptReply = self.write_call(&self.scripts.commit, &call).await?;
        Ok(match (reply.status(), self.refusal(&reply, commitment, now)?) {
            (b"done", _) => {
                let (generation, is_new) = (reply.value(0)?, !reply.value(2)?.is_empty());
                if !generation.is_empty() {
                    self.totals.store(commitment.quote.pool, reply.generation(generation)?);
                }
                let version = is_new.then(|| version(&reply, 1)).transpose()?;
                CommitOutcome::Recorded { signed, version }
            }
            (b"recorded", _) => match self.recorded(&reply, commitment, now)? {
                Ok(signed) => CommitOutcome::AlreadySigned(signed),
                Err(refusal) => CommitOutcome::Refused(CommitRefusal::Quote(refusal)),
            },
            (_, Some(refusal)) => CommitOutcome::Refused(refusal),
            _ => return Err(reply.unexpected()),
        })
    }

    /// Keys and arguments of `commit.lua`; without a signature, it only binds the quote.
    fn commit_call(
        &self,
        commitment: &Commitment<'_>,
        signed: Option<&SignedQuote>,
        now: Timestamp,
    ) -> Result<ScriptCall, StoreError> {
        let Commitment { quote, terms, is_quote_stored, booking, charge, extension } = *commitment;
        let keys = self.prefix.quote_keys(quote.id);
        let booking = self.booking_call(booking, now)?;
        let charging = charge.and_then(|charge| self.charge_call(charge, now)).unwrap_or_default();
        // Rounded down: in no part of this millisecond is it too late.
        let deadline_ms = quote.must_accept_by.as_micros() / 1_000;
        let reserved_until_ms =
            extension.map_or(0, |ReservationExtension { until, .. }| until.as_micros().div_ceil(1_000));
        let [now_ms, max_lead_ms] = self.clock_and_max_lead_ms(now);
        // The fields of `COMMITMENT` in `scripts/commit.lua`.
        let numbers = [deadline_ms, reserved_until_ms, now_ms, max_lead_ms, self.ledger.max_age_ms()];
        let flags = [is_quote_stored, signed.is_none(), self.durable.is_some()].map(u8::from);
        let (record, line) = match signed {
            None => (Vec::new(), String::new()),
            Some(signed) => {
                (codec::encode_record(signed).map_err(encode_error)?, ledger::line(signed).map_err(encode_error)?)
            }
        };
        let mut call = ScriptCall {
            keys: vec![
                keys.quote,
                keys.claim,
                keys.record,
                self.ledger.key().to_owned(),
                self.prefix.paused(),
                self.prefix.signed_swaps(&quote.client),
            ],
            arguments: vec![
                quote.pool.to_string().into_bytes(),
                codec::encode_client(&quote.client).map_err(encode_error)?,
                codec::encode_terms(terms).map_err(encode_error)?,
                [&numbers.map(u64::to_be_bytes).concat()[..], &flags].concat(),
                record,
                line.into_bytes(),
                self.retained_until_ms(quote.good_until.expires_at()).to_string().into_bytes(),
                signed.map_or_else(Vec::new, |signed| self.swap_listing(signed)),
            ],
        };
        call.keys.extend(booking.keys);
        call.keys.extend(extension.into_iter().flat_map(|extension| self.prefix.level_budget(&extension.budget)));
        call.keys.extend(charging.keys);
        call.arguments.extend(booking.arguments.into_iter().chain(charging.arguments));
        Ok(call)
    }

    /// What speaks against a commitment, from the reply of its script.
    fn refusal(
        &self,
        reply: &ScriptReply,
        commitment: &Commitment<'_>,
        now: Timestamp,
    ) -> Result<Option<CommitRefusal>, StoreError> {
        let part = || reply.inner(0);
        Ok(Some(match reply.status() {
            b"paused" => CommitRefusal::Paused,
            b"expired" => CommitRefusal::Quote(QuoteRefusal::Unknown),
            b"unreserved" => CommitRefusal::NotReserved,
            b"quote" => CommitRefusal::Quote(quote_refusal(&part())?),
            b"enter" => CommitRefusal::Booking(booking_refusal(&part())?),
            b"charge" => {
                let charge = commitment.charge.ok_or_else(|| reply.unexpected())?;
                CommitRefusal::Volume(self.volume_refusal(charge, &part(), now)?)
            }
            _ => return Ok(None),
        }))
    }

    /// The signature on record, from the reply of the script.
    fn recorded(
        &self,
        reply: &ScriptReply,
        Commitment { quote, terms, .. }: &Commitment<'_>,
        now: Timestamp,
    ) -> Result<Result<SignedQuote, QuoteRefusal>, StoreError> {
        let keys = self.prefix.quote_keys(quote.id);
        Ok(SignatureRecord::parse(quote.id, reply.value(0)?, &keys)?.signed_for(&quote.client, terms, now))
    }
}
