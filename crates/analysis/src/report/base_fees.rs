//! The base fees of quotes, from the configurations on the tape: the rest of a fee is for volatility and time.

use std::collections::{HashMap, hash_map::Entry};

use firmquote_domain::{BasisPoints, QuoteId};
use firmquote_tape::{ConfigurationRow, RequestRow, SegmentFiles};

use crate::{RecordedConfiguration, replay::ReplayError};

/// Returns the base fee of each quote on these tapes.
///
/// # Errors
/// For a tape that cannot be read, and a configuration on it that cannot be used.
pub fn base_fees(segments: &[SegmentFiles]) -> Result<HashMap<QuoteId, BasisPoints>, ReplayError> {
    let mut fees = HashMap::new();
    let mut configurations: HashMap<String, HashMap<_, BasisPoints>> = HashMap::new();
    for segment in segments {
        for row in segment.read::<ConfigurationRow>()? {
            let Entry::Vacant(entry) = configurations.entry(row.hash.clone()) else { continue };
            let pools = RecordedConfiguration::pools(&row)?;
            let specs = pools.iter().map(|pool| pool.signer().pool().spec());
            let pairs = specs.flat_map(|spec| {
                spec.pairs.iter().flat_map(|pair| {
                    let [one, other] = pair.assets.clone();
                    [(one.clone(), other.clone()), (other, one)].map(|names| ((spec.id, names), pair.fee.base))
                })
            });
            entry.insert(pairs.collect());
        }
        for row in segment.read::<RequestRow>()?.into_iter().filter(|row| row.levels_id.is_none()) {
            let names = row.input.zip(row.output).zip(row.quote).zip(row.quote_id);
            let Some((((input, output), quote), id)) = names else { continue };
            let fee =
                configurations.get(&row.configuration).and_then(|known| known.get(&(quote.pool, (input, output))));
            fees.extend(fee.map(|fee| (id, *fee)));
        }
    }
    Ok(fees)
}
