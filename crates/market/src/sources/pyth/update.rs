//! The JSON of one event, and the observations in it.

use firmquote_domain::{B256, InvalidValue, Timestamp};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{Observation, SourceError};

/// The update of one feed in an event. Its values are parsed one by one, so that an invalid one affects only its feed.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) feed: B256,
    price: WirePrice,
}

/// `PriceUpdate` of Hermes; its member with the signed form of the same prices is not read.
#[derive(Deserialize)]
struct WireEvent<'e> {
    #[serde(borrow)]
    parsed: Vec<&'e RawValue>,
}

#[derive(Deserialize)]
struct WireUpdate {
    id: String,
    price: WirePrice,
}

/// The price is `price` times 10^`expo`, plus or minus `conf` times 10^`expo`.
#[derive(Debug, Deserialize)]
struct WirePrice {
    price: Value,
    conf: Value,
    expo: Value,
    publish_time: Value,
}

/// Parses the feeds of an event, each on its own.
///
/// # Errors
/// [`SourceError::Protocol`] for invalid JSON; for a feed, for a missing field, or an invalid feed identifier.
pub(super) fn updates(data: &str) -> Result<Vec<Result<Update, SourceError>>, SourceError> {
    let protocol_error = |error: serde_json::Error| SourceError::protocol(&error.to_string());
    let event: WireEvent<'_> = serde_json::from_str(data).map_err(protocol_error)?;
    let update = |item: &RawValue| {
        let WireUpdate { id, price } = serde_json::from_str(item.get()).map_err(protocol_error)?;
        let feed = id.parse().map_err(|_| SourceError::protocol(&format!("not a feed identifier: {id}")))?;
        Ok(Update { feed, price })
    };
    Ok(event.parsed.into_iter().map(update).collect())
}

impl Update {
    /// Returns the price, observed in the second in which the network published it.
    ///
    /// # Errors
    /// Those of [`Observation::from_scaled`], and [`InvalidValue::Malformed`] for a value of another shape than in
    /// Hermes: 64-bit integers as strings for price and confidence, 32-bit and 64-bit numbers for exponent and time.
    pub(super) fn observation(&self) -> Result<Observation, InvalidValue> {
        let WirePrice { price, conf, expo, publish_time } = &self.price;
        let malformed = |expected| InvalidValue::Malformed { expected };
        let price: i64 = parse_integer(price).ok_or(malformed("a price of 64 bits"))?;
        let confidence: u64 = parse_integer(conf).ok_or(malformed("a confidence of 64 bits"))?;
        let exponent = expo.as_i64().and_then(|expo| i32::try_from(expo).ok());
        let micros = publish_time.as_u64().and_then(|seconds| seconds.checked_mul(1_000_000));
        let observed_at = micros.map(Timestamp::from_micros).ok_or(malformed("a time in Unix seconds"))?;
        let exponent = exponent.ok_or(malformed("an exponent of 32 bits"))?;
        Observation::from_scaled(price.into(), confidence.into(), exponent, observed_at)
    }
}

/// Parses an integer in a JSON string.
fn parse_integer<T: std::str::FromStr>(text: &Value) -> Option<T> {
    text.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn event(price: Value, conf: Value, expo: Value, publish_time: Value) -> String {
        let price = json!({"price": price, "conf": conf, "expo": expo, "publish_time": publish_time});
        json!({"binary": {"encoding": "hex", "data": ["504e"]}, "parsed": [{"id": "ab".repeat(32), "price": price}]})
            .to_string()
    }

    fn observation(event: &str) -> Result<Observation, InvalidValue> {
        updates(event).unwrap()[0].as_ref().unwrap().observation()
    }

    #[test]
    fn prices_keep_their_exponent_confidence_and_time() {
        for (price, conf, expo, text, steps) in [
            ("195656091864", "87908136", -8, "1956.56091864", 87_908_136),
            ("43380934", "30066", -5, "433.80934", 30_066_000),
            ("1", "0", 0, "1", 0),
        ] {
            let observation =
                observation(&event(json!(price), json!(conf), json!(expo), json!(1_785_143_368))).unwrap();
            assert_eq!((observation.price.to_string().as_str(), observation.confidence_steps), (text, steps));
            assert_eq!(observation.observed_at, Timestamp::from_seconds(1_785_143_368));
        }
    }

    #[test]
    fn identifiers_may_have_a_prefix() {
        for id in ["AB".repeat(32), format!("0x{}", "ab".repeat(32))] {
            let price = json!({"price": "1", "conf": "1", "expo": 0, "publish_time": 1});
            let event = json!({"parsed": [{"id": id, "price": price}]}).to_string();
            assert_eq!(updates(&event).unwrap()[0].as_ref().unwrap().feed, B256::repeat_byte(0xab));
        }
    }

    #[test]
    fn invalid_values_have_no_price() {
        let (price, conf, expo, time) = (json!("195656091864"), json!("1"), json!(-8), json!(1_785_143_368));
        for bad in ["0", "-1", "NaN", "1e300", "1.5", "", " 1", "inf", "9223372036854775808"].map(|text| json!(text)) {
            assert!(observation(&event(bad.clone(), conf.clone(), expo.clone(), time.clone())).is_err(), "{bad}");
        }
        for bad in [json!(195_656_091_864_u64), json!(null), json!({}), json!([]), json!(1.5), json!(true)] {
            assert!(observation(&event(bad.clone(), conf.clone(), expo.clone(), time.clone())).is_err(), "{bad}");
            assert!(observation(&event(price.clone(), bad.clone(), expo.clone(), time.clone())).is_err(), "{bad}");
        }
        for bad in [json!("-1"), json!("NaN"), json!("18446744073709551616")] {
            assert!(observation(&event(price.clone(), bad.clone(), expo.clone(), time.clone())).is_err(), "{bad}");
        }
        let exponents = [json!("-8"), json!(-8.5), json!(2_147_483_648_u64), json!(i32::MIN), json!(300), json!(null)];
        for bad in exponents {
            assert!(observation(&event(price.clone(), conf.clone(), bad.clone(), time.clone())).is_err(), "{bad}");
        }
        for bad in [json!(-1), json!(1.5), json!("1785143368"), json!(u64::MAX), json!(null)] {
            assert!(observation(&event(price.clone(), conf.clone(), expo.clone(), bad.clone())).is_err(), "{bad}");
        }
    }

    #[test]
    fn invalid_events_violate_the_protocol() {
        for data in ["", "garbage", "[]", "{}", r#"{"parsed":null}"#, r#"{"parsed":[{"id":1e}]}"#] {
            assert!(matches!(updates(data), Err(SourceError::Protocol { .. })), "{data}");
        }
        let deep = format!(r#"{{"parsed":{}"#, "[".repeat(100_000));
        let error = updates(&deep).unwrap_err().to_string();
        assert!(error.len() < 300, "{error}");
    }

    #[test]
    fn an_invalid_feed_does_not_affect_its_neighbors() {
        let good =
            format!(r#"{{"id":"{}","price":{{"price":"1","conf":"1","expo":0,"publish_time":1}}}}"#, "ab".repeat(32));
        for bad in [
            "{}",
            "null",
            r#"{"id":"ab","price":{"price":"1","conf":"1","expo":0,"publish_time":1}}"#,
            r#"{"id":"","price":{"price":"1","conf":"1","expo":0}}"#,
            r#"{"id":"","price":{"price":"1","price":"2","conf":"1","expo":0,"publish_time":1}}"#,
            &good.replace(r#""expo":0"#, r#""expo":1e999"#),
            &format!(r#"{{"id":"{}\u0007"}}"#, "x".repeat(1_000)),
        ] {
            let updates = updates(&format!(r#"{{"parsed":[{good},{bad},{good}]}}"#)).unwrap();
            let [Ok(_), Err(error), Ok(_)] = updates.as_slice() else { panic!("{bad}: {updates:?}") };
            assert!(matches!(error, SourceError::Protocol { .. }) && error.to_string().len() < 300, "{error}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_values_never_panic(price: i64, conf: u64, expo: i32, near in -40..40, publish_time: i64) {
            for expo in [expo, near] {
                let event = event(json!(price.to_string()), json!(conf.to_string()), json!(expo), json!(publish_time));
                if let Ok(observation) = observation(&event) {
                    prop_assert!(price > 0 && publish_time >= 0);
                    let exact = Observation::from_scaled(price.into(), conf.into(), expo, observation.observed_at);
                    prop_assert_eq!(Ok(observation), exact);
                }
            }
        }

        #[test]
        fn arbitrary_text_never_panics(text: String) {
            drop(updates(&text));
        }
    }
}
