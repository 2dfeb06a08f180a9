//! The book of a pool: its signed swaps that may still be executed.

mod flows;
mod swap;

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    hash::Hash,
    sync::Arc,
};

use alloy_primitives::Address;

use self::flows::{Change, count};
use crate::{Client, Offer, QuoteId};
pub use flows::{BookTotals, MAX_PUSH_EXCESS_THOUSANDTHS, TokenFlows, largest_stated};
pub use swap::{BookEntry, OfferKey, SwapState};

/// A swap of a book with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookedSwap {
    /// The swap.
    pub swap: Arc<BookEntry>,
    /// What became of it.
    pub state: SwapState,
}

/// The signed swaps of one pool.
///
/// A swap stays in the book after it has settled or lapsed, until it is removed: readers of earlier blocks still count
/// it, and a reorganization may make it outstanding again. Each change costs the same, however many swaps there are.
#[derive(Clone, Debug, Default)]
pub struct Book {
    swaps: HashMap<QuoteId, BookedSwap>,
    offers: HashMap<OfferKey, QuoteId>,
    outstanding: HashMap<Address, TokenFlows>,
    of_clients: HashMap<(Client, Address), TokenFlows>,
    closed: BTreeSet<(u64, QuoteId)>,
}

impl Book {
    /// Enters a swap in this state. Returns whether it is new: a swap that is in the book already stays unchanged.
    pub fn insert(&mut self, BookedSwap { swap, state }: BookedSwap) -> bool {
        let Entry::Vacant(entry) = self.swaps.entry(swap.quote_id) else { return false };
        entry.insert(BookedSwap { swap: Arc::clone(&swap), state });
        self.offers.insert(OfferKey::from(&swap.offer), swap.quote_id);
        self.count(&swap, state, Change::Add);
        true
    }

    /// Changes the state of a swap; after a reorganization also back to outstanding. Returns whether it changed.
    pub fn set_state(&mut self, id: QuoteId, state: SwapState) -> bool {
        let Some(booked) = self.swaps.get_mut(&id).filter(|booked| booked.state != state) else { return false };
        let (swap, previous) = (Arc::clone(&booked.swap), std::mem::replace(&mut booked.state, state));
        self.count(&swap, previous, Change::Subtract);
        self.count(&swap, state, Change::Add);
        true
    }

    /// Removes a swap, whatever its state. Returns whether it was in the book.
    pub fn remove(&mut self, id: QuoteId) -> bool {
        let Some(BookedSwap { swap, state }) = self.swaps.remove(&id) else { return false };
        self.offers.remove(&OfferKey::from(&swap.offer));
        self.count(&swap, state, Change::Subtract);
        true
    }

    /// Returns the swap of a quote with its state.
    pub fn get(&self, id: QuoteId) -> Option<&BookedSwap> {
        self.swaps.get(&id)
    }

    /// Returns the quote of the swap that the pool contract could not tell from `offer`.
    pub fn equal_offer(&self, offer: &Offer) -> Option<QuoteId> {
        self.offers.get(&OfferKey::from(offer)).copied()
    }

    /// Returns all swaps, in no particular order.
    pub fn swaps(&self) -> impl Iterator<Item = &BookedSwap> {
        self.swaps.values()
    }

    /// The number of swaps in any state.
    pub fn len(&self) -> usize {
        self.swaps.len()
    }

    /// Whether there is no swap.
    pub fn is_empty(&self) -> bool {
        self.swaps.is_empty()
    }

    /// Returns the sums of what `client` has outstanding in `token`, and of what lapsed without being executed as long as
    /// it is in the book.
    pub fn flows_of(&self, client: &Client, token: Address) -> TokenFlows {
        self.of_clients.get(&(client.clone(), token)).copied().unwrap_or_default()
    }

    /// Returns the sums of all swaps.
    pub fn totals(&self) -> BookTotals {
        let closed = self.closed.iter().filter_map(|(block, id)| Some((*block, Arc::clone(&self.swaps.get(id)?.swap))));
        BookTotals {
            outstanding: self.outstanding.iter().map(|(token, flows)| (*token, *flows)).collect(),
            closed: closed.collect(),
        }
    }

    /// Returns the sums of `token` as of `block`, as [`BookTotals::flows`] does, without the swap of the quote `id`.
    pub fn flows_without(&self, id: QuoteId, token: Address, block: Option<u64>) -> TokenFlows {
        let mut flows = self.totals().flows(token, block);
        if let Some(BookedSwap { swap, state }) = self.swaps.get(&id) {
            let is_later = state.block().zip(block).is_some_and(|(closed, block)| closed > block);
            if *state == SwapState::Outstanding || is_later {
                count(&mut flows, token, &swap.offer, Change::Subtract);
            }
        }
        flows
    }

    /// Adds a swap in `state` to all sums that it counts in, or subtracts it from them.
    fn count(&mut self, swap: &BookEntry, state: SwapState, change: Change) {
        let is_settled = matches!(state, SwapState::Settled(_));
        for token in [swap.offer.input_token, swap.offer.output_token] {
            if state == SwapState::Outstanding {
                update(&mut self.outstanding, token, token, &swap.offer, change);
            }
            // An unused signature was a free option: it counts for its client beyond its own end.
            if !is_settled {
                update(&mut self.of_clients, (swap.client.clone(), token), token, &swap.offer, change);
            }
        }
        if let Some(block) = state.block() {
            match change {
                Change::Add => self.closed.insert((block, swap.quote_id)),
                Change::Subtract => self.closed.remove(&(block, swap.quote_id)),
            };
        }
    }
}

/// Updates the sums of `token`, and forgets sums of zero.
fn update<K: Eq + Hash>(sums: &mut HashMap<K, TokenFlows>, key: K, token: Address, offer: &Offer, change: Change) {
    match sums.entry(key) {
        Entry::Vacant(entry) => count(entry.insert(TokenFlows::default()), token, offer, change),
        Entry::Occupied(mut entry) => {
            count(entry.get_mut(), token, offer, change);
            if *entry.get() == TokenFlows::default() {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Amount, ChainId, GoodUntil, NativeSide, PoolId,
        SwapState::{Lapsed, Outstanding, Settled},
        Timestamp, U512, UnixSeconds,
    };

    const X: Address = Address::repeat_byte(1);
    const Y: Address = Address::repeat_byte(2);

    fn swap(number: u8, client: &Client, [input, output]: [u64; 2]) -> BookedSwap {
        let amount = |units: u64| Amount::new(crate::U256::from(units)).unwrap();
        let swap = BookEntry {
            quote_id: QuoteId::from_bytes([number; 16]),
            client: client.clone(),
            offer: Offer {
                pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
                input_token: X,
                output_token: Y,
                input_amount: amount(input),
                output_amount: amount(output),
                good_until: GoodUntil::Plain(UnixSeconds::new(100)),
                destination: Address::repeat_byte(3),
            },
            native: NativeSide::Neither,
            signed_at: Timestamp::from_seconds(1),
            block: Some(5),
        };
        BookedSwap { swap: Arc::new(swap), state: Outstanding }
    }

    /// Inflow of X and outflow of Y, as of `block`.
    fn flows(book: &Book, block: Option<u64>) -> [u64; 2] {
        let totals = book.totals();
        [totals.flows(X, block).inflow, totals.flows(Y, block).outflow].map(|sum| sum.to::<u64>())
    }

    fn flows_of(book: &Book, client: &Client) -> [u64; 2] {
        [book.flows_of(client, X).inflow, book.flows_of(client, Y).outflow].map(|sum| sum.to::<u64>())
    }

    #[test]
    fn a_swap_counts_once_from_its_signature_to_its_end() {
        let (mut book, client) = (Book::default(), Client::Anonymous);
        let [one, other] = [swap(1, &client, [10, 20]), swap(2, &client, [3, 4])];
        assert!(book.insert(one.clone()) && book.insert(other.clone()) && !book.insert(one.clone()));
        assert_eq!((flows(&book, None), flows(&book, Some(7))), ([13, 24], [13, 24]));
        let id = one.swap.quote_id;
        for (state, now, seen_at_six, of_client) in [
            (Settled(7), [3, 4], [13, 24], [3, 4]),
            (Settled(6), [3, 4], [3, 4], [3, 4]),
            (Outstanding, [13, 24], [13, 24], [13, 24]),
            (Lapsed(Some(7)), [3, 4], [13, 24], [13, 24]),
            (Lapsed(None), [3, 4], [3, 4], [13, 24]),
        ] {
            assert!(book.set_state(id, state) && !book.set_state(id, state), "{state:?}");
            assert_eq!((flows(&book, None), flows(&book, Some(6))), (now, seen_at_six), "{state:?}");
            assert_eq!(flows_of(&book, &client), of_client, "{state:?}");
            let without = book.flows_without(id, X, Some(6)).inflow.to::<u64>();
            assert_eq!(without, 3, "{state:?}");
        }
        assert!(book.remove(id) && !book.remove(id));
        assert_eq!((flows(&book, Some(0)), flows_of(&book, &client)), ([3, 4], [3, 4]));
        assert!(book.remove(other.swap.quote_id));
        assert!(book.is_empty() && book.outstanding.is_empty() && book.of_clients.is_empty() && book.offers.is_empty());
    }

    #[test]
    fn clients_are_counted_apart_and_equal_offers_are_found() {
        let (mut book, acme) = (Book::default(), Client::Named("acme".into()));
        let (one, other) = (swap(1, &acme, [10, 20]), swap(2, &Client::Anonymous, [10, 21]));
        book.insert(one.clone());
        assert_eq!(book.equal_offer(&one.swap.offer), Some(one.swap.quote_id));
        assert_eq!(book.equal_offer(&other.swap.offer), None);
        book.insert(other);
        assert_eq!(flows_of(&book, &acme), [10, 20]);
        assert_eq!(flows_of(&book, &Client::Anonymous), [10, 21]);
        assert_eq!(book.flows_of(&acme, Y).inflow, U512::ZERO);
    }
}
