//! What one source says of one asset, held against the rules.

use firmquote_domain::{InvalidValue, Price, Timestamp};

use super::{Change, Distrust, Observation, PriceRules, Trusted};

/// How far in the future an update may be: clocks differ.
const CLOCK_TOLERANCE_US: u64 = 2_000_000;

/// One source and one asset. Starts silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    /// The last observation that kept to the rules.
    accepted: Option<Observation>,
    /// Why what was said since is not trusted.
    doubt: Option<Distrust>,
}

impl Feed {
    /// Takes what the source says. An observation that is older than the accepted one says nothing new.
    pub(super) fn hear(&mut self, said: Result<Observation, InvalidValue>, rules: &PriceRules, now: Timestamp) {
        let observation = match said {
            Ok(observation) => observation,
            Err(error) => return self.doubt = Some(Distrust::Invalid(error)),
        };
        if self.accepted.is_some_and(|accepted| observation.observed_at < accepted.observed_at) {
            return;
        }
        self.doubt = self.breach(&observation, rules, now).err();
        if self.doubt.is_none() {
            self.accepted = Some(observation);
        }
    }

    /// The price, if it is trusted at `now`.
    pub(super) fn price(&self, rules: &PriceRules, now: Timestamp) -> Result<Trusted<Price>, Distrust> {
        if let Some(doubt) = &self.doubt {
            return Err(doubt.clone());
        }
        let Observation { price, observed_at, .. } = self.accepted.ok_or(Distrust::Silent)?;
        let until = observed_at.as_micros().saturating_add(rules.max_age_ms.saturating_mul(1_000));
        let trusted = Trusted { value: price, since: observed_at, until: Timestamp::from_micros(until) };
        trusted.at(now).map(|_| trusted)
    }

    fn breach(&self, observation: &Observation, rules: &PriceRules, now: Timestamp) -> Result<(), Distrust> {
        let ahead_us = observation.observed_at.as_micros().saturating_sub(now.as_micros());
        if ahead_us > CLOCK_TOLERANCE_US {
            return Err(Distrust::Future { ahead_ms: ahead_us / 1_000 });
        }
        let price = observation.price.steps();
        let width = Change::from(price, price.saturating_add(observation.confidence_steps));
        if width > rules.max_confidence {
            return Err(Distrust::Confidence { width, most: rules.max_confidence });
        }
        let Some(accepted) = self.accepted else { return Ok(()) };
        let passed_us = observation.observed_at.as_micros().saturating_sub(accepted.observed_at.as_micros());
        let most = Change::within(rules.max_jump_per_second, (passed_us / 1_000).max(1_000));
        let moved = Change::from(accepted.price.steps(), price);
        if moved > most { Err(Distrust::Jump { moved, most }) } else { Ok(()) }
    }
}
