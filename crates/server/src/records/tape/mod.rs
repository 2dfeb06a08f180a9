//! The tape of the service: requests to quote and sign with their results, and prices.

mod blocks;
mod changes;
mod prices;

use std::sync::Arc;

use firmquote_analysis::{DeskEncoder, RecordedConfiguration, TapeRecord};
use firmquote_config::TapeConfig;
use firmquote_desk::{Condition, Desk, PartState, RecordedRequest, RequestRecorder};
use firmquote_domain::{Clock, FirmLevels, Timestamp};
use firmquote_outbound::error_chain;
use firmquote_tape::{
    Change, ChangeRow, LevelsRow, RecorderOptions, Table, TapeCounts, TapeDirectory, TapeError, TapeRecorder,
};
use prometheus::Registry;

pub(crate) use self::{
    blocks::{BlockTape, PoolBlocks},
    prices::PriceTape,
};
use crate::{
    Error,
    environment::host_name,
    error::Context as _,
    metrics::{FamilySet, ScrapeMetrics, float},
};

/// An open tape, which is closed when this is dropped: desks that still record then lose their rows.
pub(crate) struct Tape {
    recorder: Arc<TapeRecorder<DeskEncoder>>,
    clock: Arc<dyn Clock>,
}

impl Tape {
    /// Opens the tape, and registers its metrics in `registry`.
    ///
    /// # Errors
    /// When its directory cannot be used.
    pub(crate) fn open(config: &TapeConfig, clock: &Arc<dyn Clock>, registry: &Registry) -> Result<Self, Error> {
        let instance = config.instance.clone().or_else(host_name).unwrap_or_else(|| "firmquote".to_owned());
        let options = RecorderOptions {
            retention_seconds: config.retention_seconds,
            clock: Arc::clone(clock),
            report: Box::new(report),
        };
        let open = || {
            let directory = TapeDirectory::open(&config.directory.join(instance))?;
            TapeRecorder::start(directory, DeskEncoder::default(), options)
        };
        let recorder = open().context("tape.directory")?;
        TapeMetrics(recorder.counts()).register(registry)?;
        let tape = Self { recorder: Arc::new(recorder), clock: Arc::clone(clock) };
        tape.record(Change::Start);
        Ok(tape)
    }

    fn record(&self, change: Change) {
        let row = ChangeRow { time: self.clock.now(), change, pool: None };
        self.recorder.record(TapeRecord::Changes(vec![row]));
    }

    /// Returns the recorder of the requests of `desk`.
    pub(crate) fn request_recorder(&self, desk: &Desk) -> Arc<dyn RequestRecorder> {
        Arc::new(DeskRecorder {
            tape: Arc::clone(&self.recorder),
            configuration: Arc::new(RecordedConfiguration::new(desk)),
        })
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        self.record(Change::Stop);
        self.recorder.close();
    }
}

/// Records the requests of one desk.
struct DeskRecorder {
    tape: Arc<TapeRecorder<DeskEncoder>>,
    configuration: Arc<RecordedConfiguration>,
}

impl RequestRecorder for DeskRecorder {
    fn record(&self, request: RecordedRequest) {
        self.tape.record(TapeRecord::Request(Box::new(request), Arc::clone(&self.configuration)));
    }

    fn record_levels(&self, levels: FirmLevels, time: Timestamp) {
        self.tape.record(TapeRecord::Levels(Box::new(LevelsRow { time, levels })));
    }

    fn condition(&self) -> Condition {
        let reason =
            self.tape.is_failing().then(|| "the tape cannot be written: its rows are lost until it can".to_owned());
        Condition::from_reasons(PartState::Degraded, reason)
    }
}

/// Reports the start and the end of an outage of the tape.
fn report(error: Option<&TapeError>) {
    match error {
        Some(error) => {
            let error = error_chain(error);
            tracing::error!(error, "the tape cannot be written: its rows are lost until it can");
        }
        None => tracing::info!("the tape is written again"),
    }
}

/// Rows of the tape, at each scrape.
struct TapeMetrics(TapeCounts);

impl ScrapeMetrics for TapeMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let written =
            families.counter("firmquote_tape_rows_total", "Rows written to the tape, by table.", &["table"])?;
        let lost =
            families.counter("firmquote_tape_lost_rows_total", "Rows that the tape lost, by table.", &["table"])?;
        for table in Table::ALL.iter().copied() {
            written.with_label_values(&[table.name()]).inc_by(float(self.0.written(table)));
            lost.with_label_values(&[table.name()]).inc_by(float(self.0.lost(table)));
        }
        Ok(())
    }
}
