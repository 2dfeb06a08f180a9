//! Swaps that are sound together remain sound in any order of execution: the pool never ends with less than it had.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, GoodUntilKind, U256};
use firmquote_pricing::{
    Headroom, PairState, PreparedPair, PricingError, Swap, input_for, is_sound, output_for, share_of_fee, sound_bounds,
};
use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::{reference::invariant, states};

const HALF: u32 = 500_000;

/// Number of books that are filled, partly settled and filled again.
const BOOKS: usize = 400;

/// A signed swap between two assets, forward or backward.
#[derive(Clone, Copy)]
struct Signed {
    is_forward: bool,
    swap: Swap,
}

/// Returns the pair in the direction of a swap.
const fn directed(pool: PairState, is_forward: bool) -> PairState {
    if is_forward { pool } else { PairState { input: pool.output, output: pool.input, ..pool } }
}

/// Returns 1.005 times the amount, rounded up.
fn pushed(amount: Amount) -> U256 {
    (amount.base_units() * U256::from(1_005_u64)).div_ceil(U256::from(1_000_u64))
}

/// Returns the pair as if all other swaps in this direction had been executed.
fn conservative(pool: PairState, book: &[Signed], is_forward: bool) -> Option<PairState> {
    let mut state = directed(pool, is_forward);
    for other in book.iter().filter(|other| other.is_forward == is_forward) {
        let [inflow, outflow] = [other.swap.input, other.swap.output].map(pushed);
        state.input.reserve = state.input.reserve.checked_add(Amount::new(inflow)?)?;
        state.output.reserve = state.output.reserve.checked_sub(Amount::new(outflow)?)?;
    }
    Some(state)
}

/// Executes a swap at `thousandths` of its amounts, as a push swap does.
fn settle(pool: &mut PairState, signed: Signed, thousandths: u64) {
    let scaled = |amount: Amount| amount.base_units() * U256::from(thousandths);
    let paid_in = scaled(signed.swap.input).div_ceil(U256::from(1_000_u64));
    let paid_out = scaled(signed.swap.output) / U256::from(1_000_u64);
    let (input, output) =
        if signed.is_forward { (&mut pool.input, &mut pool.output) } else { (&mut pool.output, &mut pool.input) };
    input.reserve = input.reserve.checked_add(Amount::new(paid_in).expect("a positive input")).expect("no overflow");
    if let Some(paid_out) = Amount::new(paid_out) {
        output.reserve = output.reserve.checked_sub(paid_out).expect("the pool can pay every signed swap");
    }
}

/// Signs a swap if it is sound together with those in `book`; it is priced together with those in `quoted_book`.
fn sign(rng: &mut ChaCha8Rng, pool: PairState, quoted_book: &[Signed], book: &mut Vec<Signed>) -> bool {
    let is_forward = rng.random();
    let Some(state) = conservative(pool, quoted_book, is_forward) else { return false };
    let max = state.input.reserve.base_units() / U256::from(20_u64);
    let Some(input) = Amount::new(states::below(rng, max.max(U256::ONE))) else { return false };
    let Ok(output) = output_for(&state, input) else { return false };
    let Some(newest) = conservative(pool, book, is_forward) else { return false };
    let fee = share_of_fee(pool.fee, BasisPoints::from_hundredths(HALF).expect("half"));
    let swap = Swap { input, output };
    let sound = is_sound(&PairState { fee, ..newest }, GoodUntilKind::Plain, &swap).expect("decided");
    if sound {
        book.push(Signed { is_forward, swap });
    }
    sound
}

#[test]
fn settling_in_any_order_leaves_the_pool_no_worse_off() {
    let mut rng = states::generator(31);
    let (mut signed, mut refused) = (0, 0);
    for _ in 0..BOOKS {
        let mut pool = states::state(&mut rng);
        pool.fee = BasisPoints::from_hundredths(rng.random_range(100..3_000)).expect("a fee");
        for _ in 0..3 {
            let start = invariant(&pool);
            let mut book: Vec<Signed> = Vec::new();
            for _ in 0..6 {
                let quoted_book = book.clone();
                for _ in 0..rng.random_range(1..8) {
                    // Concurrent quotes do not take each other into account.
                    if sign(&mut rng, pool, &quoted_book, &mut book) { signed += 1 } else { refused += 1 }
                }
                book.shuffle(&mut rng);
                for _ in 0..rng.random_range(0..4).min(book.len()) {
                    let Some(signed_swap) = book.pop() else { break };
                    if rng.random_ratio(2, 3) {
                        settle(&mut pool, signed_swap, rng.random_range(1..=1_005));
                        assert!(invariant(&pool) >= start, "{pool:?}");
                    }
                }
            }
            while let Some(last) = book.pop() {
                settle(&mut pool, last, 1_005);
                assert!(invariant(&pool) >= start, "{pool:?}");
            }
        }
    }
    assert!(signed > 500 && refused > 50, "{signed} signed, {refused} refused");
}

#[test]
fn headroom_is_safe_in_both_directions_at_once() {
    let mut rng = states::generator(32);
    let (mut with_room, mut unsound) = (0, 0);
    for _ in 0..20_000 {
        let pair = states::state(&mut rng);
        let kind = if rng.random() { GoodUntilKind::Plain } else { GoodUntilKind::Verified };
        let input = states::trade(&mut rng, pair.input.reserve);
        let Ok(output) = output_for(&pair, input) else { continue };
        let swap = Swap { input, output };
        let retained =
            PairState { fee: share_of_fee(pair.fee, BasisPoints::from_hundredths(HALF).expect("half")), ..pair };
        let Some(room) = PreparedPair::new(retained).headroom(kind, &swap).expect("decided") else {
            unsound += 1;
            continue;
        };
        with_room += usize::from(room != Headroom::default());
        // The contract's arithmetic is not monotonic to the last unit, so between the ends only the curve is checked.
        let kinds = [(GoodUntilKind::Plain, 0..=4_u64), (kind, 4..=4)];
        for (kind, share) in kinds.into_iter().flat_map(|(kind, shares)| shares.map(move |share| (kind, share))) {
            let part = |limit: U256| match share {
                4 => Amount::new(limit),
                share => Amount::new(limit / U256::from(4_u64) * U256::from(share)),
            };
            let mut state = retained;
            if let Some(inflow) = part(room.inflow) {
                state.input.reserve = state.input.reserve.checked_add(inflow).expect("no overflow");
            }
            if let Some(outflow) = part(room.outflow) {
                state.output.reserve = state.output.reserve.checked_sub(outflow).expect("a remaining reserve");
            }
            assert!(is_sound(&state, kind, &swap).expect("decided"), "{share} of {room:?} for {swap:?} in {pair:?}");
        }
    }
    assert!(with_room > 1_000 && unsound > 100, "{with_room} with room, {unsound} unsound");
}

#[test]
fn swaps_within_the_sound_bounds_are_sound_and_those_far_beyond_are_not() {
    let mut rng = states::generator(33);
    let (mut checked, mut unsound) = (0, 0);
    for _ in 0..4_000 {
        let mut pair = states::state(&mut rng);
        pair.fee = BasisPoints::from_hundredths(rng.random_range(100..3_000)).expect("a fee");
        let kept = share_of_fee(pair.fee, BasisPoints::from_hundredths(rng.random_range(0..900_000)).expect("a share"));
        let at_kept = PairState { fee: kept, ..pair };
        let [input_bound, output_bound] = sound_bounds(&pair, kept);
        let by_output = match Amount::new(output_bound).map(|output| input_for(&pair, output)) {
            Some(Ok(input)) => input.base_units(),
            Some(Err(PricingError::TooLarge { .. })) => U256::MAX,
            Some(Err(_)) | None => continue,
        };
        let Some(largest) = Amount::new(input_bound.min(by_output)) else { continue };
        for divisor in [1_u64, 2, 10, 1_000] {
            let Some(input) = Amount::new(largest.base_units() / U256::from(divisor)) else { continue };
            let Ok(output) = output_for(&pair, input) else { continue };
            // In base units; less is dust, whose rounding decides.
            if [input, output].into_iter().any(|amount| amount.base_units() < U256::from(100_000_000_u64)) {
                continue;
            }
            checked += 1;
            let swap = Swap { input, output };
            assert!(
                is_sound(&at_kept, GoodUntilKind::Plain, &swap).expect("decided"),
                "{swap:?} {divisor} of {pair:?}"
            );
        }
        let beyond = largest.base_units().checked_mul(U256::from(20_u64)).and_then(Amount::new);
        if let Some(swap) = beyond.and_then(|input| Some(Swap { input, output: output_for(&pair, input).ok()? })) {
            unsound += u32::from(!is_sound(&at_kept, GoodUntilKind::Plain, &swap).expect("decided"));
        }
    }
    assert!(checked > 3_000 && unsound > 100, "{checked} {unsound}");
}
