//! One shard of the memory store: quotes by id, and the order in which they die.

use std::collections::{HashMap, hash_map::Entry as MapEntry};

use alloy_primitives::map::FbBuildHasher;
use firmquote_domain::{Client, Quote, QuoteId, QuoteState, Signature, SignedQuote, Terms, Timestamp};

use super::{capacity::Capacity, expiry_queue::ExpiryQueue};
use crate::{ClaimOutcome, FoundQuote, StoreError};

#[derive(Debug)]
struct Entry {
    quote: Quote,
    /// The terms the quote is bound to, once somebody asked for a signature.
    claim: Option<Terms>,
    signature: Option<Signature>,
}

impl Entry {
    fn state(&self, now: Timestamp) -> QuoteState {
        QuoteState::at(&self.quote, self.signature.is_some(), now)
    }

    fn signed(&self, terms: Terms, signature: Signature) -> SignedQuote {
        SignedQuote { quote: self.quote.clone(), terms, signature }
    }
}

/// Quotes by id, each in a place of its own: a map that grows moves no quotes while others wait for the lock. Ids are random
/// and made by the service, so that a hash against attackers is not needed.
///
/// Each has one deadline for every time it was given one: a quote that was signed since outlives its first one.
#[derive(Debug, Default)]
pub(super) struct Shard {
    entries: HashMap<QuoteId, Box<Entry>, FbBuildHasher<16>>,
    unsigned: ExpiryQueue,
    signed: ExpiryQueue,
}

impl Shard {
    /// Drops what is dead at `now`, the oldest first, and gives its places back to `capacity`. Looks at `most` deadlines,
    /// so that the lock is not held for long.
    pub(super) fn sweep(&mut self, now: Timestamp, most: usize, capacity: &Capacity) {
        for _ in 0..most {
            let Some(id) = self.unsigned.next(now).or_else(|| self.signed.next(now)) else { break };
            if let MapEntry::Occupied(place) = self.entries.entry(id)
                && !place.get().state(now).is_live()
            {
                capacity.release(&place.remove().quote.client);
            }
        }
    }

    /// Keeps an unsigned quote, unless one with its id is here: that stays as it is, with its claim and its signature.
    /// Tells whether it was kept.
    pub(super) fn insert(&mut self, quote: &Quote) -> bool {
        let MapEntry::Vacant(place) = self.entries.entry(quote.id) else { return false };
        place.insert(Box::new(Entry { quote: quote.clone(), claim: None, signature: None }));
        self.unsigned.add(quote.must_accept_by, quote.id);
        true
    }

    /// Keeps a quote that was signed as it was made, unless one with its id is here. Returns whether it was kept, and what
    /// stands on record.
    pub(super) fn insert_signed(&mut self, signed: SignedQuote) -> (bool, Result<SignedQuote, StoreError>) {
        let id = signed.quote.id;
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.claim.get_or_insert(signed.terms);
            return (false, self.record(&signed));
        }
        self.signed.add(lapse(&signed.quote), id);
        let entry = Entry { quote: signed.quote.clone(), claim: Some(signed.terms), signature: Some(signed.signature) };
        self.entries.insert(id, Box::new(entry));
        (true, Ok(signed))
    }

    pub(super) fn find(&self, id: QuoteId, now: Timestamp) -> Option<FoundQuote> {
        let entry = self.entries.get(&id).filter(|entry| entry.state(now).is_live())?;
        Some(FoundQuote { quote: entry.quote.clone(), terms: entry.claim.filter(|_| entry.signature.is_some()) })
    }

    pub(super) fn claim(&mut self, id: QuoteId, client: &Client, terms: &Terms, now: Timestamp) -> ClaimOutcome {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.state(now).is_live()) else {
            return ClaimOutcome::Unknown;
        };
        if entry.quote.client != *client {
            return ClaimOutcome::AnotherClients;
        }
        if entry.claim.get_or_insert(*terms) != terms {
            return ClaimOutcome::OtherTerms;
        }
        match entry.signature {
            Some(signature) => ClaimOutcome::Signed(entry.signed(*terms, signature)),
            None => ClaimOutcome::Granted(entry.quote.clone()),
        }
    }

    pub(super) fn release(&mut self, id: QuoteId, terms: &Terms) {
        if let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.signature.is_none()) {
            entry.claim.take_if(|claim| claim == terms);
        }
    }

    /// Records a signature for a quote that is here and claimed.
    pub(super) fn record(&mut self, signed: &SignedQuote) -> Result<SignedQuote, StoreError> {
        let Some((entry, claim)) =
            self.entries.get_mut(&signed.quote.id).and_then(|entry| entry.claim.map(|claim| (entry, claim)))
        else {
            return Err(StoreError::Unclaimed);
        };
        if claim != signed.terms {
            return Err(StoreError::OtherTerms);
        }
        let is_first = entry.signature.is_none();
        let signature = *entry.signature.get_or_insert(signed.signature);
        let recorded = entry.signed(signed.terms, signature);
        if is_first {
            self.signed.add(lapse(&signed.quote), signed.quote.id);
        }
        Ok(recorded)
    }
}

/// The first instant at which a signed quote is lapsed.
fn lapse(quote: &Quote) -> Timestamp {
    Timestamp::from_seconds(quote.good_until.expires_at().get()).plus_seconds(1)
}
