//! Which swaps of a ledger still matter to the books of a process that starts, and in which state.

use std::collections::HashMap;

use firmquote_domain::{BookEntry, ChainId, SignedSwap, SwapState, Timestamp, UnixSeconds, is_lapsed};

/// How long after its last second a swap may still be found executed, in seconds: a node may be that far behind.
pub(super) const LATE_SECONDS: u32 = 3_600;

/// Returns the swaps that still matter at `now`. For an observed contract these are all whose events will be read, and
/// all that may have caused the same events: without such a swap, its event would be attributed to another.
pub(super) fn relevant_swaps(mut swaps: Vec<BookEntry>, now: Timestamp) -> Vec<BookEntry> {
    let blocks = SigningBlocks::new(&swaps);
    let expires_at = |entry: &BookEntry| entry.swap.offer.good_until.expires_at();
    let is_recent = |entry: &BookEntry| !is_lapsed(expires_at(entry).saturating_add(LATE_SECONDS), now);
    let read = swaps.iter().filter(|entry| entry.swap.block.is_some() && is_recent(entry));
    let read_from = read.map(|entry| entry.swap.signed_at.seconds()).min();
    swaps.retain(|entry| match entry.swap.block {
        // Blocks from before the oldest of these was signed are read as well.
        Some(_) => read_from.is_some_and(|read_from| expires_at(entry).saturating_add(LATE_SECONDS) >= read_from),
        None => now.seconds() < entry.swap.deadlines().removal,
    });
    for BookEntry { swap, state } in &mut swaps {
        match state {
            SwapState::Lapsed(_) => *state = SwapState::Lapsed(blocks.lapse_of(swap)),
            // Only the chain tells whether the execution used it up and is still canonical.
            _ if state.settled_in().is_some() && !is_lapsed(swap.offer.good_until.expires_at(), now) => {
                *state = SwapState::Outstanding;
            }
            _ => {}
        }
    }
    swaps
}

/// The blocks that swaps were checked against, by chain, each with the second in which its swap was signed; in order.
struct SigningBlocks(HashMap<ChainId, Vec<(UnixSeconds, u64)>>);

impl SigningBlocks {
    fn new(swaps: &[BookEntry]) -> Self {
        let mut blocks: HashMap<_, Vec<_>> = HashMap::new();
        for BookEntry { swap, .. } in swaps {
            let block = swap.block.map(|block| (swap.signed_at.seconds(), block));
            blocks.entry(swap.offer.pool.chain_id).or_default().extend(block);
        }
        blocks.values_mut().for_each(|blocks| blocks.sort_unstable());
        Self(blocks)
    }

    /// Estimates the block in which a swap of an observed contract lapsed, which the ledger does not record: the block
    /// of the first swap signed after its end, or else of the last swap signed.
    fn lapse_of(&self, swap: &SignedSwap) -> Option<u64> {
        let blocks = swap.block.and_then(|_| self.0.get(&swap.offer.pool.chain_id))?;
        let expires_at = swap.offer.good_until.expires_at();
        let earlier = blocks.partition_point(|(signed_at, _)| *signed_at <= expires_at);
        blocks.get(earlier).or(blocks.last()).map(|(_, block)| *block)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firmquote_domain::{Address, Amount, Client, GoodUntil, NativeSide, Offer, PoolId, QuoteId};

    use super::*;

    /// A swap that was signed in a second, beside the reserves of a block, and is valid for 50 s.
    fn entry(number: u8, chain: u64, signed_at: u32, block: Option<u64>, state: SwapState) -> BookEntry {
        let swap = SignedSwap {
            quote_id: QuoteId::from_bytes([number; 16]),
            client: Client::Anonymous,
            source_network: None,
            offer: Offer {
                pool: PoolId { chain_id: ChainId::new(chain).unwrap(), address: Address::repeat_byte(9) },
                input_token: Address::repeat_byte(1),
                output_token: Address::repeat_byte(2),
                input_amount: Amount::ONE,
                output_amount: Amount::ONE,
                good_until: GoodUntil::Plain(UnixSeconds::new(signed_at + 50)),
                destination: Address::repeat_byte(3),
            },
            native: NativeSide::Neither,
            signed_at: Timestamp::from_seconds(signed_at),
            block,
            guarantee: None,
        };
        BookEntry { swap: Arc::new(swap), state }
    }

    /// The numbers of the relevant ones of `swaps` with their states.
    fn relevant(swaps: Vec<BookEntry>, now: u32) -> Vec<(u8, SwapState)> {
        let found = relevant_swaps(swaps, Timestamp::from_seconds(now));
        let mut found: Vec<_> = found.iter().map(|entry| (entry.swap.quote_id.as_bytes()[0], entry.state)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn closed_swaps_are_restored_as_long_as_events_of_their_time_are_read() {
        use SwapState::{Lapsed, Outstanding, Settled};
        let swaps = vec![
            entry(1, 1, 1_000, Some(10), Settled(11)),
            entry(2, 1, 4_700, Some(12), Settled(13)),
            entry(3, 1, 4_800, Some(14), Lapsed(None)),
            // Chains count their blocks independently.
            entry(4, 2, 4_851, Some(9_000), Outstanding),
            entry(5, 1, 4_860, Some(15), Settled(16)),
        ];
        let restored = [(2, Settled(13)), (3, Lapsed(Some(15))), (4, Outstanding), (5, Settled(16))];
        // The first expired an hour before the fourth was signed, which is the first whose end may not have been read.
        assert_eq!(relevant(swaps.clone(), 4_901 + LATE_SECONDS), restored);
        assert_eq!(relevant(swaps.clone(), 4_850 + LATE_SECONDS).len(), 4);
        assert_eq!(relevant(swaps.clone(), 1_050 + LATE_SECONDS).len(), 5);
        assert_eq!(relevant(swaps.clone(), 4_911 + LATE_SECONDS), []);
        let [.., unexpired] = relevant(swaps, 4_910)[..] else { panic!() };
        assert_eq!(unexpired, (5, Outstanding), "the chain tells whether it is used up");
    }

    #[test]
    fn a_swap_beside_static_reserves_is_restored_while_it_counts_for_its_client() {
        let swap = |state| entry(1, 1, 1_000, None, state);
        for state in [SwapState::Outstanding, SwapState::Lapsed(None)] {
            // It lapses 60 s after its end, and counts for as long again.
            assert_eq!(relevant(vec![swap(state)], 1_219), [(1, state)]);
            assert_eq!(relevant(vec![swap(state)], 1_220), []);
        }
    }
}
