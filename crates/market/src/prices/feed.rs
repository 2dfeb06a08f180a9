//! What one source says of one asset, held against the rules.

use std::collections::VecDeque;

use firmquote_domain::{InvalidValue, Price, Timestamp};

use super::{Deviation, FeedStatus, Observation, PriceRules, Rejection, Rule, Trusted};

/// How far in the future an update may be: clocks differ.
const CLOCK_TOLERANCE_US: u64 = 2_000_000;

/// How long every observation is held against the same one.
const ANCHOR_EVERY_US: u64 = 1_000_000;

/// The time that a price may take for the move of a minute.
const MINUTE_US: u64 = 60_000_000;

/// Microseconds in a thousandth of a minute: a speed per minute is one per second on a clock that runs 60 times slower.
const MICROS_PER_MINUTE_MILLI: u64 = 60_000;

/// How far observations of the last minute are apart that are kept.
const REMEMBER_EVERY_US: u64 = 5_000_000;

/// One source and one asset. Starts silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    /// The last observation that kept to the rules.
    accepted: Option<Observation>,
    /// What the next is held against: an accepted observation of at least a second before the last, if there is one, so
    /// that many words in a second move no further than one.
    anchor: Option<Observation>,
    /// What the next is held against as well: accepted observations of the last minute and the one before them, the oldest
    /// first.
    minute: VecDeque<Observation>,
    /// Why what was said since is not trusted.
    doubt: Option<Rejection>,
    /// The last observation that is not of the future, whether it kept to the rules or not.
    latest: Option<Observation>,
    /// How often each of [`Rule::OF_WORDS`] was broken.
    refused: [u64; Rule::OF_WORDS.len()],
    /// The price of a source that always says the same.
    fixed: Option<Price>,
}

impl Feed {
    /// Takes what the source says. An observation that is older than the last one says nothing new, unless the last one
    /// lies in the future by now: a clock was put back.
    pub(super) fn receive(&mut self, latest: Result<Observation, InvalidValue>, rules: &PriceRules, now: Timestamp) {
        let observation = match latest {
            Ok(observation) => observation,
            Err(error) => return self.refuse(Rejection::Invalid(error)),
        };
        if self.latest.is_some_and(|latest| ahead_us(latest.observed_at, now) > CLOCK_TOLERANCE_US) {
            (self.accepted, self.anchor, self.latest) = (None, None, None);
            self.minute.clear();
        }
        if self.latest.is_some_and(|latest| observation.observed_at < latest.observed_at) {
            return;
        }
        match self.breach(&observation, rules, now) {
            Err(doubt) => {
                if !matches!(doubt, Rejection::Future { .. }) {
                    self.latest = Some(observation);
                }
                self.refuse(doubt);
            }
            Ok(()) => self.accept(observation),
        }
    }

    fn accept(&mut self, observation: Observation) {
        let is_due = |anchor: Observation| ahead_us(observation.observed_at, anchor.observed_at) >= ANCHOR_EVERY_US;
        if self.anchor.is_none_or(is_due) {
            self.anchor = Some(observation);
        }
        self.remember(observation);
        (self.accepted, self.latest, self.doubt) = (Some(observation), Some(observation), None);
    }

    /// Keeps every observation that is far enough from the one before it, for a minute, and the newest that is older.
    fn remember(&mut self, observation: Observation) {
        let age_us = |earlier: &Observation| ahead_us(observation.observed_at, earlier.observed_at);
        if self.minute.back().is_none_or(|last| age_us(last) >= REMEMBER_EVERY_US) {
            self.minute.push_back(observation);
        }
        while self.minute.get(1).is_some_and(|next| age_us(next) >= MINUTE_US) {
            self.minute.pop_front();
        }
    }

    /// Takes other rules: what was refused by the old ones is held against the new ones.
    pub(super) fn apply(&mut self, rules: &PriceRules, now: Timestamp) {
        let was_judged_by_rules = matches!(self.doubt, Some(Rejection::Jump { .. } | Rejection::Confidence { .. }));
        if let Some(latest) = self.latest.filter(|_| was_judged_by_rules)
            && self.breach(&latest, rules, now).is_ok()
        {
            self.accept(latest);
        }
    }

    fn refuse(&mut self, doubt: Rejection) {
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

    /// A price that is not trusted because it moved too fast, while it would not be too old: the others may be wrong.
    pub(super) fn jumped(&self, rules: &PriceRules, now: Timestamp) -> Option<Price> {
        let latest = self.latest.filter(|_| matches!(self.doubt, Some(Rejection::Jump { .. })))?;
        let is_new = ahead_us(now, latest.observed_at) < rules.max_age_ms.saturating_mul(1_000);
        is_new.then_some(latest.price)
    }

    pub(super) fn status(&self, rules: &PriceRules, now: Timestamp) -> FeedStatus {
        let latest = self.latest.map(|latest| (latest.price, Some(latest.observed_at)));
        let mut refused = Rule::OF_WORDS.map(|rule| (rule, 0));
        refused.iter_mut().zip(self.refused).for_each(|((_, shown), count)| *shown = count);
        FeedStatus {
            last_price: self.fixed.map(|price| (price, None)).or(latest),
            rejection: self.price(rules, now).err(),
            refused,
        }
    }

    /// The price, if it is trusted at `now`.
    pub(super) fn price(&self, rules: &PriceRules, now: Timestamp) -> Result<Trusted<Price>, Rejection> {
        if let Some(price) = self.fixed {
            return Ok(Trusted::for_ever(price));
        }
        if let Some(doubt) = &self.doubt {
            return Err(doubt.clone());
        }
        let Observation { price, observed_at, .. } = self.accepted.ok_or(Rejection::Silent)?;
        let until = observed_at.as_micros().saturating_add(rules.max_age_ms.saturating_mul(1_000));
        let trusted = Trusted { value: price, since: observed_at, until: Timestamp::from_micros(until) };
        trusted.at(now).map(|_| trusted)
    }

    fn breach(&self, observation: &Observation, rules: &PriceRules, now: Timestamp) -> Result<(), Rejection> {
        let ahead_us = ahead_us(observation.observed_at, now);
        if ahead_us > CLOCK_TOLERANCE_US {
            return Err(Rejection::Future { ahead_ms: ahead_us / 1_000 });
        }
        let price = observation.price.steps();
        let width = Deviation::from(price, price.saturating_add(observation.confidence_steps));
        if width > rules.max_confidence {
            return Err(Rejection::Confidence { width, most: rules.max_confidence });
        }
        let Some(anchor) = self.anchor else { return Ok(()) };
        let passed_us = self::ahead_us(observation.observed_at, anchor.observed_at);
        let most = Deviation::within(rules.max_jump_per_second, (passed_us / 1_000).max(1_000));
        let moved = Deviation::between(anchor.price.steps(), price);
        if moved > most {
            return Err(Rejection::Jump { moved, most });
        }
        self.minute.iter().try_for_each(|earlier| {
            let passed_us = self::ahead_us(observation.observed_at, earlier.observed_at).max(MINUTE_US);
            let most = Deviation::within(rules.max_move_per_minute, passed_us / MICROS_PER_MINUTE_MILLI);
            let moved = Deviation::between(earlier.price.steps(), price);
            if moved > most { Err(Rejection::Jump { moved, most }) } else { Ok(()) }
        })
    }
}

/// By how much `one` is after `other`, in microseconds; zero if it is before.
const fn ahead_us(one: Timestamp, other: Timestamp) -> u64 {
    one.as_micros().saturating_sub(other.as_micros())
}
