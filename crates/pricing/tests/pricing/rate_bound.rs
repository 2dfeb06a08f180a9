//! A swap with a bounded rate executes on any reserves that can pay it, with the signed or a pushed input.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, PackedGoodUntil, PoolConstant, U256, UnixSeconds};
use firmquote_pricing::{PairState, output_for, would_execute};
use rand_chacha::ChaCha8Rng;

use crate::states;

/// The minimum value of a swap, in steps of 1e-8 US dollars: ten cents.
const MIN_VALUE: u64 = 10_000_000;

/// Returns the state in which the contract checks a swap with a bounded rate, with other reserves than those it was
/// priced on.
fn contract_state(
    rng: &mut ChaCha8Rng,
    pair: &PairState,
    bound: &PackedGoodUntil,
    [input, output]: [Amount; 2],
) -> PairState {
    let mut state = PairState { k: bound.k, ..*pair };
    (state.input.price, state.output.price) = (bound.input_price, bound.output_price);
    let random_from =
        |rng: &mut ChaCha8Rng, base: Amount| base.checked_add(states::amount(rng, 28)).expect("no overflow");
    (state.input.reserve, state.output.reserve) = (random_from(rng, input), random_from(rng, output));
    state
}

/// Returns the amounts of a push swap with `thousandths` of the signed input; it pays at most 1.005 times the signed
/// output.
fn pushed([input, output]: [Amount; 2], thousandths: u64) -> Option<[Amount; 2]> {
    let steps = U256::from(10_000_000_000_u64);
    let actual = (input.base_units() * U256::from(thousandths)).div_ceil(U256::from(1_000));
    let share = (actual * steps / input.base_units()).min(U256::from(10_050_000_000_u64));
    Some([Amount::new(actual)?, Amount::new(output.base_units() * share / steps)?])
}

#[test]
fn a_bounded_rate_executes_on_any_reserves() {
    let mut rng = states::generator(29);
    let mut bounded = 0;
    while bounded < 20_000 {
        let mut pair = states::state(&mut rng);
        pair.fee = pair.fee.max(BasisPoints::from_hundredths(100).expect("1 bp"));
        if pair.input.decimals.get() > 18 || pair.output.decimals.get() > 18 {
            continue;
        }
        let input = states::trade(&mut rng, pair.input.reserve);
        let Ok(output) = output_for(&pair, input) else { continue };
        let unit = U256::from(10).pow(U256::from(pair.input.decimals.get()));
        if input.base_units() * U256::from(pair.input.price.steps()) / unit < U256::from(MIN_VALUE) {
            continue;
        }
        let packed = PackedGoodUntil {
            input_price: pair.input.price,
            output_price: pair.output.price,
            k: pair.k,
            input_weight: pair.input.weight,
            output_weight: pair.output.weight,
            expires_at: UnixSeconds::new(1),
        };
        let Some(bound) = packed.with_rate_bound((input, pair.input.decimals), (output, pair.output.decimals)) else {
            // The pool pays so much above the price of the output that even a price of one step is too high.
            let worth = output.base_units() * U256::from(10).pow(U256::from(18 - pair.output.decimals.get()));
            let smallest_worth = worth / U256::from(100_000_000_u64);
            let paid_in = input.base_units() * U256::from(10).pow(U256::from(18 - pair.input.decimals.get()));
            let value = paid_in * U256::from(pair.input.price.steps()) / U256::from(100_000_000_u64);
            assert!(smallest_worth + U256::from(1_001) >= value, "{input} for {output} on {pair:?}");
            continue;
        };
        assert_eq!(bound.with_rate_bound((input, pair.input.decimals), (output, pair.output.decimals)), Some(bound));
        assert!(bound.k == PoolConstant::ZERO && bound.output_price <= packed.output_price);
        for thousandths in [1_000, 2, 3, 500, 999, 1_004, 1_005, 1_006, 2_000] {
            let Some([actual, paid]) = pushed([input, output], thousandths) else { continue };
            let state = contract_state(&mut rng, &pair, &bound, [actual, paid]);
            assert!(would_execute(&state, actual, paid), "{actual} for {paid} ({thousandths}) on {state:?}");
        }
        bounded += 1;
    }
}
