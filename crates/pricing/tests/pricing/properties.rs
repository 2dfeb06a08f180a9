//! Properties that hold for every state: no way of trading gains anything over another.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, FeeCurve, GoodUntilKind, Price, SwapAmount, U256, Volatility};
use firmquote_pricing::{
    PairAsset, PairState, PreparedPair, PricingError, Swap, fee, input_for, output_for, price, would_execute,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::states::{self, STATES};

/// Runs `property` on many random states that have a price for the drawn input.
fn for_priced_states(seed: u64, mut property: impl FnMut(&mut ChaCha8Rng, PairState, Amount, Amount)) {
    let mut rng = states::generator(seed);
    let mut priced = 0;
    while priced < STATES {
        let pair = states::state(&mut rng);
        let input = states::trade(&mut rng, pair.input.reserve);
        if let Ok(output) = output_for(&pair, input) {
            property(&mut rng, pair, input, output);
            priced += 1;
        }
    }
}

/// Returns the pool after a swap.
fn after(pair: PairState, input: Amount, output: Amount) -> PairState {
    PairState {
        input: PairAsset { reserve: pair.input.reserve.checked_add(input).unwrap(), ..pair.input },
        output: PairAsset { reserve: pair.output.reserve.checked_sub(output).unwrap(), ..pair.output },
        ..pair
    }
}

const fn reversed(pair: PairState) -> PairState {
    PairState { input: pair.output, output: pair.input, ..pair }
}

#[test]
fn a_round_trip_never_profits_the_client() {
    for_priced_states(11, |_, pair, input, output| {
        if let Ok(back) = output_for(&reversed(after(pair, input, output)), output) {
            assert!(back <= input, "{input} came back as {back} in {pair:?}");
        }
    });
}

#[test]
fn requesting_the_output_of_an_input_never_costs_more_than_that_input() {
    for_priced_states(12, |_, pair, input, output| {
        let cost = input_for(&pair, output).unwrap();
        assert!(cost <= input, "{output} costs {cost}, not {input}, in {pair:?}");
        assert!(output_for(&pair, cost).unwrap() >= output, "{cost} does not give {output} in {pair:?}");
    });
}

#[test]
fn more_input_never_gives_less_output() {
    for_priced_states(13, |rng, pair, input, output| {
        let larger_input = input.checked_add(states::amount(rng, 6)).unwrap();
        match output_for(&pair, larger_input) {
            Ok(larger_output) => assert!(larger_output >= output, "{larger_input} pays less than {input} in {pair:?}"),
            Err(error) => assert!(matches!(error, PricingError::TooLarge { .. }), "{error}"),
        }
    });
}

#[test]
fn a_longer_time_never_gives_a_better_price() {
    for_priced_states(14, |rng, pair, input, _| {
        let annual_volatility = format!("0.{:08}", rng.random_range(0..100_000_000)).parse::<Volatility>().unwrap();
        let curve =
            FeeCurve { base: BasisPoints::from_hundredths(rng.random_range(1..10_000)).unwrap(), annual_volatility };
        let (short, long) = (rng.random_range(1..=600), rng.random_range(1..=600));
        let (short, long) = (short.min(long), short.max(long));
        let output = |time| output_for(&PairState { fee: fee(&curve, 12, time), ..pair }, input).ok();
        assert!(output(long) <= output(short).or(Some(Amount::MAX)), "{long} s is better than {short} s in {pair:?}");
    });
}

#[test]
fn splitting_a_trade_never_beats_the_whole() {
    for_priced_states(15, |rng, pair, input, output| {
        let part = states::below(rng, input.base_units());
        let Some(first) = Amount::new(part) else { return };
        let rest = input.checked_sub(first).unwrap();
        let (pair_after, first_output) = match output_for(&pair, first) {
            Ok(first_output) => (after(pair, first, first_output), first_output.base_units()),
            Err(_) => return,
        };
        let rest_output = output_for(&pair_after, rest).map_or(U256::ZERO, Amount::base_units);
        assert!(first_output + rest_output <= output.base_units(), "{first} and {rest} beat {input} in {pair:?}");
    });
}

#[test]
fn prepared_and_unprepared_pairs_agree() {
    let mut rng = states::generator(17);
    for _ in 0..STATES / 4 {
        let pair = states::state(&mut rng);
        let other_fee = BasisPoints::from_hundredths(rng.random_range(1..10_000)).unwrap();
        let prepared = PreparedPair::new(PairState { fee: other_fee, ..pair });
        assert!(prepared.is_of(&pair));
        let prepared = prepared.with_fee(pair.fee);
        assert_eq!(*prepared.state(), pair);
        for reserve in [pair.input.reserve, pair.output.reserve] {
            let amount = states::trade(&mut rng, reserve);
            assert_eq!(prepared.output_for(amount), output_for(&pair, amount), "{amount} into {pair:?}");
            assert_eq!(prepared.input_for(amount), input_for(&pair, amount), "{amount} out of {pair:?}");
            for kind in [GoodUntilKind::Plain, GoodUntilKind::Verified] {
                for fixed in [SwapAmount::ExactInput(amount), SwapAmount::ExactOutput(amount)] {
                    assert_eq!(prepared.price(kind, fixed), price(&pair, kind, fixed), "{fixed:?} in {pair:?}");
                }
            }
        }
        let moved = pair.input.price.steps() - 1;
        if let Some(moved) = Price::new(moved) {
            assert!(!prepared.is_of(&PairState { input: PairAsset { price: moved, ..pair.input }, ..pair }));
        }
    }
}

#[test]
fn verified_prices_always_execute_in_the_contract() {
    for_priced_states(18, |_, pair, input, output| {
        if let Ok(swap) = price(&pair, GoodUntilKind::Verified, SwapAmount::ExactInput(input)) {
            assert!(would_execute(&pair, swap.input, swap.output), "{swap:?} in {pair:?}");
        }
        if let Ok(swap) = price(&pair, GoodUntilKind::Verified, SwapAmount::ExactOutput(output)) {
            assert!(would_execute(&pair, swap.input, swap.output), "{swap:?} in {pair:?}");
        }
    });
}

#[test]
fn a_prepared_pair_predicts_contract_execution() {
    for_priced_states(19, |rng, pair, input, max_output| {
        let prepared = PreparedPair::new(pair);
        let more = max_output.checked_add(states::amount(rng, 20)).filter(|more| *more < pair.output.reserve);
        for output in
            [Some(max_output), more, Amount::new(states::below(rng, max_output.base_units()))].into_iter().flatten()
        {
            let expected = would_execute(&pair, input, output);
            assert_eq!(
                prepared.would_execute(&Swap { input, output }, max_output),
                expected,
                "{input}, {output} in {pair:?}"
            );
        }
    });
}

#[test]
fn limits_are_tight() {
    let mut rng = states::generator(16);
    let mut counts = [0; 3];
    for _ in 0..STATES {
        let pair = states::state(&mut rng);
        let large_amount = states::amount(&mut rng, 60);
        match output_for(&pair, large_amount) {
            Err(PricingError::TooLarge { limit }) => {
                counts[0] += 1;
                assert!(!matches!(output_for(&pair, limit), Err(PricingError::TooLarge { .. })), "{limit} in {pair:?}");
                let over = limit.checked_add(Amount::ONE).unwrap();
                assert!(matches!(output_for(&pair, over), Err(PricingError::TooLarge { .. })), "{over} in {pair:?}");
            }
            Err(PricingError::TooSmall { limit }) => {
                counts[1] += 1;
                assert_eq!(output_for(&pair, limit.checked_sub(Amount::ONE).unwrap()).ok(), None, "{pair:?}");
            }
            _ => {}
        }
        let reserve = pair.output.reserve;
        match input_for(&pair, reserve.checked_add(large_amount).unwrap()) {
            Err(PricingError::TooLarge { limit }) => {
                counts[2] += 1;
                assert_eq!(limit.checked_add(Amount::ONE), Some(reserve));
            }
            result => assert_eq!((result, reserve), (Err(PricingError::Empty), Amount::ONE)),
        }
    }
    assert!(counts.into_iter().all(|count| count > 1_000), "{counts:?}");
}
