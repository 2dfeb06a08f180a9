//! Quotes: amounts, state and fee, levels, and random pools.

use std::slice;

use firmquote_api::Quote;
use firmquote_domain::{Amount, BasisPoints, FixedSide, LevelsId, Price, StateId, U256, UnixSeconds};
use firmquote_pricing::value_in_usd;
use firmquote_verify::{
    CheckStatus, PublishedPool, Recomputation, RequestedSwap, Verification, VerificationResult, recompute,
};
use proptest::prelude::*;

use crate::example::{example_pool, plus_one, pool, pool_data, quote, status};

#[test]
fn amounts_from_another_state_are_undecided_and_those_at_implied_prices_have_moved() {
    let pool = example_pool();
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let status_on = |pool: &PublishedPool, is_unchanged| {
        let verification =
            Verification { quote: Some(&quote), pool_data: pool_data(pool, is_unchanged), ..Verification::default() };
        status(&verification, "amounts")
    };
    let mut swapped = pool.clone();
    swapped.assets[1].reserve = plus_one(plus_one(swapped.assets[0].reserve));
    assert_eq!(status_on(&swapped, false), CheckStatus::Undecided);
    assert_eq!(status_on(&swapped, true), CheckStatus::Differs);
    let mut moved = pool.clone();
    moved.assets[0].price = Price::new(209_000_000_000).unwrap();
    assert_eq!(status_on(&moved, false), CheckStatus::Moved);
    assert_eq!(status_on(&pool, false), CheckStatus::Holds);
}

#[test]
fn state_and_fee_are_those_of_the_data_published_for_the_quote() {
    let pool = example_pool();
    let valid = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let state_status = |quote: Quote, is_unchanged| {
        let verification =
            Verification { quote: Some(&quote), pool_data: pool_data(&pool, is_unchanged), ..Verification::default() };
        verification.checks().into_iter().find(|check| check.check == "state").map(|check| check.status)
    };
    let other_state = Some(StateId::from_bytes([5; 16]).into());
    let other_fee = Some("8.64".parse::<BasisPoints>().unwrap().into());
    let later = UnixSeconds::new(valid.good_until.get() + 1).into();
    for (quote, expected) in [
        (valid, Some(CheckStatus::Holds)),
        (Quote { state_id: other_state, ..valid }, Some(CheckStatus::Differs)),
        (Quote { fee_in_basis_points: other_fee, ..valid }, Some(CheckStatus::Differs)),
        // The data has no fee for this time, so fees are not compared.
        (Quote { fee_in_basis_points: other_fee, good_until: later, ..valid }, Some(CheckStatus::Holds)),
        (Quote { state_id: None, fee_in_basis_points: None, ..valid }, None),
    ] {
        assert_eq!(state_status(quote, true), expected, "{quote:?}");
        assert_eq!(state_status(quote, false), None, "data of another moment is not compared");
    }
}

#[test]
fn a_quote_of_levels_must_match_the_requested_levels() {
    let pool = example_pool();
    let formula = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let [requested, other] = [7, 8].map(|byte| LevelsId::from_bytes([byte; 16]));
    let amounts_status = |levels_id, output: Amount, levels_output: Amount| {
        let quote = Quote {
            output_amount: output.into(),
            levels_id: Some(requested.into()),
            levels_output: Some(levels_output.into()),
            ..formula
        };
        let requested = RequestedSwap { levels_id, ..RequestedSwap::default() };
        let verification = Verification {
            quote: Some(&quote),
            requested,
            pool_data: pool_data(&pool, true),
            ..Verification::default()
        };
        status(&verification, "amounts")
    };
    let (exact, better) =
        (*formula.output_amount, Amount::new(formula.output_amount.base_units() * U256::from(2)).unwrap());
    let worse = Amount::new(formula.output_amount.base_units() / U256::from(2)).unwrap();
    for (output, levels_output, expected) in [
        (exact, worse, CheckStatus::Holds),
        (better, better, CheckStatus::Holds),
        // Only the book can decide: its prices and its fee are not those of the pool data.
        (worse, worse, CheckStatus::Undecided),
        (worse, exact, CheckStatus::Differs),
    ] {
        assert_eq!(amounts_status(Some(requested), output, levels_output), expected, "{output} of {levels_output}");
    }
    // Levels that were not requested do not excuse other amounts.
    for levels_id in [None, Some(other)] {
        assert_eq!(amounts_status(levels_id, worse, worse), CheckStatus::Differs);
    }
}

proptest! {
    /// The amounts of the formula are verified on every pool, and one more base unit never is.
    #[test]
    fn every_quote_is_recomputed_to_the_base_unit(
        reserves in [1_000_000_000_000_000_000..1_000_000_000_000_000_000_000_000_u128, 1_000_000_000..1_000_000_000_000_000_u128],
        prices in [1_000_000..10_000_000_000_000_u64, 1_000_000..10_000_000_000_000_u64],
        weights in [1..1_000_u16, 1..1_000_u16],
        fee in 0..10_000_u32,
        k in prop::sample::select(vec!["0.02", "0.06", "0.5", "0.9"]),
        parts_per_million in 1..100_000_u128,
    ) {
        let pool = pool(reserves, prices, weights, fee, k);
        let Some(quote) = quote(&pool, reserves[0] / 1_000_000 * parts_per_million) else { return Ok(()) };
        let verification = Verification {
            quote: Some(&quote),
            requested: RequestedSwap { fixed: Some(FixedSide::Input), ..RequestedSwap::default() },
            pool_data: pool_data(&pool, true),
            ..Verification::default()
        };
        prop_assert_eq!(VerificationResult::from_checks(&verification.checks()), VerificationResult::Verified);
        let output = plus_one(*quote.output_amount);
        let altered = Quote { output_amount: output.into(), ..quote };
        let unchanged_values = Verification { quote: Some(&altered), ..verification };
        let recomputed = recompute(&unchanged_values.swap().unwrap(), slice::from_ref(&pool));
        prop_assert!(!matches!(recomputed, Recomputation::Equal(..)));
        // The unchanged values may imply a neighboring price that gives the altered output.
        prop_assert_ne!(status(&unchanged_values, "amounts"), CheckStatus::Holds);
        let value = value_in_usd(output, pool.assets[1].price, pool.assets[1].asset.decimals);
        let altered = Quote { output_value_in_usd: value.into(), ..altered };
        let altered = Verification { quote: Some(&altered), ..verification };
        prop_assert_eq!(status(&altered, "amounts"), CheckStatus::Differs);
    }
}
