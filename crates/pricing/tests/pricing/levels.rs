//! Interpolated levels never exceed a quote in the same state, and fall short by at most the documented bound.
#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, Decimals, GoodUntilKind, PoolConstant, SwapAmount, U256, U512, Weight};
use firmquote_pricing::{Levels, PairState, PreparedPair, PricingError, Swap, offered_input, offered_output, price};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use crate::states;

/// Number of states for each property.
const STATES: usize = 50_000;

/// Number of sizes in each state, at the knots and between them.
const SIZES: usize = 25;

/// Returns a state like that of a traded pool, or an arbitrary one.
fn state(rng: &mut ChaCha8Rng, is_traded: bool) -> PairState {
    let mut pair = states::state(rng);
    if is_traded {
        let tokens = |rng: &mut ChaCha8Rng, decimals: u8| {
            let units =
                U256::from(rng.random_range(1_000_u64..1_000_000_000)) * U256::from(10).pow(U256::from(decimals));
            Amount::new(units + states::below(rng, units)).unwrap()
        };
        for side in [&mut pair.input, &mut pair.output] {
            side.decimals = Decimals::new([6, 8, 18][rng.random_range(0..3)]).unwrap();
            side.reserve = tokens(rng, side.decimals.get());
            side.weight = Weight::new(rng.random_range(50..200)).unwrap();
        }
        states::balance(&pair.input, &mut pair.output);
        pair.k = PoolConstant::new(PoolConstant::SCALE / 1_000 * rng.random_range(0..900)).unwrap();
        pair.fee = BasisPoints::from_hundredths(rng.random_range(100..3_000)).unwrap();
    }
    // The weights of the tokens decide on which side of its target a pool is.
    pair.max_improvement = rng.random_ratio(1, 2).then(|| states::bound(rng));
    pair
}

/// Returns levels for a random range of sizes, the smallest of which is at least the reserve divided by `part`.
fn levels(rng: &mut ChaCha8Rng, pair: &PairState, kind: GoodUntilKind, part: u64) -> Option<Levels> {
    let smallest = Amount::new(pair.input.reserve.base_units() / U256::from(part)).unwrap_or(Amount::ONE);
    let [first, second] = [(); 2].map(|()| states::trade(rng, pair.input.reserve).max(smallest));
    let max_knots = rng.random_range(2..=64);
    match PreparedPair::new(*pair).levels(kind, [first.min(second), first.max(second)], max_knots) {
        Ok(levels) => {
            assert!(levels.knots.len() <= max_knots, "{} knots in {pair:?}", levels.knots.len());
            Some(levels)
        }
        Err(PricingError::Empty | PricingError::TooLarge { .. } | PricingError::TooSmall { .. }) => None,
        Err(PricingError::Undecided) => panic!("undecided: {pair:?}"),
    }
}

/// Returns a size between two neighboring knots, or at a knot.
fn size(rng: &mut ChaCha8Rng, levels: &Levels) -> Amount {
    let position = rng.random_range(0..levels.knots.len());
    let start = levels.knots[position].input.base_units();
    let end = levels.knots.get(position + 1).map_or(start, |knot| knot.input.base_units());
    Amount::new(start + states::below(rng, end - start + U256::ONE)).unwrap()
}

#[test]
fn interpolated_levels_never_exceed_a_quote_or_fall_short_of_the_documented_bound() {
    let mut rng = states::generator(31);
    let (mut sizes, mut curved) = (0, 0);
    for round in 0..STATES {
        let pair = state(&mut rng, round % 2 == 0);
        let Some(levels) = levels(&mut rng, &pair, GoodUntilKind::Plain, u64::MAX) else { continue };
        check_shape(&levels);
        curved += usize::from(levels.knots.len() > 2);
        for _ in 0..SIZES {
            let input = size(&mut rng, &levels);
            let line = levels.output_for(input).unwrap();
            let quote = offered_output(&pair, input).unwrap();
            assert!(line <= quote, "{input}: {line} of {quote} in {pair:?}");
            assert!(offered_input(&pair, line).unwrap() <= input, "{line} for {input} in {pair:?}");
            check_shortfall(line, quote, levels.max_shortfall, &pair);
            sizes += 1;
        }
    }
    assert!(sizes > STATES * SIZES / 2 && curved > STATES / 4, "{sizes} sizes of {curved} curves");
}

#[test]
fn verified_pools_execute_certain_levels() {
    let mut rng = states::generator(32);
    let (kind, mut certain) = (GoodUntilKind::Verified, 0);
    for round in 0..STATES {
        let pair = state(&mut rng, round % 4 != 0);
        let Some(levels) = levels(&mut rng, &pair, kind, 100_000_000) else { continue };
        check_shape(&levels);
        if !levels.is_certain {
            continue;
        }
        certain += 1;
        for _ in 0..SIZES {
            let input = size(&mut rng, &levels);
            let line = levels.output_for(input).unwrap();
            let quote = price(&pair, kind, SwapAmount::ExactInput(input)).unwrap();
            assert!(line <= quote.output, "{input}: {line} of {quote:?} in {pair:?}");
            let exact_output = price(&pair, kind, SwapAmount::ExactOutput(line)).unwrap();
            assert!(
                exact_output.input <= input && exact_output.input >= levels.knots[0].input,
                "{line} for {exact_output:?} in {pair:?}"
            );
            check_shortfall(line, quote.output, levels.max_shortfall, &pair);
        }
    }
    assert!(certain > STATES / 2, "{certain} certain levels");
}

#[test]
fn ordinary_levels_fall_short_by_a_quarter_of_a_basis_point() {
    let mut rng = states::generator(33);
    for (k, share, max_knots) in [(0, 10, 2), (20_000, 10, 10), (60_000, 10, 17), (200_000, 10, 30), (900_000, 2, 30)] {
        let mut pair = state(&mut rng, true);
        pair.k = PoolConstant::new(PoolConstant::SCALE / 1_000_000 * k).unwrap();
        let largest = Amount::new(pair.input.reserve.base_units() * U256::from(share) / U256::from(100)).unwrap();
        let smallest = Amount::new(largest.base_units() >> 20).unwrap();
        let levels = PreparedPair::new(pair).levels(GoodUntilKind::Plain, [smallest, largest], 64).unwrap();
        assert!(levels.max_shortfall.hundredths() <= 26, "{levels:?}");
        assert!(levels.knots.len() <= max_knots, "k of {k}: {} knots", levels.knots.len());
        assert_eq!(levels.knots.last().unwrap().input, largest);
    }
}

/// Checks that knots rise, and that the price never rises from one knot to the next.
fn check_shape(levels: &Levels) {
    let mut last = (U512::ZERO, U512::ZERO);
    let mut price: Option<(U512, U512)> = None;
    for Swap { input, output } in &levels.knots {
        let knot = (U512::from(input.base_units()), U512::from(output.base_units()));
        assert!(knot.0 > last.0 && knot.1 > last.1, "{levels:?}");
        let (width, rise) = (knot.0 - last.0, knot.1 - last.1);
        assert!(price.is_none_or(|(last_width, last_rise)| rise * last_width <= last_rise * width), "{levels:?}");
        (price, last) = (Some((width, rise)), knot);
    }
}

/// Checks that a quote exceeds the line by at most the stated shortfall and the rounding.
fn check_shortfall(line: Amount, quote: Amount, max_shortfall: BasisPoints, pair: &PairState) {
    let scale = U512::from(BasisPoints::SCALE);
    let short = U512::from(quote.base_units() - line.base_units()) * scale;
    let allowed = (U512::from(quote.base_units()) + U512::ONE) * U512::from(max_shortfall.hundredths());
    assert!(short <= allowed + scale + scale, "{line} of {quote}, at most {max_shortfall} bps, in {pair:?}");
}
