//! One shard of the in-memory store: quotes by id, and the order in which they expire and are forgotten.

use std::collections::{HashMap, hash_map::Entry as MapEntry};

use alloy_primitives::map::FbBuildHasher;
use firmquote_domain::{Client, Quote, QuoteId, QuoteState, Signature, SignedQuote, SwapOutcome, Terms, Timestamp};

use super::{capacity::Capacity, expiry_queue::ExpiryQueue};
use crate::{OpenOutcome, QuoteRecord, QuoteRefusal, SigningRecord};

#[derive(Debug)]
struct Entry {
    quote: Quote,
    /// Boxed, because few quotes are signed.
    claim: Option<Box<Claim>>,
}

/// The terms a quote is bound to once a signature was requested, the signature, and the outcome of the swap.
#[derive(Debug)]
struct Claim {
    terms: Terms,
    signed: Option<(Signature, SigningRecord)>,
    outcome: Option<SwapOutcome>,
}

impl Entry {
    fn signed_as(signed: &SignedQuote) -> Box<Self> {
        let record = (signed.signature, SigningRecord::from(signed));
        let claim = Claim { terms: signed.terms, signed: Some(record), outcome: None };
        Box::new(Self { quote: signed.quote.clone(), claim: Some(Box::new(claim)) })
    }

    fn state(&self, now: Timestamp) -> QuoteState {
        QuoteState::at(&self.quote, self.signed().is_some(), now)
    }

    fn signed(&self) -> Option<&(Signature, SigningRecord)> {
        self.claim.as_ref()?.signed.as_ref()
    }

    /// Returns the claim, a new one with these terms if there is none.
    fn claim(&mut self, terms: Terms) -> &mut Claim {
        self.claim.get_or_insert_with(|| Box::new(Claim { terms, signed: None, outcome: None }))
    }

    /// The recorded signature; `None` while there is none.
    fn signed_quote(&self) -> Option<SignedQuote> {
        let (signature, SigningRecord { terms, execution, guarantee, signed_at }) = self.signed()?.clone();
        Some(SignedQuote { quote: self.quote.clone(), terms, signature, execution, guarantee, signed_at })
    }
}

/// Quotes by id, boxed so that a growing map moves no quotes while other threads wait for the lock. Ids are random or hashes,
/// made by the service, so that a fast hash is enough.
///
/// A quote may have two deadlines, one added when it was inserted and one when it was signed: a signed quote outlives
/// the first. Signed quotes that have lapsed are retained apart: they cannot be signed any more.
#[derive(Debug, Default)]
pub(super) struct Shard {
    entries: HashMap<QuoteId, Box<Entry>, FbBuildHasher<16>>,
    unsigned: ExpiryQueue,
    signed: ExpiryQueue,
    lapsed: HashMap<QuoteId, Box<Entry>, FbBuildHasher<16>>,
    /// When lapsed quotes are forgotten.
    retained: ExpiryQueue,
}

/// How long lapsed quotes are retained, and how many in each shard: the oldest are forgotten first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retention {
    pub(super) seconds: u32,
    pub(super) max_per_shard: usize,
}

impl Shard {
    /// Drops the quotes that are no longer live at `now`, oldest first, and returns their places to `capacity`; signed
    /// ones are retained. Checks at most `max_deadlines` deadlines, so that the lock is not held for long.
    pub(super) fn sweep(&mut self, now: Timestamp, max_deadlines: usize, capacity: &Capacity, retention: Retention) {
        for _ in 0..max_deadlines {
            if let Some(id) = self.retained.next(now) {
                self.lapsed.remove(&id);
                continue;
            }
            let Some(id) = self.unsigned.next(now).or_else(|| self.signed.next(now)) else { break };
            if let MapEntry::Occupied(slot) = self.entries.entry(id)
                && !slot.get().state(now).is_live()
            {
                let entry = slot.remove();
                capacity.release(&entry.quote.client);
                if entry.signed().is_some() {
                    self.retain(entry, retention);
                }
            }
        }
    }

    fn retain(&mut self, entry: Box<Entry>, retention: Retention) {
        while self.lapsed.len() >= retention.max_per_shard
            && let Some(oldest) = self.retained.next(Timestamp::from_micros(u64::MAX))
        {
            self.lapsed.remove(&oldest);
        }
        if retention.max_per_shard > 0 {
            self.retained.add(lapse(&entry.quote).plus_seconds(retention.seconds), entry.quote.id);
            self.lapsed.insert(entry.quote.id, entry);
        }
    }

    /// Stores an unsigned quote and returns whether it did: a quote already stored under the same id stays unchanged,
    /// with its claim and its signature.
    pub(super) fn insert(&mut self, quote: &Quote) -> bool {
        let MapEntry::Vacant(slot) = self.entries.entry(quote.id) else { return false };
        slot.insert(Box::new(Entry { quote: quote.clone(), claim: None }));
        self.unsigned.add(quote.must_accept_by, quote.id);
        true
    }

    /// Stores a quote that was created and signed in one step, unless one with its id is stored. Returns whether it was
    /// stored, and the signature on record.
    pub(super) fn insert_signed(&mut self, signed: SignedQuote) -> (bool, Result<SignedQuote, QuoteRefusal>) {
        let id = signed.quote.id;
        if self.entries.contains_key(&id) {
            return (false, self.record(signed));
        }
        self.signed.add(lapse(&signed.quote), id);
        self.entries.insert(id, Entry::signed_as(&signed));
        (true, Ok(signed))
    }

    /// Retains a signed quote that has lapsed.
    pub(super) fn insert_lapsed(&mut self, signed: &SignedQuote, retention: Retention) {
        self.retain(Entry::signed_as(signed), retention);
    }

    pub(super) fn find(&self, id: QuoteId, now: Timestamp, retention: Retention) -> Option<QuoteRecord> {
        let entry = self.entries.get(&id).or_else(|| self.lapsed.get(&id))?;
        let signed = entry.signed().map(|(_, record)| record.clone());
        let is_retained = signed.is_some() && now < lapse(&entry.quote).plus_seconds(retention.seconds);
        (entry.state(now).is_live() || is_retained).then(|| QuoteRecord {
            quote: entry.quote.clone(),
            signed,
            outcome: entry.claim.as_ref().and_then(|claim| claim.outcome),
        })
    }

    pub(super) fn set_outcome(&mut self, id: QuoteId, outcome: Option<SwapOutcome>) {
        let entry = self.entries.get_mut(&id).or_else(|| self.lapsed.get_mut(&id));
        if let Some(claim) = entry.and_then(|entry| entry.claim.as_mut()) {
            claim.outcome = outcome;
        }
    }

    /// Returns the quote or its recorded signature.
    pub(super) fn open(&self, id: QuoteId, client: &Client, terms: &Terms, now: Timestamp) -> OpenOutcome {
        let Some(entry) = self.entries.get(&id).filter(|entry| entry.state(now).is_live()) else {
            return OpenOutcome::Refused(QuoteRefusal::Unknown);
        };
        if entry.quote.client != *client {
            return OpenOutcome::Refused(QuoteRefusal::OtherClient);
        }
        if entry.claim.as_ref().is_some_and(|claim| claim.terms != *terms) {
            return OpenOutcome::Refused(QuoteRefusal::OtherTerms);
        }
        entry.signed_quote().map_or_else(|| OpenOutcome::Unsigned(entry.quote.clone()), OpenOutcome::Signed)
    }

    /// Binds a stored quote to terms.
    pub(super) fn bind(&mut self, id: QuoteId, terms: &Terms) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.claim(*terms);
        }
    }

    /// Records the signature of a stored and bound quote, and returns the one that is on record.
    pub(super) fn record(&mut self, signed: SignedQuote) -> Result<SignedQuote, QuoteRefusal> {
        let Some(entry) = self.entries.get_mut(&signed.quote.id) else { return Err(QuoteRefusal::Unknown) };
        let recorded = entry.signed_quote();
        let claim = entry.claim(signed.terms);
        if claim.terms != signed.terms {
            return Err(QuoteRefusal::OtherTerms);
        }
        if let Some(first) = recorded {
            return Ok(first);
        }
        claim.signed = Some((signed.signature, SigningRecord::from(&signed)));
        self.signed.add(lapse(&signed.quote), signed.quote.id);
        Ok(signed)
    }
}

/// The first instant at which a signed quote has lapsed.
fn lapse(quote: &Quote) -> Timestamp {
    Timestamp::from_seconds(quote.good_until.expires_at().get()).plus_seconds(1)
}
