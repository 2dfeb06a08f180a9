//! Quotes that this process inserted and that no sign request has named yet: opening one costs no round trip.

use std::sync::OnceLock;

use arc_swap::ArcSwapOption;
use firmquote_domain::{Client, Quote, QuoteId, Timestamp, is_expired};

/// The number of remembered quotes: about those live at 1,000 quotes a second.
const MAX_QUOTES: usize = 16_384;

/// Quotes by id. Bounded: a quote may displace another, which is then read from Redis when it is opened.
#[derive(Debug, Default)]
pub(super) struct RecentQuotes(OnceLock<Box<[ArcSwapOption<Quote>]>>);

impl RecentQuotes {
    /// Remembers a quote.
    pub(super) fn insert(&self, quote: &Quote) {
        let slots = self.0.get_or_init(|| (0..MAX_QUOTES).map(|_| ArcSwapOption::empty()).collect());
        if let Some(slot) = slots.get(index(quote.id)) {
            slot.store(Some(quote.clone().into()));
        }
    }

    /// Forgets a live quote and returns it, if it is remembered and of this client. Of several concurrent callers, one
    /// gets it.
    pub(super) fn take(&self, id: QuoteId, client: &Client, now: Timestamp) -> Option<Quote> {
        let slot = self.0.get()?.get(index(id))?;
        let recent = slot.load();
        recent
            .as_ref()
            .filter(|quote| quote.id == id && quote.client == *client && !is_expired(quote.must_accept_by, now))?;
        let taken = slot.compare_and_swap(&*recent, None);
        let is_first =
            taken.as_ref().zip(recent.as_ref()).is_some_and(|(taken, recent)| std::ptr::eq(&**taken, &**recent));
        recent.as_ref().filter(|_| is_first).map(|quote| Quote::clone(quote))
    }
}

fn index(id: QuoteId) -> usize {
    let [first, second, ..] = *id.as_bytes();
    usize::from(u16::from_be_bytes([first, second])) % MAX_QUOTES
}
