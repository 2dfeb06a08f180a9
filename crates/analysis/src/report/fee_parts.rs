//! The parts of the fees of quotes that do not depend on volatility and time, from the configurations and states on the
//! tape.

use std::collections::{HashMap, hash_map::Entry};

use firmquote_domain::{BasisPoints, FeeAdjustment, FeeCurve, QuoteId, StateId, Symbol};
use firmquote_pricing::fee;
use firmquote_tape::{ConfigurationRow, RecordedQuote, RequestRow, SegmentFiles, StateRow};

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
    /// What the terms of the client added or took off.
    pub client_adjustment: FeeAdjustment,
}

/// The configured fees of a pair.
#[derive(Clone)]
struct PairFees {
    symbols: [Symbol; 2],
    curve: FeeCurve,
    acceptance_window_seconds: u32,
    levels_margin: Option<BasisPoints>,
}

impl PairFees {
    /// Returns how the fee of a quote, which was priced in `state`, was adjusted: the difference to what others paid.
    fn adjustment(&self, state: &StateRow, quote: &RecordedQuote) -> FeeAdjustment {
        if state.fee_adjustment.is_none() {
            return FeeAdjustment::default();
        }
        let estimated = state.pairs.iter().find(|pair| pair.symbols == self.symbols).and_then(|pair| pair.volatility);
        let curve = FeeCurve {
            base: self.curve.base.saturating_add(state.fee_increase),
            annual_volatility: estimated.unwrap_or(self.curve.annual_volatility),
        };
        FeeAdjustment::between(fee(&curve, self.acceptance_window_seconds, quote.time_in_seconds), quote.fee)
    }
}

/// Returns the parts of the fee of each quote on these tapes.
///
/// # Errors
/// For a tape that cannot be read, and a configuration on it that cannot be used.
pub fn fee_parts(segments: &[SegmentFiles]) -> Result<HashMap<QuoteId, FeeParts>, ReplayError> {
    let mut parts = HashMap::new();
    let mut configurations: HashMap<String, HashMap<_, PairFees>> = HashMap::new();
    for segment in segments {
        for row in segment.read::<ConfigurationRow>()? {
            let Entry::Vacant(entry) = configurations.entry(row.hash.clone()) else { continue };
            let pools = RecordedConfiguration::pools(&row)?;
            let pairs = pools.iter().flat_map(|pool| {
                let spec = pool.signer().pool().spec();
                let levels_margin = pool.policy.firm_levels.as_ref().map(|levels| levels.margin);
                spec.pairs.iter().flat_map(move |pair| {
                    let fees = PairFees {
                        symbols: pair.assets.clone(),
                        curve: pair.fee,
                        acceptance_window_seconds: spec.acceptance_window_seconds,
                        levels_margin,
                    };
                    let [one, other] = pair.assets.clone();
                    [(one.clone(), other.clone()), (other, one)].map(|names| ((spec.id, names), fees.clone()))
                })
            });
            entry.insert(pairs.collect());
        }
        let states: HashMap<StateId, StateRow> =
            segment.read::<StateRow>()?.into_iter().map(|row| (row.state_id, row)).collect();
        for row in segment.read::<RequestRow>()? {
            let names = row.input.zip(row.output).zip(row.quote).zip(row.quote_id);
            let Some((((input, output), quote), id)) = names else { continue };
            let of_pair =
                configurations.get(&row.configuration).and_then(|known| known.get(&(quote.pool, (input, output))));
            let state = states.get(&quote.state_id);
            let of_quote = of_pair.map(|pair| FeeParts {
                base: pair.curve.base,
                levels_margin: row.levels_id.and(pair.levels_margin),
                breaker: state.map(|state| state.fee_increase).unwrap_or_default(),
                client_adjustment: state.map(|state| pair.adjustment(state, &quote)).unwrap_or_default(),
            });
            parts.extend(of_quote.map(|parts| (id, parts)));
        }
    }
    Ok(parts)
}
