//! A price that breaks a rule is untrusted with a reason, and trusted again once it satisfies the rules.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

mod several_sources;
mod single_source;

use firmquote_domain::{BasisPoints, InvalidValue, Timestamp};
use firmquote_market::{Aggregation, CompositePrice, Deviation, Observation, PriceRules};

const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

fn basis_points(text: &str) -> BasisPoints {
    text.parse::<BasisPoints>().unwrap()
}

/// Rules with an age of 10 s, 50 bp per second, 100 bp between sources, and a confidence of 20 bp.
fn rules(aggregation: Aggregation) -> PriceRules {
    PriceRules {
        max_age_ms: 10_000,
        max_jump_per_second: basis_points("50"),
        max_move_per_minute: basis_points("3000"),
        max_deviation: Deviation::from_basis_points(basis_points("100")),
        max_confidence: Deviation::from_basis_points(basis_points("20")),
        aggregation,
    }
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_micros(START.as_micros() + millis * 1_000)
}

fn observation(price: &str, millis: u64) -> Result<Observation, InvalidValue> {
    Observation::from_decimal(price, at(millis))
}

fn price(composite_price: &CompositePrice, millis: u64) -> Result<String, String> {
    composite_price
        .price(at(millis))
        .map(|trusted| trusted.value.to_string())
        .map_err(|rejection| rejection.to_string())
}
