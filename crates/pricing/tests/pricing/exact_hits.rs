//! Swaps whose real solution is an integer: no number of digits can decide the rounding, only algebra.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, Decimals, Price, U256, Weight};
use firmquote_pricing::{PairAsset, PairState, input_for, output_for};

fn side(reserve: u64, weight: u16) -> PairAsset {
    PairAsset {
        reserve: amount(reserve),
        price: Price::new(100_000_000).unwrap(),
        weight: Weight::new(weight).unwrap(),
        decimals: Decimals::new(6).unwrap(),
    }
}

fn amount(units: u64) -> Amount {
    Amount::new(U256::from(units)).unwrap()
}

fn pair(input: PairAsset, output: PairAsset, k: &str, fee: &str) -> PairState {
    let fee = fee.parse::<BasisPoints>().unwrap();
    PairState { input, output, k: k.parse().unwrap(), fee, max_improvement: None }
}

/// Asserts that `input` gives exactly `output`, that `output` costs exactly `input`, and that one unit less gives less
/// and one unit more costs more.
fn assert_exact(pair: &PairState, input: u64, output: u64) {
    assert_eq!(output_for(pair, amount(input)), Ok(amount(output)), "{pair:?}");
    assert_eq!(input_for(pair, amount(output)), Ok(amount(input)), "{pair:?}");
    assert!(output_for(pair, amount(input - 1)).is_ok_and(|lower| lower < amount(output)), "{pair:?}");
    assert!(!input_for(pair, amount(output + 1)).is_ok_and(|cost| cost <= amount(input)), "{pair:?}");
}

#[test]
fn swapping_the_reserves_is_exact_for_every_k() {
    // 100 + M * in = 200 and 200 - out = 100, whatever the curve.
    for k in ["0.06", "0.000000000000000001", "0.123456789012345678", "0.5", "0.999999999999999999"] {
        let pair = pair(side(100_000_000, 7), side(200_000_000, 7), k, "5000");
        assert_exact(&pair, 200_000_000, 100_000_000);
    }
}

#[test]
fn perfect_squares_are_exact_at_one_half() {
    // sqrt(400) - sqrt(100) = 10 = sqrt(900) - sqrt(400): in = 300 / M, out = 500.
    assert_exact(&pair(side(100, 5), side(900, 5), "0.5", "0"), 300, 500);
    assert_exact(&pair(side(100, 5), side(900, 5), "0.5", "4000"), 500, 500);
    // With weights 4 and 9 the input's worth is 10 / 2 = 5 and the output's 15 / 3: sqrt(1024) - 15 = 17.
    assert_exact(&pair(side(100, 4), side(1024, 9), "0.5", "0"), 300, 1024 - 289);
}

#[test]
fn perfect_powers_are_exact_at_other_fractions() {
    // k = 0.25: u = q^(3/4); 16 -> 256 gains 64 - 8 = 56; 256 -> 8^(4/3) = 16 loses 56.
    assert_exact(&pair(side(16, 3), side(256, 3), "0.25", "0"), 240, 240);
    // k = 0.75: u = q^(1/4); 1 -> 81 gains 2; 625 -> 81 loses 2.
    assert_exact(&pair(side(1, 3), side(625, 3), "0.75", "0"), 80, 544);
    // With weights 81 and 16, 27 and 8 to the power of 3/4: 28^4 - 1 gains 27 / 27, 13^4 -> 5^4 loses 8 / 8.
    assert_exact(&pair(side(1, 81), side(28_561, 16), "0.75", "0"), 614_655, 27_936);
}

#[test]
fn an_input_that_buys_the_whole_reserve_is_too_large() {
    // sqrt(900) - sqrt(400) = 10 = sqrt(100): 500 in would take all 100 out.
    let pair = pair(side(400, 5), side(100, 5), "0.5", "0");
    let limit = amount(499);
    assert_eq!(output_for(&pair, amount(500)), Err(firmquote_pricing::PricingError::TooLarge { limit }));
    assert_eq!(output_for(&pair, limit), Ok(amount(99)));
}

#[test]
fn exact_hits_at_and_near_powers_of_two_are_exact() {
    let reserves = (1_000_000..1_000_400).map(|reserve| reserve * 9);
    for (number, reserve) in reserves.enumerate() {
        let difference = 1 << (number % 40);
        let k = if number % 2 == 0 { "0.22" } else { "0.123456789" };
        let pair = pair(side(reserve, 7), side(reserve + difference, 7), k, "5000");
        assert_eq!(output_for(&pair, amount(2 * difference)), Ok(amount(difference)), "{pair:?}");
        assert_eq!(input_for(&pair, amount(difference)), Ok(amount(2 * difference)), "{pair:?}");
    }
}

#[test]
fn a_drained_side_is_exact() {
    // One unit of 6 decimals against two million whole tokens of 18: the swap exchanges the reserves.
    let dai = PairAsset {
        reserve: "2000000000000000000000000".parse().unwrap(),
        decimals: Decimals::new(18).unwrap(),
        ..side(1, 7)
    };
    let drained = pair(side(1, 7), dai, "0.06", "0");
    assert_eq!(output_for(&drained, amount(1_999_999_999_999)), Ok("1999999999999000000000000".parse().unwrap()));
    let lopsided = pair(side(1, 7), side(1 << 40, 7), "0.06", "0");
    assert_exact(&lopsided, (1 << 40) - 1, (1 << 40) - 1);
}
