//! The offer: the curve up to a bound on the improvement over the prices.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, GoodUntilKind, SwapAmount, U256, U512};
use firmquote_pricing::{
    PairAsset, PairState, PricingError, Swap, input_for, offered_input, offered_output, output_for, price,
    would_execute,
};
use rand::RngExt as _;

use crate::states;

/// The number of states for each property.
const STATES: usize = 10_000;

/// Both sides of the bound, without divisions: `out * pY * 10^dX * 10^6` and `in * pX * 10^dY * (10^6 + x)`.
fn sides(pair: &PairState, swap: Swap) -> [U512; 2] {
    let worth = |amount: Amount, side: &PairAsset, other: &PairAsset| {
        U512::from(amount.base_units()) * U512::from(side.price.steps()) * U512::from(other.decimals.units_per_token())
    };
    let scale = U512::from(BasisPoints::SCALE);
    let improved = scale + U512::from(pair.max_improvement.unwrap().hundredths());
    [worth(swap.output, &pair.output, &pair.input) * scale, worth(swap.input, &pair.input, &pair.output) * improved]
}

/// Runs `property` on states with a bound and an input; returns how often the bound was below the curve.
fn for_bounded_states(seed: u64, mut property: impl FnMut(PairState, Amount)) {
    let mut rng = states::generator(seed);
    let (mut checked, mut bound) = (0, 0);
    while checked < STATES {
        let pair = PairState { max_improvement: Some(states::bound(&mut rng)), ..states::state(&mut rng) };
        let input = states::trade(&mut rng, pair.input.reserve);
        let (Ok(curve), Ok(offer)) = (output_for(&pair, input), offered_output(&pair, input)) else { continue };
        assert!(offer <= curve);
        bound += usize::from(offer < curve);
        checked += 1;
        property(pair, input);
    }
    assert!(bound > STATES / 10, "the bound applied {bound} times");
}

#[test]
fn the_offer_is_the_largest_amount_within_the_curve_and_the_bound() {
    for_bounded_states(61, |pair, input| {
        let (curve, output) = (output_for(&pair, input).unwrap(), offered_output(&pair, input).unwrap());
        let [got, most] = sides(&pair, Swap { input, output });
        assert!(got <= most, "{output} for {input} exceeds the bound in {pair:?}");
        if output < curve {
            let more = output.checked_add(Amount::ONE).unwrap();
            let [got, most] = sides(&pair, Swap { input, output: more });
            assert!(got > most, "{more} for {input} is within the bound in {pair:?}");
        }
    });
}

#[test]
fn the_input_of_an_output_is_the_smallest_within_the_curve_and_the_bound() {
    for_bounded_states(62, |pair, input| {
        let output = offered_output(&pair, input).unwrap();
        let least = offered_input(&pair, output).unwrap();
        assert!(least <= input && input_for(&pair, output).unwrap() <= least, "{output} costs {least} in {pair:?}");
        assert!(offered_output(&pair, least).unwrap() >= output, "{least} does not give {output} in {pair:?}");
        if let Some(less) = least.checked_sub(Amount::ONE) {
            let gives_less = offered_output(&pair, less).map_or(true, |given| given < output);
            assert!(gives_less, "{less} gives {output} in {pair:?}");
        }
    });
}

#[test]
fn several_swaps_never_gain_over_one() {
    let mut rng = states::generator(63);
    for_bounded_states(64, |pair, input| {
        let first = Amount::new(states::below(&mut rng, input.base_units()).max(U256::ONE)).unwrap();
        let (Some(second), Ok(given)) = (input.checked_sub(first), offered_output(&pair, first)) else { return };
        let rest = PairState {
            input: PairAsset { reserve: pair.input.reserve.checked_add(first).unwrap(), ..pair.input },
            output: PairAsset { reserve: pair.output.reserve.checked_sub(given).unwrap(), ..pair.output },
            ..pair
        };
        let Ok(more) = offered_output(&rest, second) else { return };
        let once = offered_output(&pair, input).unwrap();
        assert!(given.checked_add(more).unwrap() <= once, "{first} and {second} beat {input} in {pair:?}");
    });
}

#[test]
fn a_detour_gains_no_more_than_the_bounds_of_its_swaps() {
    let (mut rng, mut detours) = (states::generator(68), 0);
    for_bounded_states(69, |pair, input| {
        let third = states::state(&mut rng).output;
        let Ok(between) = offered_output(&PairState { output: third, ..pair }, input) else { return };
        let Some(left) = third.reserve.checked_sub(between) else { return };
        let second = PairState { input: PairAsset { reserve: left, ..third }, ..pair };
        let Ok(output) = offered_output(&second, between) else { return };
        let [got, most] = sides(&pair, Swap { input, output });
        let [scale, improved] =
            [0, pair.max_improvement.unwrap().hundredths()].map(|more| U512::from(BasisPoints::SCALE + more));
        assert!(got * scale <= most * improved, "{input} for {between} for {output} in {pair:?} over {third:?}");
        detours += 1;
    });
    assert!(detours > STATES / 3, "{detours}");
}

#[test]
fn every_priced_swap_is_within_the_bound_and_executes() {
    let mut rng = states::generator(65);
    for_bounded_states(66, |pair, input| {
        let fixed = match rng.random_ratio(1, 2) {
            true => SwapAmount::ExactInput(input),
            false => SwapAmount::ExactOutput(offered_output(&pair, input).unwrap()),
        };
        match price(&pair, GoodUntilKind::Verified, fixed) {
            Ok(swap) => {
                let [got, most] = sides(&pair, swap);
                assert!(got <= most && would_execute(&pair, swap.input, swap.output), "{swap:?} in {pair:?}");
            }
            Err(PricingError::TooSmall { limit }) => {
                let swap = price(&pair, GoodUntilKind::Verified, fixed.with_amount(limit));
                assert!(swap.is_ok(), "{limit} is refused in {pair:?}");
            }
            Err(error) => assert_eq!(error, PricingError::Empty),
        }
    });
}

#[test]
fn a_bound_of_zero_pays_no_more_than_the_prices() {
    let mut rng = states::generator(67);
    let zero = Some(BasisPoints::default());
    for _ in 0..STATES {
        let pair = PairState { max_improvement: zero, ..states::state(&mut rng) };
        let input = states::trade(&mut rng, pair.input.reserve);
        if let Ok(output) = offered_output(&pair, input) {
            let [got, most] = sides(&pair, Swap { input, output });
            assert!(got <= most);
        }
    }
}
