//! The rules for the prices of one source: age, jumps, confidence and times in the future.

use firmquote_market::{Aggregation, CompositePrice, Observation, PriceRules, Rejection};

use super::{START, at, basis_points, observation, price, rules};

#[test]
fn a_single_source_is_trusted_until_stale_and_again_on_its_next_price() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    assert_eq!(composite_price.price(START), Err(Rejection::Silent));
    composite_price.receive(0, observation("2000", 0), at(100));
    assert_eq!(price(&composite_price, 9_999), Ok("2000".to_owned()));
    let old = "the last update is 10000 ms old, at most 10000 ms is allowed";
    assert_eq!(price(&composite_price, 10_000), Err(old.to_owned()));
    composite_price.receive(0, observation("2001", 12_000), at(12_000));
    assert_eq!(price(&composite_price, 12_000), Ok("2001".to_owned()));
    assert_eq!(composite_price.price(at(12_000)).unwrap().until, at(22_000));
}

#[test]
fn a_slow_clock_does_not_extend_a_price() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    composite_price.receive(0, observation("2000", 1_500), at(0));
    assert_eq!(composite_price.price(START).unwrap().until, at(10_000));
    // A repetition and a change of the rules do not extend its life.
    composite_price.receive(0, observation("2000", 1_500), at(1_000));
    composite_price.set_rules(rules(Aggregation::Priority), at(1_200));
    assert_eq!(composite_price.price(START).unwrap().until, at(10_000));
    assert!(price(&composite_price, 9_999).is_ok() && price(&composite_price, 10_000).is_err());
}

#[test]
fn an_invalid_price_is_reported_until_the_next_valid_one() {
    for text in ["0", "-2000", "NaN", "1e300", "", "0.000000001"] {
        let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
        composite_price.receive(0, observation("2000", 0), at(0));
        composite_price.receive(0, observation(text, 100), at(100));
        let error = price(&composite_price, 100).unwrap_err();
        assert!(error.starts_with("the last update is not a valid price: "), "{text}: {error}");
        composite_price.receive(0, observation("2000", 200), at(200));
        assert_eq!(price(&composite_price, 200), Ok("2000".to_owned()), "{text}");
    }
}

#[test]
fn a_jump_is_untrusted_until_enough_time_has_passed() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    composite_price.receive(0, observation("2000", 0), at(0));
    composite_price.receive(0, observation("2010", 10), at(10));
    assert_eq!(price(&composite_price, 10), Ok("2010".to_owned()), "50 bp at once");
    composite_price.receive(0, observation("1005", 1_010), at(1_010));
    let jump = "the price moved by 9900.5 bp, at most 50.5 bp is allowed in that time";
    assert_eq!(
        price(&composite_price, 1_010),
        Err(jump.to_owned()),
        "as a part of the smaller one: the same there and back"
    );
    composite_price.receive(0, observation("1005", 198_000), at(198_000));
    assert!(price(&composite_price, 198_000).is_err(), "half of it takes two hundred seconds at that speed");
    composite_price.receive(0, observation("1005", 198_100), at(198_100));
    assert_eq!(price(&composite_price, 198_100), Ok("1005".to_owned()));
    composite_price.receive(0, observation("502.5", 198_500), at(198_500));
    composite_price.receive(0, observation("1006", 198_600), at(198_600));
    assert_eq!(price(&composite_price, 198_600), Ok("1006".to_owned()), "back where it was");
}

#[test]
fn many_updates_in_a_second_move_no_further_than_one() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    composite_price.receive(0, observation("2000", 0), at(0));
    composite_price.receive(0, observation("2009", 300), at(300));
    composite_price.receive(0, observation("2018", 600), at(600));
    assert!(price(&composite_price, 600).unwrap_err().starts_with("the price moved by 90 bp"));
    composite_price.receive(0, observation("2010", 900), at(900));
    assert_eq!(price(&composite_price, 900), Ok("2010".to_owned()));
    composite_price.receive(0, observation("2010", 1_000), at(1_000));
    composite_price.receive(0, observation("2020", 1_500), at(1_500));
    assert_eq!(price(&composite_price, 1_500), Ok("2020".to_owned()), "another second, another 50 bp");
}

#[test]
fn an_update_older_than_a_rejected_one_is_ignored() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    composite_price.receive(0, observation("2000", 0), at(0));
    composite_price.receive(0, observation("1900", 2_000), at(2_000));
    composite_price.receive(0, observation("2000", 1_000), at(2_100));
    assert!(price(&composite_price, 2_100).unwrap_err().starts_with("the price moved by"), "the newest word is 1900");
    composite_price.receive(0, observation("2000", 2_200), at(2_200));
    assert_eq!(price(&composite_price, 2_200), Ok("2000".to_owned()));
}

#[test]
fn after_the_clock_is_set_back_future_prices_are_untrusted() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    composite_price.receive(0, observation("2000", 300_000), at(300_000));
    assert_eq!(price(&composite_price, 0), Err("the last update is 300000 ms in the future".to_owned()));
    composite_price.receive(0, observation("1900", 100), at(100));
    assert_eq!(price(&composite_price, 100), Ok("1900".to_owned()), "it is used at once");
}

#[test]
fn low_confidence_and_future_prices_are_untrusted() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    let scaled = |confidence, millis| Observation::from_scaled(200_000_000_000, confidence, -8, at(millis));
    composite_price.receive(0, scaled(400_000_000, 0), at(0));
    assert_eq!(price(&composite_price, 0), Ok("2000".to_owned()));
    composite_price.receive(0, scaled(400_000_001, 100), at(100));
    let low_confidence = "the confidence interval of the source is ±20.01 bp, at most ±20 bp is allowed";
    assert_eq!(price(&composite_price, 100), Err(low_confidence.to_owned()));
    composite_price.receive(0, scaled(0, 2_200), at(200));
    assert_eq!(price(&composite_price, 200), Ok("2000".to_owned()), "clocks differ by two seconds");
    composite_price.receive(0, scaled(0, 5_000), at(2_999));
    assert_eq!(price(&composite_price, 2_999), Err("the last update is 2001 ms in the future".to_owned()));
    composite_price.receive(0, scaled(0, 1_000), at(3_000));
    assert!(price(&composite_price, 3_000).is_err(), "older than what is known: it says nothing");
    composite_price.receive(0, scaled(0, 3_000), at(3_000));
    assert_eq!(price(&composite_price, 3_000), Ok("2000".to_owned()));
}

/// Each step is within the limit per second, and all together exceed the limit per minute.
#[test]
fn a_creeping_price_is_not_followed_beyond_the_move_per_minute() {
    let rules = PriceRules { max_move_per_minute: basis_points("500"), ..rules(Aggregation::Priority) };
    let mut composite_price = CompositePrice::new(rules, 1);
    let mut cents = 100_000_u64;
    let mut highest = 0;
    for second in 0..600_u64 {
        let text = format!("{}.{:02}", cents / 100, cents % 100);
        composite_price.receive(0, observation(&text, second * 1_000), at(second * 1_000));
        if price(&composite_price, second * 1_000).is_ok() {
            highest = highest.max(cents);
        }
        // 0.45 % a second, 31 % a minute.
        cents += cents * 45 / 10_000;
        if second == 59 {
            assert!((104_000..=105_000).contains(&highest), "{highest} after a minute");
        }
    }
    assert!(highest <= 105_000, "{highest}: at this pace it is never trusted again");
}

#[test]
fn a_price_rejected_by_the_move_per_minute_is_trusted_after_the_minute() {
    let rules = PriceRules { max_move_per_minute: basis_points("500"), ..rules(Aggregation::Priority) };
    let mut composite_price = CompositePrice::new(rules, 1);
    composite_price.receive(0, observation("100", 0), at(0));
    // A move of 10 % takes two minutes at 5 % per minute.
    for (second, is_trusted) in [(60, false), (90, false), (119, false), (120, true)] {
        composite_price.receive(0, observation("110", second * 1_000), at(second * 1_000));
        assert_eq!(price(&composite_price, second * 1_000).is_ok(), is_trusted, "{second}");
    }
}

#[test]
fn looser_rules_accept_rejected_prices_at_once_and_stricter_ones_keep_trusted_ones() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 1);
    composite_price.receive(0, observation("100", 0), at(0));
    composite_price.receive(0, observation("103", 1_000), at(1_000));
    assert!(price(&composite_price, 1_000).is_err());
    composite_price
        .set_rules(PriceRules { max_jump_per_second: basis_points("400"), ..rules(Aggregation::Priority) }, at(1_000));
    assert_eq!(price(&composite_price, 1_000), Ok("103".to_owned()));
    composite_price
        .set_rules(PriceRules { max_jump_per_second: basis_points("1"), ..rules(Aggregation::Priority) }, at(1_500));
    assert_eq!(price(&composite_price, 1_500), Ok("103".to_owned()));
    composite_price.set_rules(PriceRules { max_age_ms: 100, ..rules(Aggregation::Priority) }, at(1_500));
    assert!(price(&composite_price, 1_500).is_err(), "the age is judged when it is read");
}
