//! Best bid and best ask of one product, and the mid price between them.

use firmquote_domain::{InvalidValue, Timestamp, U256, parse_decimal};
use serde_json::Value;

use crate::Observation;

/// The number of decimals with which bid and ask are read: more than any price has, few enough for the sum of two to
/// fit into 128 bits.
const DECIMALS: u8 = 20;

/// One decimal more: half of the sum of two such numbers is exact.
const EXPONENT: i32 = -21;

/// The best bid and ask of one product, as the exchange sent them.
#[derive(Debug)]
pub(super) struct Ticker {
    /// The exchange's name of the product.
    pub(super) product: String,
    /// A decimal in a string, or an invalid value.
    pub(super) bid: Value,
    /// A decimal in a string, or an invalid value.
    pub(super) ask: Value,
    /// The time of the ticker.
    pub(super) time: Result<Timestamp, InvalidValue>,
}

impl Ticker {
    /// Returns the mid price of bid and ask, with half the spread as the confidence. The mid price is rounded down to a
    /// step of 1e-8; a price is rejected if that changes it by more than 0.1 basis points. The confidence is rounded
    /// up.
    ///
    /// # Errors
    /// [`InvalidValue::Malformed`] for a bid or ask that is not a plain decimal in a string, or an invalid time;
    /// [`InvalidValue::OutOfRange`] for a bid of zero, an ask below the bid, and values that are no prices;
    /// [`InvalidValue::TooPrecise`] for more than 20 decimals, and for a mid price that cannot be rounded.
    pub(super) fn observation(&self) -> Result<Observation, InvalidValue> {
        const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "a bid above zero and not above the ask" };
        let (bid, ask) = (decimal(&self.bid)?, decimal(&self.ask)?);
        if bid.is_zero() || ask < bid {
            return Err(RANGE);
        }
        // Half of a number, with one more decimal, is five times the number.
        let five = U256::from(5);
        let sum = bid.checked_add(ask).and_then(|sum| sum.checked_mul(five)).and_then(|sum| i128::try_from(sum).ok());
        let spread = ask.checked_sub(bid).and_then(|spread| spread.checked_mul(five));
        let spread = spread.and_then(|spread| u128::try_from(spread).ok());
        Observation::from_scaled(sum.ok_or(RANGE)?, spread.ok_or(RANGE)?, EXPONENT, self.time?)
    }
}

/// Parses a decimal in a JSON string to steps of 1e-20, exactly.
fn decimal(text: &Value) -> Result<U256, InvalidValue> {
    let text = text.as_str().ok_or(InvalidValue::Malformed { expected: "a best bid and a best ask in texts" })?;
    match parse_decimal(text, DECIMALS)? {
        (exact, false) => Ok(exact),
        (_, true) => Err(InvalidValue::TooPrecise { allowed: "20 decimals" }),
    }
}

/// Parses an RFC 3339 time, truncated to microseconds.
pub(super) fn rfc3339(time: &Value) -> Result<Timestamp, InvalidValue> {
    const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "a time such as 2026-03-11T16:54:02.163093Z" };
    let time: jiff::Timestamp = time.as_str().ok_or(SHAPE)?.parse().map_err(|_| SHAPE)?;
    u64::try_from(time.as_microsecond()).map(Timestamp::from_micros).map_err(|_| SHAPE)
}

#[cfg(test)]
mod tests {
    use firmquote_domain::Usd;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const AT: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn observation(bid: Value, ask: Value) -> Result<Observation, InvalidValue> {
        Ticker { product: "ETHUSDT".to_owned(), bid, ask, time: Ok(AT) }.observation()
    }

    #[test]
    fn the_price_is_the_exact_midpoint_truncated_to_eight_decimals() {
        for (bid, ask, price, confidence_steps) in [
            ("25.35190000", "25.36520000", "25.35855", 665_000),
            ("70691.27", "70691.28", "70691.275", 500_000),
            ("4388", "4388.01", "4388.005", 500_000),
            ("1", "1", "1", 0),
            ("1.00000001", "1.00000002", "1.00000001", 1),
            ("0.99999999", "1.00000000", "0.99999999", 1),
            ("2080.00000000000000000001", "2080.00000000000000000003", "2080", 1),
            ("0.00000001", "0.00000003", "0.00000002", 1),
            ("184467440737.09551615", "184467440737.09551615", "184467440737.09551615", 0),
        ] {
            let observation = observation(json!(bid), json!(ask)).unwrap();
            assert_eq!(
                (observation.price.to_string().as_str(), observation.confidence_steps),
                (price, confidence_steps),
                "{bid} {ask}"
            );
            assert_eq!(observation.observed_at, AT);
        }
    }

    #[test]
    fn invalid_books_have_no_price() {
        let good = json!("25.3");
        let bad = ["0", "0.0", "-1", "NaN", "1e300", "inf", "", " 25.3", "25,3", "+25.3", ".5", "25.", "0x19"];
        let shapes = [json!(null), json!(25.3), json!(25), json!([]), json!({}), json!(false)];
        let huge = ["9".repeat(26), "9".repeat(60), "9".repeat(78)];
        let fine = format!("25.{}1", "0".repeat(20));
        let bad =
            bad.map(|text| json!(text)).into_iter().chain(shapes).chain(huge.map(Value::from)).chain([json!(fine)]);
        for bad in bad {
            for (bid, ask) in [(bad.clone(), good.clone()), (good.clone(), bad.clone()), (bad.clone(), bad.clone())] {
                assert!(observation(bid, ask).is_err(), "{bad}");
            }
        }
        for (bid, ask) in [("25.4", "25.3"), ("0.00000001", "0.00000002"), ("184467440737.09551616", "184467440738")] {
            assert!(observation(json!(bid), json!(ask)).is_err(), "{bid} {ask}");
        }
    }

    #[test]
    fn confidence_covers_the_spread() {
        let observation = observation(json!("1"), json!("3999")).unwrap();
        assert_eq!((observation.price.to_string().as_str(), observation.confidence_steps), ("2000", 199_900_000_000));
    }

    #[test]
    fn a_price_without_a_time_is_rejected() {
        let time = Err(InvalidValue::Malformed { expected: "a time" });
        let ticker = Ticker { product: "ETH-USD".to_owned(), bid: json!("1"), ask: json!("1"), time };
        assert_eq!(ticker.observation(), Err(InvalidValue::Malformed { expected: "a time" }));
    }

    proptest! {
        #[test]
        fn the_midpoint_of_integers_is_their_mean_rounded_down(bid in 1..=u64::MAX, spread in 0..=u64::MAX) {
            let ask = bid.saturating_add(spread);
            let text = |steps: u64| json!(Usd::new(steps).to_string());
            let observation = observation(text(bid), text(ask));
            let observation = observation.map(|observation| (observation.price.steps(), observation.confidence_steps));
            let middle = u64::midpoint(bid, ask);
            // Half a step is more than 0.1 basis points of a smaller price.
            prop_assume!(middle >= 50_000);
            prop_assert_eq!(observation, Ok((middle, (ask - bid).div_ceil(2))));
        }

        #[test]
        fn arbitrary_text_never_panics(bid in any::<String>(), ask in "[0-9]{0,90}[.]?[0-9]{0,90}") {
            for (bid, ask) in [(json!(bid), json!(ask)), (json!(ask), json!(ask))] {
                if let Ok(observation) = observation(bid, ask) {
                    prop_assert_eq!(observation.observed_at, AT);
                }
            }
        }
    }
}
