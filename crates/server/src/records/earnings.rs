//! What swaps earned, from the ledger and the tape, for the operator's page. A report is computed at most once a minute,
//! beside the requests.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
};

use firmquote_analysis::{
    Figures, Grouping, HORIZONS, LedgerSwaps, PoolReconciliation, PriceHistory, Report, TokenNames, reconcile,
};
use firmquote_domain::{Clock, MAX_LIFETIME_SECONDS, Timestamp};
use firmquote_http::{Earnings, EarningsReport, EarningsReporter, EarningsRow, LiveService, PoolEarnings};
use firmquote_outbound::error_chain;
use firmquote_tape::{GapRow, MAX_SEGMENT_SECONDS, SegmentFiles, TapeError};
use futures_util::future::{BoxFuture, FutureExt as _};
use tokio::{sync::Mutex, task::spawn_blocking};

use super::Ledger;

const SECONDS_PER_DAY: u32 = 86_400;
/// How long a segment of the tape may be open before its last row, with room for clocks that differ.
const MAX_SEGMENT_AGE_SECONDS: u32 = MAX_SEGMENT_SECONDS + 120;
/// From how many seconds before it the volatility at a signature is computed.
const VOLATILITY_SECONDS: u32 = 3_600;
/// After how many seconds executed swaps are valued.
const HORIZON_SECONDS: u32 = 60;
/// How long a report is shown before it is computed again.
const MAX_AGE_SECONDS: u32 = 60;
/// Reports what swaps earned.
pub(crate) struct LedgerEarnings {
    records: Arc<Records>,
    latest: Arc<Mutex<Option<ComputedReport>>>,
}

/// Where reports are computed from.
pub(crate) struct Records {
    /// `None` for a store that keeps none.
    pub(crate) ledger: Option<Arc<Ledger>>,
    /// The directory of the tapes.
    pub(crate) tape: Option<PathBuf>,
    /// The service, which owns this reporter.
    pub(crate) live: Weak<LiveService>,
    pub(crate) clock: Arc<dyn Clock>,
}

/// A report with the day that was requested and the time at which it was complete.
struct ComputedReport {
    day: Option<Timestamp>,
    computed_at: Timestamp,
    report: Arc<EarningsReport>,
}

impl LedgerEarnings {
    pub(crate) fn new(records: Records) -> Self {
        Self { records: Arc::new(records), latest: Arc::default() }
    }
}

impl EarningsReporter for LedgerEarnings {
    fn report(&self, day: Option<Timestamp>) -> BoxFuture<'_, Arc<EarningsReport>> {
        let (records, latest) = (Arc::clone(&self.records), Arc::clone(&self.latest));
        // Once begun, a report is completed for the next request, although the client may be gone.
        let report = tokio::spawn(async move {
            // One at a time: others wait for its result.
            let mut latest = latest.lock().await;
            if let Some(latest) = &*latest
                && latest.day == day
                && records.clock.now() < latest.computed_at.plus_seconds(MAX_AGE_SECONDS)
            {
                return Arc::clone(&latest.report);
            }
            let report = Arc::new(records.compute(day, records.clock.now()).await);
            let computed_at = records.clock.now();
            *latest = Some(ComputedReport { day, computed_at, report: Arc::clone(&report) });
            report
        });
        report.map(|report| report.unwrap_or_else(|error| Arc::new(without_figures(error.to_string())))).boxed()
    }
}

/// A report of nothing but a reason.
fn without_figures(reason: String) -> EarningsReport {
    EarningsReport {
        from: Timestamp::from_micros(0).into(),
        to: Timestamp::from_micros(0).into(),
        notes: vec![format!("The report was not computed: {reason}.")],
        rows: Vec::new(),
        total: Earnings::default(),
        informed: Vec::new(),
        pools: Vec::new(),
    }
}

impl Records {
    async fn compute(&self, day: Option<Timestamp>, now: Timestamp) -> EarningsReport {
        let period = match day {
            Some(day) => (day, day.plus_seconds(SECONDS_PER_DAY)),
            None => (now.minus_seconds(SECONDS_PER_DAY), now),
        };
        let mut notes = Vec::new();
        let entries = match &self.ledger {
            None => {
                notes.push("No ledger is kept, so that no signature is known: set store.ledger_file.".to_owned());
                LedgerEntries::default()
            }
            Some(ledger) => LedgerEntries::read(ledger, period).await.unwrap_or_else(|error| {
                notes.push(format!("The ledger cannot be read: {error}."));
                LedgerEntries::default()
            }),
        };
        if let Some(begins_at) = entries.begins_at.filter(|begins_at| period.0 < *begins_at) {
            let begins_at = jiff::Timestamp::from_second(i64::from(begins_at.seconds().get())).unwrap_or_default();
            notes.push(format!("The ledger begins at {begins_at}: swaps from before are not known here."));
        }
        let swaps = entries.swaps;
        if self.tape.is_none() {
            notes.push(
                "No tape is recorded, so that requests and mark-outs are not known: set tape.directory.".to_owned(),
            );
        }
        let (tape, names) = (self.tape.clone(), self.names());
        let computed = spawn_blocking(move || report(&swaps, tape.as_deref(), &names, period, notes)).await;
        computed.unwrap_or_else(|error| without_figures(error.to_string()))
    }

    /// The symbols of the tokens that are served now.
    fn names(&self) -> TokenNames {
        let desk = self.live.upgrade().map(|live| live.desk());
        desk.iter().flat_map(|desk| &desk.pools).map(|pool| pool.signer().pool().spec()).collect()
    }
}

/// The part of a ledger that may count in a period.
#[derive(Default)]
struct LedgerEntries {
    swaps: LedgerSwaps,
    /// The time of the first entry of the whole ledger; `None` for an empty one.
    begins_at: Option<Timestamp>,
}

impl LedgerEntries {
    async fn read(ledger: &Ledger, (from, to): (Timestamp, Timestamp)) -> Result<Self, String> {
        let range = from.minus_seconds(MAX_LIFETIME_SECONDS)..to.plus_seconds(MAX_LIFETIME_SECONDS);
        let swaps = ledger.fold(range, LedgerSwaps::default(), LedgerSwaps::add_line).await?;
        Ok(Self { swaps, begins_at: ledger.begins_at().await? })
    }
}

/// What the tape has of a period.
#[derive(Default)]
struct TapeRecords {
    segments: Vec<SegmentFiles>,
    prices: PriceHistory,
    pools: Vec<PoolReconciliation>,
    lost_rows: u64,
}

impl TapeRecords {
    /// Reads the segments of the tapes below a directory that a period touches.
    fn read(directory: &Path, period: (Timestamp, Timestamp)) -> Result<Self, TapeError> {
        let first = period.0.minus_seconds(VOLATILITY_SECONDS + MAX_SEGMENT_AGE_SECONDS);
        let last = period.1.plus_seconds(HORIZON_SECONDS);
        let mut records = Self { segments: SegmentFiles::find_with_open(&[directory.to_owned()])?, ..Self::default() };
        records.segments.retain(|segment| (first..=last).contains(&segment.begun_at()));
        records.prices = PriceHistory::read(&records.segments)?;
        for segment in &records.segments {
            records.lost_rows += segment.read::<GapRow>()?.iter().map(|gap| gap.rows).sum::<u64>();
        }
        records.pools = reconcile(&records.segments, &records.prices, period)?;
        Ok(records)
    }
}

/// Reports a period. What the tape lacks lowers what is known of requests and prices, never a sum of money.
fn report(
    swaps: &LedgerSwaps,
    tape: Option<&Path>,
    names: &TokenNames,
    period: (Timestamp, Timestamp),
    mut notes: Vec<String>,
) -> EarningsReport {
    let read = tape.filter(|directory| directory.exists()).map(|directory| TapeRecords::read(directory, period));
    let records = read.transpose().map(Option::unwrap_or_default).unwrap_or_else(|error| {
        notes.push(format!("The tape cannot be read: {}.", error_chain(&error)));
        TapeRecords::default()
    });
    if records.lost_rows > 0 {
        notes.push(format!("The tape lost {} rows: requests and mark-outs may be missing.", records.lost_rows));
    }
    let without_value = records.pools.iter().filter(|pool| pool.value.is_none());
    notes
        .extend(without_value.map(|pool| format!("Prices of pool {} are missing: its value is not known.", pool.pool)));
    let prices = &records.prices;
    let by_client = Report::new(swaps, prices, names, &[Grouping::Client], period);
    let informed = by_client.informed_clients().into_iter().map(str::to_owned).collect();
    let mut report = Report::new(swaps, prices, names, &[Grouping::Client, Grouping::Pair], period);
    for segment in &records.segments {
        match segment.read() {
            Ok(requests) => report = report.with_requests(requests, period),
            Err(error) => notes.push(format!("The tape cannot be read: {}.", error_chain(&error))),
        }
    }
    let rows = report.rows.into_iter().map(|row| {
        let [client, pair] = <[String; 2]>::try_from(row.group).unwrap_or_default();
        EarningsRow { client: Some(client).filter(|client| !client.is_empty()), pair, earnings: earnings(&row.figures) }
    });
    EarningsReport {
        from: period.0.into(),
        to: period.1.into(),
        notes,
        rows: rows.collect(),
        total: earnings(&report.total),
        informed,
        pools: records.pools.iter().filter_map(pool_earnings).collect(),
    }
}

fn pool_earnings(pool: &PoolReconciliation) -> Option<PoolEarnings> {
    let value = pool.value.as_ref()?;
    Some(PoolEarnings {
        pool: pool.pool.to_string(),
        from: pool.valued_from.into(),
        to: pool.to.into(),
        blocks: pool.blocks,
        start_usd: value.start.to_string(),
        price_moves_usd: value.price_moves.to_string(),
        trading_usd: value.trading.to_string(),
        deposits_usd: value.deposits.to_string(),
        unexplained_usd: value.unexplained.to_string(),
        unobserved_usd: value.unobserved.to_string(),
        end_usd: value.end.to_string(),
        trading: pool.trading.iter().map(|(time, trading)| (time.seconds().get(), trading.to_string())).collect(),
    })
}

fn earnings(figures: &Figures) -> Earnings {
    let mark_out = HORIZONS.iter().zip(&figures.mark_outs).find(|(horizon, _)| **horizon == HORIZON_SECONDS);
    let mark_out = mark_out.map(|(_, mark_out)| mark_out);
    Earnings {
        requested: figures.requested,
        hit_percent: figures.hit_rate_in_percent(),
        signed: figures.signed,
        executed: figures.executed,
        executed_usd: figures.executed_value.to_string(),
        edge_usd: figures.edge.to_string(),
        markout_usd: mark_out.map(|mark_out| mark_out.value.to_string()).unwrap_or_default(),
        markout_bps: mark_out.and_then(|mark_out| mark_out.in_basis_points()),
        markout_interval_bps: mark_out.and_then(|mark_out| mark_out.interval_in_basis_points()),
        options_given_usd: figures.options.given.to_string(),
        markout_missing: mark_out.map_or(0, |mark_out| mark_out.missing),
    }
}
