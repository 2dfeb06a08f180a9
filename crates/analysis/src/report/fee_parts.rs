//! The parts of the fees of quotes that do not depend on volatility and time, from the configurations and states on the
//! tape.

use std::collections::{HashMap, hash_map::Entry};

use firmquote_domain::{BasisPoints, FeeAdjustment, QuoteId};
use firmquote_tape::{ConfigurationRow, RequestRow, SegmentFiles, StateRow};

use crate::{RecordedConfiguration, replay::ReplayError};

/// The parts of the fee of a quote that do not depend on volatility and time; the rest is for these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeeParts {
    /// The base fee of the pair.
    pub base: BasisPoints,
    /// The margin of firm levels, if it is a quote of some.
    pub levels_margin: Option<BasisPoints>,
    /// What a breaker added.
    pub breaker: BasisPoints,
    /// What the terms of the client added or took off, in full: a discount that was cut to the least fee as well.
    pub client_adjustment: FeeAdjustment,
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
                    let parts = FeeParts { base: pair.fee.base, levels_margin, ..FeeParts::default() };
                    let [one, other] = pair.assets.clone();
                    [(one.clone(), other.clone()), (other, one)].map(|names| ((spec.id, names), parts))
                })
            });
            entry.insert(pairs.collect());
        }
        let states = segment.read::<StateRow>()?.into_iter();
        let adjustments: HashMap<_, _> =
            states.map(|row| (row.state_id, (row.fee_increase, row.fee_adjustment))).collect();
        for row in segment.read::<RequestRow>()? {
            let names = row.input.zip(row.output).zip(row.quote).zip(row.quote_id);
            let Some((((input, output), quote), id)) = names else { continue };
            let of_pair =
                configurations.get(&row.configuration).and_then(|known| known.get(&(quote.pool, (input, output))));
            let (breaker, client_adjustment) = adjustments.get(&quote.state_id).copied().unwrap_or_default();
            let of_quote = of_pair.map(|FeeParts { base, levels_margin, .. }| FeeParts {
                base: *base,
                levels_margin: row.levels_id.and(*levels_margin),
                breaker,
                client_adjustment,
            });
            parts.extend(of_quote.map(|parts| (id, parts)));
        }
    }
    Ok(parts)
}
