//! Quotes made by this process that no sign request has named yet. Quotes at firm levels are excluded: only the store
//! knows their budget.

use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;
use firmquote_domain::{Client, Quote, QuoteId};

/// The number of remembered quotes per pool: about those live at 1,000 quotes a second.
const MAX_QUOTES: usize = 16_384;

/// Quotes that this process made and has not been asked to sign, by id. Bounded: a quote may displace another, which is
/// then read from the store when it is signed.
#[derive(Debug, Default)]
pub(crate) struct RecentQuotes(OnceLock<Box<[ArcSwapOption<Quote>]>>);

impl RecentQuotes {
    /// Remembers a quote.
    pub(crate) fn insert(&self, quote: &Quote) {
        let slots = self.0.get_or_init(|| (0..MAX_QUOTES).map(|_| ArcSwapOption::empty()).collect());
        if let Some(slot) = slots.get(index(quote.id)) {
            slot.store(Some(Arc::new(quote.clone())));
        }
    }

    /// Forgets a quote and returns it, if it is remembered and of this client. Of several concurrent callers, one gets
    /// it.
    pub(crate) fn take(&self, id: QuoteId, client: &Client) -> Option<Quote> {
        let slot = self.0.get()?.get(index(id))?;
        let recent = slot.load();
        let is_match = recent.as_ref().is_some_and(|quote| quote.id == id && quote.client == *client);
        if !is_match {
            return None;
        }
        let taken = slot.compare_and_swap(&*recent, None);
        let is_first = taken.as_ref().zip(recent.as_ref()).is_some_and(|(taken, recent)| Arc::ptr_eq(taken, recent));
        let quote = recent.as_ref().map(|quote| Quote::clone(quote));
        quote.filter(|_| is_first)
    }
}

fn index(id: QuoteId) -> usize {
    let [first, second, ..] = *id.as_bytes();
    usize::from(u16::from_be_bytes([first, second])) % MAX_QUOTES
}
