//! The updates of one source for one asset, checked against the rules.

use std::{collections::VecDeque, sync::Arc};

use firmquote_domain::{InvalidValue, Price, Timestamp};

use super::{Deviation, Observation, PriceRules, Rejection, Rule, Trusted};

/// How far in the future an update may be, in microseconds: clocks differ.
const CLOCK_TOLERANCE_US: u64 = 2_000_000;

/// How long observations are compared with the same anchor, in microseconds.
const ANCHOR_INTERVAL_US: u64 = 1_000_000;

/// The window of the limit on moves per minute, in microseconds.
const MINUTE_US: u64 = 60_000_000;

/// Microseconds in a thousandth of a minute: with times in this unit [`Deviation::allowed_in`] applies a limit per
/// minute.
const MICROS_PER_MINUTE_MILLI: u64 = 60_000;

/// The minimum time between two remembered observations of the last minute, in microseconds.
const MIN_SAMPLE_INTERVAL_US: u64 = 5_000_000;

/// One source of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedStatus {
    /// The name of the source.
    pub source: Arc<str>,
    /// The last price of the source, trusted or not, and the time of that price; no time for a fixed price. `None`
    /// before the first price.
    pub last_price: Option<(Price, Option<Timestamp>)>,
    /// Why the source is not trusted at present, if it is not.
    pub rejection: Option<Rejection>,
    /// The number of its updates that broke each rule that an update can break.
    pub rejection_counts: [(Rule, u64); Rule::UPDATE_RULES.len()],
}

/// The state of one source for one asset. Initially silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    /// The name of the source.
    source: Arc<str>,
    /// The last observation that satisfied the rules.
    accepted: Option<ReceivedObservation>,
    /// The accepted observation that the next one is compared with. Replaced at most once a second, so that many
    /// updates in a second move the price no further than one.
    anchor: Option<Observation>,
    /// Further observations that the next one is compared with: the accepted ones of the last minute and the one before
    /// that minute, oldest first.
    minute_history: VecDeque<Observation>,
    /// Why the updates since the accepted one are not trusted.
    rejection: Option<Rejection>,
    /// The last observation that is not in the future, whether it satisfied the rules or not.
    latest: Option<ReceivedObservation>,
    /// The number of breaches of each of [`Rule::UPDATE_RULES`].
    rejection_counts: [u64; Rule::UPDATE_RULES.len()],
    /// The price of a fixed source.
    fixed: Option<Price>,
}

/// An observation with the time from which its age counts: its own time, or that of its first receipt if our clock is
/// behind. A slow clock does not extend the life of a price.
#[derive(Clone, Copy, Debug)]
struct ReceivedObservation {
    observation: Observation,
    ages_from: Timestamp,
}

impl Feed {
    /// Creates a silent feed of the source of this name.
    pub(super) fn new(source: Arc<str>) -> Self {
        Self { source, ..Self::default() }
    }

    /// Receives an update of the source. An observation older than the last one is ignored, unless the last one is in
    /// the future by now: a clock was set back.
    pub(super) fn receive(&mut self, latest: Result<Observation, InvalidValue>, rules: &PriceRules, now: Timestamp) {
        let observation = match latest {
            Ok(observation) => observation,
            Err(error) => return self.reject(Rejection::Invalid(error)),
        };
        let latest = self.latest.map(|latest| latest.observation);
        if latest.is_some_and(|latest| latest.observed_at.micros_since(now) > CLOCK_TOLERANCE_US) {
            (self.accepted, self.anchor, self.latest) = (None, None, None);
            self.minute_history.clear();
        }
        if self.latest.is_some_and(|latest| observation.observed_at < latest.observation.observed_at) {
            return;
        }
        // Sources that are polled repeat themselves.
        let ages_from = match self.latest {
            Some(latest) if latest.observation == observation => latest.ages_from,
            _ => observation.observed_at.min(now),
        };
        let received = ReceivedObservation { observation, ages_from };
        match self.check(&observation, rules, now) {
            Err(rejection) => {
                if !matches!(rejection, Rejection::Future { .. }) {
                    self.latest = Some(received);
                }
                self.reject(rejection);
            }
            Ok(()) => self.accept(received),
        }
    }

    fn accept(&mut self, received: ReceivedObservation) {
        let observation = received.observation;
        let is_due =
            |anchor: Observation| observation.observed_at.micros_since(anchor.observed_at) >= ANCHOR_INTERVAL_US;
        if self.anchor.is_none_or(is_due) {
            self.anchor = Some(observation);
        }
        self.record_history(observation);
        (self.accepted, self.latest, self.rejection) = (Some(received), Some(received), None);
    }

    /// Keeps the observations of a minute, at least [`MIN_SAMPLE_INTERVAL_US`] apart, and the newest one before that
    /// minute.
    fn record_history(&mut self, observation: Observation) {
        let age_us = |earlier: &Observation| observation.observed_at.micros_since(earlier.observed_at);
        if self.minute_history.back().is_none_or(|last| age_us(last) >= MIN_SAMPLE_INTERVAL_US) {
            self.minute_history.push_back(observation);
        }
        while self.minute_history.get(1).is_some_and(|next| age_us(next) >= MINUTE_US) {
            self.minute_history.pop_front();
        }
    }

    /// Applies new rules: an observation that the old ones rejected is checked again.
    pub(super) fn set_rules(&mut self, rules: &PriceRules, now: Timestamp) {
        let was_rejected_by_rules =
            matches!(self.rejection, Some(Rejection::Jump { .. } | Rejection::Confidence { .. }));
        if let Some(latest) = self.latest.filter(|_| was_rejected_by_rules)
            && self.check(&latest.observation, rules, now).is_ok()
        {
            self.accept(latest);
        }
    }

    fn reject(&mut self, rejection: Rejection) {
        let counts = Rule::UPDATE_RULES.iter().zip(&mut self.rejection_counts);
        counts.filter(|(rule, _)| **rule == rejection.rule()).for_each(|(_, count)| *count = count.saturating_add(1));
        self.rejection = Some(rejection);
    }

    /// Fixes the price to `price`, which never expires; updates no longer count.
    pub(super) fn set_fixed_price(&mut self, price: Price) {
        self.fixed = Some(price);
    }

    pub(super) const fn is_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    /// Returns the latest price if it is rejected only for moving too fast, and not too old: the other sources may be
    /// wrong.
    pub(super) fn jumped_price(&self, rules: &PriceRules, now: Timestamp) -> Option<Price> {
        let latest = self.latest.filter(|_| matches!(self.rejection, Some(Rejection::Jump { .. })))?;
        let is_new = now.micros_since(latest.ages_from) < rules.max_age_ms.saturating_mul(1_000);
        is_new.then_some(latest.observation.price)
    }

    pub(super) fn status(&self, rules: &PriceRules, now: Timestamp) -> FeedStatus {
        let latest = self.latest.map(|latest| (latest.observation.price, Some(latest.observation.observed_at)));
        let mut rejection_counts = Rule::UPDATE_RULES.map(|rule| (rule, 0));
        rejection_counts.iter_mut().zip(self.rejection_counts).for_each(|((_, shown), count)| *shown = count);
        FeedStatus {
            source: Arc::clone(&self.source),
            last_price: self.fixed.map(|price| (price, None)).or(latest),
            rejection: self.price(rules, now).err(),
            rejection_counts,
        }
    }

    /// Returns the price, if it is trusted at `now`.
    pub(super) fn price(&self, rules: &PriceRules, now: Timestamp) -> Result<Trusted<Price>, Rejection> {
        if let Some(price) = self.fixed {
            return Ok(Trusted::without_expiry(price));
        }
        if let Some(rejection) = &self.rejection {
            return Err(rejection.clone());
        }
        let ReceivedObservation { observation, ages_from } = self.accepted.ok_or(Rejection::Silent)?;
        let until = ages_from.as_micros().saturating_add(rules.max_age_ms.saturating_mul(1_000));
        let Observation { price, observed_at, .. } = observation;
        let trusted = Trusted { value: price, since: observed_at, until: Timestamp::from_micros(until) };
        trusted.at(now).map(|_| trusted)
    }

    fn check(&self, observation: &Observation, rules: &PriceRules, now: Timestamp) -> Result<(), Rejection> {
        let ahead_us = observation.observed_at.micros_since(now);
        if ahead_us > CLOCK_TOLERANCE_US {
            return Err(Rejection::Future { ahead_ms: ahead_us / 1_000 });
        }
        let price = observation.price.steps();
        let half_width = Deviation::relative_to(price, price.saturating_add(observation.confidence_steps));
        if half_width > rules.max_confidence {
            return Err(Rejection::Confidence { half_width, max_half_width: rules.max_confidence });
        }
        let Some(anchor) = self.anchor else { return Ok(()) };
        let elapsed_us = observation.observed_at.micros_since(anchor.observed_at);
        let max_change = Deviation::allowed_in(rules.max_jump_per_second, (elapsed_us / 1_000).max(1_000));
        let change = Deviation::between(anchor.price.steps(), price);
        if change > max_change {
            return Err(Rejection::Jump { change, max_change });
        }
        self.minute_history.iter().try_for_each(|earlier| {
            let elapsed_us = observation.observed_at.micros_since(earlier.observed_at).max(MINUTE_US);
            let max_change = Deviation::allowed_in(rules.max_move_per_minute, elapsed_us / MICROS_PER_MINUTE_MILLI);
            let change = Deviation::between(earlier.price.steps(), price);
            if change > max_change { Err(Rejection::Jump { change, max_change }) } else { Ok(()) }
        })
    }
}
