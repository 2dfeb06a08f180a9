//! Everything that a signature writes, in one script: not in a Cluster, where quote, book and ledger are on different
//! nodes.

use firmquote_domain::Timestamp;

use super::{
    RedisStore,
    book::{booking_refusal, version},
    codec,
    record::{QuoteSource, record_from_reply},
    reply::ScriptReply,
    scripts::ScriptCall,
    store::unencodable,
};
use crate::{ClaimOutcome, ClaimRefusal, CommitOutcome, Commitment, StoreError, VolumeOutcome, ledger};

impl RedisStore {
    /// Claims, charges, books and records a signature in one round trip.
    pub(super) async fn commit_atomically(
        &self,
        commitment: &Commitment<'_>,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError> {
        let Commitment { signed, is_quote_stored, booking, charge } = *commitment;
        let charge = charge.filter(|charge| charge.limits().next().is_some());
        let quote = &signed.quote;
        let keys = self.prefix.quote_keys(quote.id);
        let line = ledger::line(signed).map_err(unencodable)?;
        // The claim is part of the same step, and needs no key.
        let record = self.record_call(&keys, signed, QuoteSource::QuoteAndSign, Some(&line), now)?;
        let booking = self.booking_call(booking, now)?;
        let charging = charge.and_then(|charge| self.charge_call(charge, now)).unwrap_or_default();
        // Rounded down: in no part of this millisecond is it too late.
        let deadline_ms = (quote.must_accept_by.as_micros() / 1_000).to_be_bytes();
        let mut call = ScriptCall {
            keys: [record.keys, vec![self.prefix.paused()], booking.keys, charging.keys].concat(),
            arguments: vec![
                quote.pool.to_string().into_bytes(),
                codec::encode_client(&quote.client).map_err(unencodable)?,
                [&deadline_ms[..], &[u8::from(is_quote_stored)]].concat(),
            ],
        };
        call.arguments.extend([record.arguments, booking.arguments, charging.arguments].into_iter().flatten());
        let reply: ScriptReply = self.write_call(&self.scripts.commit, &call).await?;
        let step = || reply.inner(0);
        match reply.status() {
            b"done" => {
                let is_new = !reply.value(2)?.is_empty();
                let version = is_new.then(|| version(&reply, 1)).transpose()?;
                if let Some(charge) = charge {
                    self.totals.store(charge.pool, reply.generation(reply.value(0)?)?);
                }
                Ok(CommitOutcome::Recorded {
                    signed: record_from_reply(&reply.inner(3), signed, true, &keys)?.signed,
                    version,
                })
            }
            b"paused" => Ok(CommitOutcome::Paused),
            b"expired" => Ok(CommitOutcome::NotClaimed(ClaimRefusal::Unknown)),
            b"claim" => match self.claim_outcome(step(), quote.id, &quote.client, &signed.terms, now).await? {
                ClaimOutcome::Signed(signed) => Ok(CommitOutcome::AlreadySigned(signed)),
                ClaimOutcome::Refused(refusal) => Ok(CommitOutcome::NotClaimed(refusal)),
                ClaimOutcome::Granted(_) => Err(reply.unexpected()),
            },
            b"record" => match record_from_reply(&step(), signed, true, &keys) {
                Err(error) => Err(error),
                Ok(_) => Err(reply.unexpected()),
            },
            b"charge" => match charge.map(|charge| self.charge_outcome(charge, &step(), now)).transpose()? {
                Some(VolumeOutcome::Refused(refusal)) => Ok(CommitOutcome::NotCharged(refusal)),
                Some(VolumeOutcome::Within) | None => Err(reply.unexpected()),
            },
            b"enter" => Ok(CommitOutcome::NotBooked(booking_refusal(&step())?)),
            _ => Err(reply.unexpected()),
        }
    }
}
