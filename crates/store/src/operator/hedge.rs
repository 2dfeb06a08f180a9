//! Hedges in the operator's stream.

use std::str::FromStr;
use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, ErrorKind},
    path::Path,
};

use firmquote_domain::{Hedge, InvalidValue, Symbol, Timestamp};
use serde::{Deserialize, Serialize};

/// A hedge as it is written: the members of its entry, but for who reported it and when.
#[derive(Serialize, Deserialize)]
pub(crate) struct HedgeRecord {
    hedge_id: String,
    venue: String,
    sold_asset_symbol: String,
    sold_quantity: String,
    bought_asset_symbol: String,
    bought_quantity: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    price: Option<String>,
    fee_usd: String,
    executed_at_us: u64,
}

/// The entry of a hedge, as far as it is read.
#[derive(Deserialize)]
struct HedgeEntry {
    event: String,
    #[serde(flatten)]
    record: HedgeRecord,
    recorded_at_us: u64,
}

impl From<&Hedge> for HedgeRecord {
    fn from(hedge: &Hedge) -> Self {
        let Hedge { id, venue, sold, bought, price, fee, executed_at } = hedge;
        Self {
            hedge_id: id.to_string(),
            venue: venue.to_string(),
            sold_asset_symbol: sold.0.to_string(),
            sold_quantity: sold.1.to_string(),
            bought_asset_symbol: bought.0.to_string(),
            bought_quantity: bought.1.to_string(),
            price: price.map(|price| price.to_string()),
            fee_usd: fee.to_string(),
            executed_at_us: executed_at.as_micros(),
        }
    }
}

impl HedgeRecord {
    /// Formats a hedge as one line of JSON; equal hedges give equal lines.
    #[cfg(feature = "redis")]
    pub(crate) fn line(hedge: &Hedge) -> serde_json::Result<String> {
        serde_json::to_string(&Self::from(hedge))
    }

    fn to_hedge(&self) -> Result<Hedge, InvalidValue> {
        fn parse<T: FromStr<Err = InvalidValue>>(text: &str) -> Result<T, InvalidValue> {
            text.parse()
        }
        let symbol = |text: &str| Symbol::new(text);
        Ok(Hedge {
            id: parse(&self.hedge_id)?,
            venue: parse(&self.venue)?,
            sold: (symbol(&self.sold_asset_symbol)?, parse(&self.sold_quantity)?),
            bought: (symbol(&self.bought_asset_symbol)?, parse(&self.bought_quantity)?),
            price: self.price.as_deref().map(parse).transpose()?,
            fee: parse(&self.fee_usd)?,
            executed_at: Timestamp::from_micros(self.executed_at_us),
        })
    }
}

/// Returns the hedge of a line of the operator's stream with the time at which it was recorded; `None` for another entry.
pub fn hedge_of_line(line: &[u8]) -> Option<(Hedge, Timestamp)> {
    let entry: HedgeEntry = serde_json::from_slice(line).ok()?;
    let hedge = (entry.event == "hedged").then(|| entry.record.to_hedge().ok()).flatten()?;
    Some((hedge, Timestamp::from_micros(entry.recorded_at_us)))
}

/// Returns the hedges in a file of the operator's stream with the times at which they were recorded; none if there is no
/// file.
///
/// # Errors
/// [`io::Error`] when the file cannot be read.
pub fn read_hedges(path: &Path) -> io::Result<Vec<(Hedge, Timestamp)>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut hedges = Vec::new();
    for line in BufReader::new(file).split(b'\n') {
        hedges.extend(hedge_of_line(&line?));
    }
    Ok(hedges)
}
