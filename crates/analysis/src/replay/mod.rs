//! Replay: the desk of this program on recorded states. Every served quote and every refusal for its price or size is
//! computed again, and the price half of each last look.

mod check;
mod error;
mod recorded_desk;

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::Arc,
};

use firmquote_desk::Desk;
use firmquote_domain::{MAX_ACCEPTANCE_WINDOW_SECONDS, Quote, QuoteId, Timestamp};
use firmquote_tape::{RequestOperation, RequestRow, SegmentFiles};

use self::check::{Check, check_look, check_quote};
pub(crate) use self::{check::inquiry_of, recorded_desk::SegmentDesks};
pub use self::{error::ReplayError, recorded_desk::PoolWithVolatilities};

/// How long after a request of one replica that of another may name its quote, in seconds: the longest time to accept a
/// quote, and what clocks differ by.
const MAX_QUOTE_AGE_SECONDS: u32 = MAX_ACCEPTANCE_WINDOW_SECONDS + 100;
/// How much earlier than their segment rows may be, in seconds: they are collected before they are written, and clocks
/// differ.
const MAX_BATCH_SECONDS: u32 = 120;
/// The number of differences that are described.
const MAX_DIFFERENCES: usize = 100;

/// What a replay found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayReport {
    /// The number of requests on the tape.
    pub requests: u64,
    /// The number of requests that were computed again.
    pub recomputed: u64,
    /// Of them those with the recorded result.
    pub equal: u64,
    /// The others, at most a hundred.
    pub differences: Vec<Difference>,
    /// The requests that were not computed again, by the reason.
    pub not_recomputed: BTreeMap<String, u64>,
}

/// A request with another result than the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The request.
    pub request: Box<RequestRow>,
    /// What differs: the recorded value, and the one that was computed.
    pub difference: String,
}

/// Replays the tapes in these directories.
///
/// # Errors
/// [`ReplayError`] for a tape that cannot be read.
pub fn replay(directories: &[PathBuf]) -> Result<ReplayReport, ReplayError> {
    let mut replay = Replay::default();
    for segment in SegmentFiles::find(directories)? {
        // What other replicas recorded before has been read: their segments begin earlier.
        replay.check_looks(Some(segment.begun_at()));
        replay.read(&segment)?;
    }
    replay.check_looks(None);
    Ok(replay.report)
}

#[derive(Default)]
struct Replay {
    report: ReplayReport,
    /// Quotes as they were computed again, by id.
    quotes: HashMap<QuoteId, Quote>,
    /// Last looks whose quotes may not have been read yet.
    looks: Vec<(RequestRow, Arc<Desk>)>,
}

impl Replay {
    fn read(&mut self, segment: &SegmentFiles) -> Result<(), ReplayError> {
        let mut desks = SegmentDesks::read(segment)?;
        for row in segment.read::<RequestRow>()? {
            self.report.requests += 1;
            if row.states.is_empty() {
                // Without a state and without a refusal: the stored signature was released once more, or the quote was one
                // of firm levels, whose signature depends on no price.
                let reason = row.refusal.as_deref().unwrap_or("repeated");
                self.count(&format!("{} {reason}", row.operation.name()));
                continue;
            }
            let desk = desks.desk(&row)?;
            match row.operation {
                RequestOperation::Sign => self.looks.push((row, desk)),
                RequestOperation::Quote | RequestOperation::Requote | RequestOperation::QuoteSign => {
                    let (check, quote) = check_quote(&row, &desk, desks.levels(&row)?);
                    self.quotes.extend(quote.zip(row.quote_id).map(|(quote, id)| (id, quote)));
                    self.add(row, check);
                }
            }
        }
        Ok(())
    }

    /// Checks the last looks from before `begun_at`, or all, and forgets quotes that are too old for another.
    fn check_looks(&mut self, begun_at: Option<Timestamp>) {
        let is_due =
            |row: &RequestRow| begun_at.is_none_or(|begun_at| row.time.plus_seconds(MAX_BATCH_SECONDS) < begun_at);
        for (row, desk) in self.looks.extract_if(.., |(row, _)| is_due(row)).collect::<Vec<_>>() {
            let quote = row.quote_id.and_then(|id| self.quotes.get(&id));
            let check = quote.map_or_else(
                || Check::NotRecomputed("sign: its quote is not on the tape".to_owned()),
                |quote| check_look(&row, quote, &desk),
            );
            self.add(row, check);
        }
        if let Some(begun_at) = begun_at {
            self.quotes.retain(|_, quote| begun_at < quote.created_at.plus_seconds(MAX_QUOTE_AGE_SECONDS));
        }
    }

    fn add(&mut self, row: RequestRow, check: Check) {
        match check {
            Check::NotRecomputed(reason) => return self.count(&reason),
            Check::Equal => self.report.equal += 1,
            Check::Different(difference) => {
                if self.report.differences.len() < MAX_DIFFERENCES {
                    self.report.differences.push(Difference { request: Box::new(row), difference });
                }
            }
        }
        self.report.recomputed += 1;
    }

    fn count(&mut self, reason: &str) {
        *self.report.not_recomputed.entry(reason.to_owned()).or_default() += 1;
    }
}
