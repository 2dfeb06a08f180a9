//! One price as it was sent, and its notation.

use firmquote_domain::{Symbol, Usd};
use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use crate::Observation;

/// A price of an asset that was sent, and can be trusted to be one. Serialized in the notation that it is read in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushedPrice {
    /// The asset.
    pub symbol: Symbol,
    /// Its price, with a time of whole milliseconds.
    pub observation: Observation,
}

impl Serialize for PushedPrice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Observation { price, confidence_steps, observed_at } = self.observation;
        let mut item = serializer.serialize_struct("PushedPrice", 4)?;
        item.serialize_field("symbol", self.symbol.as_str())?;
        item.serialize_field("price_usd", &price.to_string())?;
        item.serialize_field("confidence_usd", &Usd::new(confidence_steps).to_string())?;
        item.serialize_field("observed_at", &(observed_at.as_micros() / 1_000))?;
        item.end()
    }
}

#[derive(Serialize)]
struct List<'p> {
    prices: &'p [PushedPrice],
}

/// A list of prices as it is read: `{"prices": [..]}`.
pub fn written(prices: &[PushedPrice]) -> String {
    // Texts and numbers always have a JSON form.
    serde_json::to_string(&List { prices }).unwrap_or_default()
}
