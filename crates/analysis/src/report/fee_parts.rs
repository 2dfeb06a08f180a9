//! The parts of the fees of quotes that do not depend on volatility and time, from the configurations on the tape.

use std::collections::{HashMap, hash_map::Entry};

use firmquote_domain::{BasisPoints, QuoteId};
use firmquote_tape::{ConfigurationRow, RequestRow, SegmentFiles};

use crate::{RecordedConfiguration, replay::ReplayError};

/// The parts of the fee of a quote that are configured; the rest is for volatility and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeParts {
    /// The base fee of the pair.
    pub base: BasisPoints,
    /// The margin of firm levels, if it is a quote of some.
    pub levels_margin: Option<BasisPoints>,
}

/// Returns the parts of the fee of each quote on these tapes.
///
/// # Errors
/// For a tape that cannot be read, and a configuration on it that cannot be used.
pub fn fee_parts(segments: &[SegmentFiles]) -> Result<HashMap<QuoteId, FeeParts>, ReplayError> {
    let mut parts = HashMap::new();
    let mut configurations: HashMap<String, HashMap<_, FeeParts>> = HashMap::new();
    for segment in segments {
        for row in segment.read::<ConfigurationRow>()? {
            let Entry::Vacant(entry) = configurations.entry(row.hash.clone()) else { continue };
            let pools = RecordedConfiguration::pools(&row)?;
            let pairs = pools.iter().flat_map(|pool| {
                let spec = pool.signer().pool().spec();
                let levels_margin = pool.policy.firm_levels.as_ref().map(|levels| levels.margin);
                spec.pairs.iter().flat_map(move |pair| {
                    let parts = FeeParts { base: pair.fee.base, levels_margin };
                    let [one, other] = pair.assets.clone();
                    [(one.clone(), other.clone()), (other, one)].map(|names| ((spec.id, names), parts))
                })
            });
            entry.insert(pairs.collect());
        }
        for row in segment.read::<RequestRow>()? {
            let names = row.input.zip(row.output).zip(row.quote).zip(row.quote_id);
            let Some((((input, output), quote), id)) = names else { continue };
            let of_pair =
                configurations.get(&row.configuration).and_then(|known| known.get(&(quote.pool, (input, output))));
            let margin = |parts: &FeeParts| row.levels_id.and(parts.levels_margin);
            parts.extend(of_pair.map(|parts| (id, FeeParts { levels_margin: margin(parts), ..*parts })));
        }
    }
    Ok(parts)
}
