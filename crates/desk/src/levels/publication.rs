//! The published state of one book: replaced when anything moves, renewed while nothing does, withdrawn when nothing is
//! quoted.

use std::sync::Arc;

use firmquote_domain::{FirmLevels, LevelsId, Timestamp};

use super::{
    LevelBookKey,
    inputs::{Freshness, InputSnapshot, KnotInputs, LevelInputs},
    level_book::{LevelBook, LevelState, Validity, WithdrawalReason},
};
use crate::{Desk, DeskError};

/// The minimum age of a publication before its period is extended, unless that is short, in microseconds.
const RENEWAL_INTERVAL_MICROS: u64 = 1_000_000;

/// How long evaluation is skipped while prices, reserves and outstanding swaps are unchanged, in microseconds.
const EVALUATION_INTERVAL_MICROS: u64 = 1_000_000;

/// How long a book is published in its first state, in seconds: states of quotes are retained for little more than
/// twice as long.
const MAX_STATE_SECONDS: u32 = 30;

/// The publication of one book, kept up to date by [`Self::refresh`].
#[derive(Debug)]
pub struct LevelPublication {
    key: LevelBookKey,
    sequence: u64,
    current: Option<LevelState>,
    /// The source of the last evaluation.
    source: Option<InputSnapshot>,
    /// The inputs of the knots.
    knot_inputs: Option<KnotInputs>,
    /// When the current book was published.
    book_published_at: Timestamp,
    /// When the source was evaluated last.
    evaluated_at: Timestamp,
    /// When it is evaluated again even if the source is unchanged.
    evaluation_due: Timestamp,
    /// The levels of the last state that [`Self::refresh`] returned.
    returned: Option<LevelsId>,
    /// Whether the state has changed since, because a caller was cancelled while it was stored.
    is_pending: bool,
}

impl LevelPublication {
    /// Creates an empty publication.
    pub const fn new(key: LevelBookKey) -> Self {
        let start = Timestamp::from_micros(0);
        Self {
            key,
            sequence: 0,
            current: None,
            source: None,
            knot_inputs: None,
            book_published_at: start,
            evaluated_at: start,
            evaluation_due: start,
            returned: None,
            is_pending: false,
        }
    }

    /// The key of the book.
    pub const fn key(&self) -> &LevelBookKey {
        &self.key
    }

    /// Returns the published state; `None` before the first [`Self::refresh`].
    pub const fn state(&self) -> Option<&LevelState> {
        self.current.as_ref()
    }

    /// Refreshes the publication to the quotes of `desk` at `now`. Returns whether it changed: nothing is computed
    /// while prices, reserves and outstanding swaps are those of the last call. Firm levels are in the store before
    /// this returns; if the store fails, no levels are firm. Cancel safe: if dropped while it waits for the store, the
    /// next call completes the update.
    pub async fn refresh(&mut self, desk: &Desk, now: Timestamp) -> bool {
        let has_changed = self.compute(desk, now) || self.is_pending;
        self.is_pending = has_changed;
        if let Some(levels) = self.firm_levels().filter(|_| has_changed) {
            let renewal = self.returned == Some(levels.id);
            if desk.firm_levels.store_levels(&*desk.store, &levels, renewal, now).await {
                if let Some(recorder) = &desk.recorder {
                    recorder.record_levels(levels, now);
                }
            } else {
                self.source = None;
                self.compute(desk, now);
            }
        }
        self.returned = self.current.as_ref().and_then(LevelState::id);
        self.is_pending = false;
        has_changed
    }

    /// The firm levels to store; `None` for none.
    fn firm_levels(&self) -> Option<FirmLevels> {
        let Some(LevelState::Live(book, validity)) = &self.current else { return None };
        Some(FirmLevels {
            id: book.id,
            pool: book.key.pool,
            tokens: [book.input.address, book.output.address],
            prices: book.prices,
            state_id: book.state_id,
            fee: book.fee,
            time_in_seconds: book.key.time_in_seconds,
            knots: book.levels.knots.iter().map(|knot| [knot.input, knot.output]).collect(),
            budget: book.firm_budget?,
            valid_until: validity.valid_until,
        })
    }

    fn compute(&mut self, desk: &Desk, now: Timestamp) -> bool {
        let updated = InputSnapshot::current(desk, &self.key).and_then(|source| {
            if self.is_current_for(&source, now) {
                return Ok(None);
            }
            // Levels of other terms are not firm for any client.
            let clients = if self.key.terms.is_standard() { desk.firm_levels.client_count(now) } else { 0 };
            let inputs = LevelInputs::new(desk, &self.key, &source, clients, now);
            let firm = desk.firm_policy(self.key.pool);
            let interval =
                firm.map_or(EVALUATION_INTERVAL_MICROS, |firm| EVALUATION_INTERVAL_MICROS.min(firm.micros() / 2));
            (self.evaluated_at, self.evaluation_due) = (now, now.plus_micros(interval));
            self.source = Some(source.clone());
            self.evaluate(desk, &source, inputs?, now)
        });
        match updated {
            Ok(None) => false,
            Ok(Some(state)) => {
                self.current = Some(state);
                true
            }
            Err(error) => {
                let reason = WithdrawalReason::from(error);
                let is_unchanged = matches!(&self.current, Some(LevelState::Withdrawn(current)) if *current == reason);
                (self.current, self.knot_inputs) = (Some(LevelState::Withdrawn(reason)), None);
                !is_unchanged
            }
        }
    }

    /// Whether the publication is current for `source`.
    fn is_current_for(&self, source: &InputSnapshot, now: Timestamp) -> bool {
        let is_current = match &self.current {
            Some(LevelState::Live(_, validity)) => now < validity.valid_until,
            Some(LevelState::Withdrawn(_)) => true,
            None => false,
        };
        // A clock that was set back must not keep it from being evaluated.
        let is_evaluated = (self.evaluated_at..self.evaluation_due).contains(&now);
        is_current && is_evaluated && self.source.as_ref().is_some_and(|last| last.is_same(source))
    }

    /// Evaluates the changes caused by `inputs`.
    fn evaluate(
        &mut self,
        desk: &Desk,
        source: &InputSnapshot,
        (inputs, Freshness { as_of, until }): (LevelInputs, Freshness),
        now: Timestamp,
    ) -> Result<Option<LevelState>, DeskError> {
        let indicative = Validity { as_of, published_at: now, valid_until: until };
        let firm = desk.firm_policy(self.key.pool);
        let firm_until = firm.map_or(until, |firm| until.min(now.plus_micros(firm.micros())));
        let firm = Validity { valid_until: firm_until, ..indicative };
        if let Some((book, published)) = self.book_to_keep(&inputs, now) {
            let validity = match book.firm_budget {
                // A promise is never shortened.
                Some(_) => Validity { valid_until: firm.valid_until.max(published.valid_until), ..firm },
                None => indicative,
            };
            return Ok(published.is_renewed_by(&validity).then_some(LevelState::Live(book, validity)));
        }
        let mut levels = inputs.levels(self.key.max_knots)?;
        let (firm_inputs, mut inputs) = (inputs.knot_inputs, inputs);
        let firm_budget = inputs.firm.as_ref().map(|inputs| inputs.budget(&levels)).transpose()?.flatten();
        if firm_budget.is_none() && inputs.firm.is_some() {
            (inputs, _) = LevelInputs::new(desk, &self.key, source, 0, now)?;
            levels = inputs.levels(self.key.max_knots)?;
        }
        let validity = if firm_budget.is_some() { firm } else { indicative };
        self.sequence += 1;
        let LevelInputs { knot_inputs, state_id, assets: [input, output], .. } = inputs;
        let book = LevelBook {
            id: LevelsId::from_bytes(uuid::Uuid::new_v4().into_bytes()),
            sequence: self.sequence,
            state_id,
            key: self.key.clone(),
            input,
            output,
            fee: knot_inputs.state.fee,
            levels,
            firm_budget,
            prices: [knot_inputs.state.input.price, knot_inputs.state.output.price],
        };
        (self.knot_inputs, self.book_published_at) = (Some(firm_inputs), now);
        Ok(Some(LevelState::Live(Arc::new(book), validity)))
    }

    /// Returns the published book with its validity, if `inputs` give the same knots, or others that can wait.
    ///
    /// The bounds depend on the value of the whole pool. If they alone change, knots can wait: otherwise the price of
    /// another pair would use up the interval that this pair's own price needs.
    fn book_to_keep(&mut self, inputs: &LevelInputs, now: Timestamp) -> Option<(Arc<LevelBook>, Validity)> {
        let Some(LevelState::Live(book, published)) = &self.current else { return None };
        let (published_inputs, inputs_now) = (self.knot_inputs.as_ref()?, &inputs.knot_inputs);
        if *published_inputs != (KnotInputs { range: published_inputs.range, ..*inputs_now }) {
            return None;
        }
        let is_state_due = now >= self.book_published_at.plus_seconds(MAX_STATE_SECONDS);
        if book.state_id != inputs.state_id && is_state_due {
            return None;
        }
        if published_inputs.range != inputs_now.range {
            let range_due = published.published_at.plus_micros(RENEWAL_INTERVAL_MICROS);
            if now >= range_due {
                return None;
            }
            self.evaluation_due = range_due.min(self.evaluation_due);
        }
        Some((Arc::clone(book), *published))
    }
}

impl Validity {
    /// Whether `later` is worth a message: it is shorter, or it is longer and this one is old enough or half over.
    fn is_renewed_by(&self, later: &Self) -> bool {
        let age_us = later.published_at.micros_since(self.published_at);
        let period = self.valid_until.micros_since(self.published_at);
        later.valid_until < self.valid_until
            || later.valid_until > self.valid_until && (age_us >= RENEWAL_INTERVAL_MICROS || age_us >= period / 2)
    }
}
