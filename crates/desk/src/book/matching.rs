//! Matches events of the pool contract to signed swaps. An event contains neither signature nor quote, so that
//! tokens, recipient and amounts decide; auxiliary data does not, because it is not signed and the sender chooses it.

use std::collections::HashMap;

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{
    Address, BookEntry, BookedSwap, MAX_PUSH_EXCESS_THOUSANDTHS, NativeSide, SwapState, U256, U512,
};

/// The steps in which push swaps scale their amounts.
const PUSH_STEPS: u64 = 10_000_000_000;

/// How well an event matches a swap, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    /// Exactly the stated amounts.
    Exact,
    /// The amounts of a push swap that found more or less than the stated input.
    Pushed,
    /// More native coin than stated, which stays in the pool, for the stated output.
    NativeExcess,
}

/// The fields of an event other than amounts: input token, output token and recipient.
type Route = [Address; 3];

/// The signed swaps that events can match, each at most once.
pub(super) struct Candidates<'s> {
    swaps: &'s [BookedSwap],
    is_taken: Vec<bool>,
    /// Positions, those that expire first first: of all swaps, of those that settled in a block, and of those with exactly
    /// these amounts.
    by_route: HashMap<Route, Vec<usize>>,
    by_block: HashMap<(Route, u64), Vec<usize>>,
    by_amounts: HashMap<(Route, [U256; 2]), Vec<usize>>,
}

impl<'s> Candidates<'s> {
    pub(super) fn new(swaps: &'s [BookedSwap]) -> Self {
        let mut order: Vec<(usize, &BookedSwap)> = swaps.iter().enumerate().collect();
        order.sort_by_key(|(_, BookedSwap { swap, .. })| (swap.offer.good_until.expires_at(), swap.signed_at));
        let mut candidates = Self {
            swaps,
            is_taken: vec![false; swaps.len()],
            by_route: HashMap::new(),
            by_block: HashMap::new(),
            by_amounts: HashMap::new(),
        };
        for (position, BookedSwap { swap, state }) in order {
            let offer = &swap.offer;
            let route = [offer.input_token, offer.output_token, offer.destination];
            candidates.by_route.entry(route).or_default().push(position);
            candidates.by_amounts.entry((route, amounts(swap))).or_default().push(position);
            if let SwapState::Settled(block) = state {
                candidates.by_block.entry((route, *block)).or_default().push(position);
            }
        }
        candidates
    }

    /// Takes the swap that `event`, in a block of this number, is of among those that `may_be` executed there, and returns
    /// its position: the one that was taken before, so that nothing changes without need, else the one that fits best. Of
    /// equal matches the one that expires first is meant: the others outlive it, whichever it was.
    pub(super) fn take(
        &mut self,
        event: &SwappedEvent,
        block: u64,
        may_be: impl Fn(&BookEntry) -> bool,
    ) -> Option<usize> {
        let route = [event.input_token, event.output_token, event.recipient];
        let of_block = self.best(self.by_block.get(&(route, block)), event, &may_be);
        let exact = || self.by_amounts.get(&(route, [event.input_amount, event.output_amount]));
        let exact = || exact().into_iter().flatten().copied().find(|position| self.free(*position, &may_be).is_some());
        let position = of_block.or_else(exact).or_else(|| self.best(self.by_route.get(&route), event, &may_be))?;
        if let Some(is_taken) = self.is_taken.get_mut(position) {
            *is_taken = true;
        }
        Some(position)
    }

    /// Returns the free one of `positions` that fits best.
    fn best(
        &self,
        positions: Option<&Vec<usize>>,
        event: &SwappedEvent,
        may_be: impl Fn(&BookEntry) -> bool,
    ) -> Option<usize> {
        let fits = positions.into_iter().flatten().filter_map(|position| {
            let swap = self.free(*position, &may_be)?;
            Some((fit(event, swap)?, *position))
        });
        fits.min_by_key(|(fit, _)| *fit).map(|(_, position)| position)
    }

    fn free(&self, position: usize, may_be: impl Fn(&BookEntry) -> bool) -> Option<&'s BookEntry> {
        let swap = self.swaps.get(position).map(|booked| &*booked.swap).filter(|swap| may_be(swap))?;
        (self.is_taken.get(position) == Some(&false)).then_some(swap)
    }
}

/// The stated amounts of a swap.
fn amounts(swap: &BookEntry) -> [U256; 2] {
    [swap.offer.input_amount, swap.offer.output_amount].map(|amount| amount.base_units())
}

/// How well an event on the route of a swap matches it.
fn fit(event: &SwappedEvent, swap: &BookEntry) -> Option<MatchQuality> {
    let [input, output] = amounts(swap);
    if [event.input_amount, event.output_amount] == [input, output] {
        return Some(MatchQuality::Exact);
    }
    if swap.native == NativeSide::Input {
        return (event.input_amount > input && event.output_amount == output).then_some(MatchQuality::NativeExcess);
    }
    (event.output_amount == pushed_output(event.input_amount, input, output)).then_some(MatchQuality::Pushed)
}

/// What the contract pays for `actual` input where `input` for `output` is stated: the output times the share of the input
/// that is there, in steps of 1e-10 rounded down, at most 0.5 % more; rounded down.
fn pushed_output(actual: U256, input: U256, output: U256) -> U256 {
    let steps = U512::from(actual) * U512::from(PUSH_STEPS) / U512::from(input);
    let most = U512::from(PUSH_STEPS / 1_000 * (1_000 + MAX_PUSH_EXCESS_THOUSANDTHS));
    let paid = U512::from(output) * steps.min(most) / U512::from(PUSH_STEPS);
    // At most 1.005 times an amount of 256 bits; whatever exceeds 256 bits is paid by no contract.
    U256::checked_from_limbs_slice(paid.as_limbs()).unwrap_or(U256::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firmquote_domain::{
        Address, Amount, ChainId, Client, GoodUntil, Offer, PoolId, QuoteId, Timestamp, UnixSeconds,
    };

    use super::*;

    fn swap(number: u8, [input, output]: [u64; 2], native: NativeSide, expires_at: u32) -> BookedSwap {
        let amount = |units: u64| Amount::new(U256::from(units)).unwrap();
        let swap = BookEntry {
            quote_id: QuoteId::from_bytes([number; 16]),
            client: Client::Anonymous,
            origin: None,
            offer: Offer {
                pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
                input_token: Address::repeat_byte(1),
                output_token: Address::repeat_byte(2),
                input_amount: amount(input),
                output_amount: amount(output),
                good_until: GoodUntil::Plain(UnixSeconds::new(expires_at)),
                destination: Address::repeat_byte(3),
            },
            native,
            signed_at: Timestamp::from_seconds(1),
            block: Some(5),
            guarantee: None,
        };
        BookedSwap { swap: Arc::new(swap), state: SwapState::Outstanding }
    }

    fn event([input, output]: [u64; 2]) -> SwappedEvent {
        SwappedEvent {
            input_token: Address::repeat_byte(1),
            output_token: Address::repeat_byte(2),
            recipient: Address::repeat_byte(3),
            input_amount: U256::from(input),
            output_amount: U256::from(output),
            aux_data: Default::default(),
        }
    }

    #[test]
    fn an_event_is_of_the_swap_that_it_fits_best() {
        let swaps = [
            swap(1, [1_000, 3_000], NativeSide::Neither, 30),
            swap(2, [1_005, 3_015], NativeSide::Neither, 10),
            swap(3, [1_000, 3_000], NativeSide::Neither, 20),
            swap(4, [990, 2_500], NativeSide::Input, 5),
        ];
        let find = |event: &SwappedEvent, taken: [bool; 4]| {
            let mut candidates = Candidates::new(&swaps);
            candidates.is_taken = taken.into();
            let found = candidates.take(event, 7, |_| true);
            assert_eq!(found.map(|position| candidates.is_taken[position]), found.map(|_| true));
            found
        };
        for (amounts, taken, expected) in [
            ([1_000, 3_000], [false; 4], Some(2)),
            ([1_000, 3_000], [false, false, true, false], Some(0)),
            ([1_005, 3_015], [false; 4], Some(1)),
            ([1_005, 3_015], [false, true, false, false], Some(2)),
            ([500, 1_500], [false; 4], Some(2)),
            ([2_000, 3_015], [false, true, false, false], Some(2)),
            ([991, 2_500], [false; 4], Some(3)),
            ([989, 2_500], [false; 4], None),
            ([1_000, 3_001], [false; 4], None),
        ] {
            assert_eq!(find(&event(amounts), taken), expected, "{amounts:?} {taken:?}");
        }
        let elsewhere = SwappedEvent { recipient: Address::repeat_byte(4), ..event([1_000, 3_000]) };
        assert_eq!(find(&elsewhere, [false; 4]), None);
        let is_not_third = |swap: &BookEntry| swap.quote_id != swaps[2].swap.quote_id;
        assert_eq!(Candidates::new(&swaps).take(&event([1_000, 3_000]), 7, is_not_third), Some(0));
    }

    #[test]
    fn an_event_stays_with_the_swap_that_it_was_of() {
        let mut swaps = [
            swap(1, [1_000, 3_000], NativeSide::Neither, 30),
            swap(2, [1_000, 3_000], NativeSide::Neither, 20),
            swap(3, [2_000, 6_000], NativeSide::Neither, 40),
        ];
        swaps[0].state = SwapState::Settled(7);
        swaps[2].state = SwapState::Settled(8);
        let take = |block, amounts| Candidates::new(&swaps).take(&event(amounts), block, |_| true);
        assert_eq!(
            (take(7, [1_000, 3_000]), take(8, [1_000, 3_000])),
            (Some(0), Some(2)),
            "a part of the third is as good"
        );
        assert_eq!(take(9, [1_000, 3_000]), Some(1));
    }

    #[test]
    fn a_push_pays_in_steps_and_half_a_percent_more_at_most() {
        let paid = |actual: u64, input: u64, output: u64| {
            pushed_output(U256::from(actual), U256::from(input), U256::from(output))
        };
        for (actual, input, output, expected) in [
            (3, 7, 1_000_000_000_000, 428_571_428_500_u64),
            (1_006, 1_000, 1_000, 1_005),
            (1_004, 1_000, 1_000, 1_004),
            (u64::MAX, 1, 1_000, 1_005),
            (0, 1, 1_000, 0),
        ] {
            assert_eq!(paid(actual, input, output), U256::from(expected), "{actual} for {input}");
        }
    }
}
