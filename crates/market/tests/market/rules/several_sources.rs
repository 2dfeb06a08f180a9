//! The price of several sources: priority, median, deviation and fixed prices.

use firmquote_domain::Price;
use firmquote_market::{Aggregation, CompositePrice, Rejection};

use super::{START, at, observation, price, rules};

#[test]
fn a_jumped_source_bounds_the_others_until_stale() {
    for aggregation in [Aggregation::Priority, Aggregation::Median { min_sources: 2 }] {
        let mut composite_price = CompositePrice::new(rules(aggregation), 3);
        composite_price.receive(0, observation("2000", 0), at(0));
        composite_price.receive(0, observation("1960", 500), at(500));
        for source in [1, 2] {
            composite_price.receive(source, observation("2000", 9_000), at(9_000));
        }
        let deviation = "sources are 204.09 bp apart, at most 100 bp is allowed";
        assert_eq!(price(&composite_price, 10_000), Err(deviation.to_owned()));
        assert_eq!(price(&composite_price, 10_500), Ok("2000".to_owned()));
    }
}

#[test]
fn the_first_trusted_source_has_priority() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Priority), 3);
    composite_price.receive(2, observation("2003", 0), at(0));
    assert_eq!(price(&composite_price, 0), Ok("2003".to_owned()));
    composite_price.receive(1, observation("2002", 5_000), at(5_000));
    composite_price.receive(0, observation("2001", 6_000), at(6_000));
    assert_eq!(price(&composite_price, 6_000), Ok("2001".to_owned()));
    composite_price.receive(0, observation("0", 7_000), at(7_000));
    assert_eq!(price(&composite_price, 7_000), Ok("2002".to_owned()));
    let invalid = "the last update is not a valid price: ";
    assert!(price(&composite_price, 15_000).unwrap_err().starts_with(invalid), "the error of the first is reported");
    composite_price.receive(3, observation("2001", 15_000), at(15_000));
    assert!(price(&composite_price, 15_000).is_err(), "a source that is not of the panel");
}

#[test]
fn the_median_uses_trusted_sources_and_needs_a_quorum() {
    let mut composite_price = CompositePrice::new(rules(Aggregation::Median { min_sources: 2 }), 4);
    composite_price.receive(3, observation("2003", 0), at(0));
    assert_eq!(price(&composite_price, 0), Err("1 sources are trusted, 2 are required".to_owned()));
    composite_price.receive(0, observation("2000.00000001", 1_000), at(1_000));
    assert_eq!(price(&composite_price, 1_000), Ok("2001.5".to_owned()), "the mean of two, rounded down");
    composite_price.receive(1, observation("2001", 2_000), at(2_000));
    assert_eq!(price(&composite_price, 2_000), Ok("2001".to_owned()));
    assert_eq!(composite_price.price(at(2_000)).unwrap().until, at(10_000), "for as long as all of them are");
    assert_eq!(price(&composite_price, 10_000), Ok("2000.5".to_owned()), "the oldest no longer counts");
}

#[test]
fn diverging_sources_are_all_untrusted_until_they_agree() {
    for aggregation in [Aggregation::Priority, Aggregation::Median { min_sources: 1 }] {
        let mut composite_price = CompositePrice::new(rules(aggregation), 2);
        composite_price.receive(0, observation("2000", 0), at(0));
        composite_price.receive(1, observation("2020.1", 0), at(0));
        let deviation = "sources are 100.5 bp apart, at most 100 bp is allowed";
        assert_eq!(price(&composite_price, 0), Err(deviation.to_owned()));
        composite_price.receive(1, observation("2020", 1_000), at(1_000));
        assert!(price(&composite_price, 1_000).is_ok());
    }
}

#[test]
fn a_fixed_price_never_expires_alone_and_only_bounds_other_sources() {
    let fixed = "2000".parse::<Price>().unwrap();
    for aggregation in [Aggregation::Priority, Aggregation::Median { min_sources: 1 }] {
        let mut composite_price = CompositePrice::new(rules(aggregation), 1);
        composite_price.set_fixed_price(0, fixed);
        composite_price.set_fixed_price(1, "1".parse::<Price>().unwrap());
        composite_price.receive(0, observation("1", 0), at(0));
        assert_eq!(price(&composite_price, 1_000_000_000_000), Ok("2000".to_owned()), "it has no source");

        let mut composite_price = CompositePrice::new(rules(aggregation), 2);
        composite_price.set_fixed_price(0, fixed);
        assert_eq!(composite_price.price(START), Err(Rejection::Silent), "it replaces no source");
        composite_price.receive(1, observation("2010", 0), at(0));
        assert_eq!(price(&composite_price, 0), Ok("2010".to_owned()), "the live one, also after it and in a median");
        assert!(price(&composite_price, 10_000).unwrap_err().starts_with("the last update is 10000 ms old"));
        composite_price.receive(1, observation("2020.1", 13_000), at(13_000));
        let deviation = "sources are 100.5 bp apart, at most 100 bp is allowed";
        assert_eq!(price(&composite_price, 13_000), Err(deviation.to_owned()));
        composite_price.receive(1, observation("2020", 14_000), at(14_000));
        assert_eq!(price(&composite_price, 14_000), Ok("2020".to_owned()));
    }
}

#[test]
fn extreme_prices_neither_overflow_nor_panic() {
    let (lowest, highest) = ("0.00000001", "184467440737.09551615");
    for (one, other) in [(lowest, highest), (highest, lowest), (highest, highest), (lowest, lowest)] {
        let mut composite_price = CompositePrice::new(rules(Aggregation::Median { min_sources: 1 }), 2);
        composite_price.receive(0, observation(one, 0), at(0));
        composite_price.receive(1, observation(other, 0), at(0));
        assert_eq!(composite_price.price(at(0)).is_ok(), one == other, "{one} {other}");
        composite_price.receive(0, observation(other, 1), at(1));
        assert_eq!(composite_price.price(at(1)).map(|trusted| trusted.value), Ok(other.parse::<Price>().unwrap()));
    }
}
