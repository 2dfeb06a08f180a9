//! What one source says of one asset, held against the rules.

use firmquote_domain::{InvalidValue, Price, Timestamp};

use super::{Change, Distrust, FeedStatus, Observation, PriceRules, Rule, Trusted};

/// How far in the future an update may be: clocks differ.
const CLOCK_TOLERANCE_US: u64 = 2_000_000;

/// One source and one asset. Starts silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    /// The last observation that kept to the rules.
    accepted: Option<Observation>,
    /// Why what was said since is not trusted.
    doubt: Option<Distrust>,
    /// The last observation, whether it kept to the rules or not.
    said: Option<Observation>,
    /// How often each of [`Rule::OF_WORDS`] was broken.
    refused: [u64; Rule::OF_WORDS.len()],
    /// The price of a source that always says the same.
    fixed: Option<Price>,
}

impl Feed {
    /// Takes what the source says. An observation that is older than the accepted one says nothing new.
    pub(super) fn hear(&mut self, said: Result<Observation, InvalidValue>, rules: &PriceRules, now: Timestamp) {
        let observation = match said {
            Ok(observation) => observation,
            Err(error) => return self.refuse(Distrust::Invalid(error)),
        };
        if self.accepted.is_some_and(|accepted| observation.observed_at < accepted.observed_at) {
            return;
        }
        self.said = Some(observation);
        match self.breach(&observation, rules, now) {
            Err(doubt) => self.refuse(doubt),
            Ok(()) => (self.accepted, self.doubt) = (Some(observation), None),
        }
    }

    fn refuse(&mut self, doubt: Distrust) {
        let counts = Rule::OF_WORDS.iter().zip(&mut self.refused);
        counts.filter(|(rule, _)| **rule == doubt.rule()).for_each(|(_, count)| *count = count.saturating_add(1));
        self.doubt = Some(doubt);
    }

    /// Says `price` from now on, trusted for ever, whatever is heard.
    pub(super) fn fix(&mut self, price: Price) {
        self.fixed = Some(price);
    }

    pub(super) const fn is_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    pub(super) fn status(&self, rules: &PriceRules, now: Timestamp) -> FeedStatus {
        let said = self.said.map(|said| (said.price, Some(said.observed_at)));
        let mut refused = Rule::OF_WORDS.map(|rule| (rule, 0));
        refused.iter_mut().zip(self.refused).for_each(|((_, shown), count)| *shown = count);
        FeedStatus {
            said: self.fixed.map(|price| (price, None)).or(said),
            distrust: self.price(rules, now).err(),
            refused,
        }
    }

    /// The price, if it is trusted at `now`.
    pub(super) fn price(&self, rules: &PriceRules, now: Timestamp) -> Result<Trusted<Price>, Distrust> {
        if let Some(price) = self.fixed {
            return Ok(Trusted::for_ever(price));
        }
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
