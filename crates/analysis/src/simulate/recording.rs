//! The records of a simulation: its ledger, its prices and, if wanted, its tape.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_desk::{Condition, Desk, RecordedRequest, RequestRecorder};
use firmquote_domain::{FirmLevels, PoolId, PoolSpec, Timestamp};
use firmquote_tape::{Encoder as _, PriceRow, Rows, TapeDirectory, TapeWriter};
use parking_lot::Mutex;

use super::{chain::PoolBlock, error::SimulationError};
use crate::{BlockHistory, DeskEncoder, LedgerSwaps, RecordedConfiguration, TapeRecord};

/// Where the records of a simulation go.
pub(super) struct Recording {
    pub(super) swaps: LedgerSwaps,
    files: Option<Files>,
    requests: Option<Arc<Mutex<Vec<RecordedRequest>>>>,
}

struct Files {
    tape: TapeWriter,
    encoder: DeskEncoder,
    rows: Rows,
    ledger: BufWriter<File>,
    ledger_path: PathBuf,
    configuration: Option<Arc<RecordedConfiguration>>,
    blocks: BTreeMap<PoolId, BlockHistory>,
}

/// Collects the requests of the desk.
struct Requests(Arc<Mutex<Vec<RecordedRequest>>>);

impl RequestRecorder for Requests {
    fn record(&self, request: RecordedRequest) {
        self.0.lock().push(request);
    }

    /// The takers of a simulation have no levels.
    fn record_levels(&self, _levels: FirmLevels, _now: Timestamp) {}

    fn condition(&self) -> Condition {
        Condition::ready()
    }
}

impl Recording {
    /// Creates the records, with new files in `directory` if there is one.
    pub(super) fn create(directory: Option<&Path>) -> Result<Self, SimulationError> {
        let Some(directory) = directory else {
            return Ok(Self { swaps: LedgerSwaps::default(), files: None, requests: None });
        };
        let ledger_path = directory.join("ledger.jsonl");
        let ledger = fs::create_dir_all(directory)
            .and_then(|()| File::create_new(&ledger_path))
            .map_err(|source| SimulationError::Ledger { path: ledger_path.clone(), source })?;
        let tape = TapeWriter::new(Arc::new(TapeDirectory::open(&directory.join("tape/simulation"))?))?;
        let files = Files {
            tape,
            encoder: DeskEncoder::default(),
            rows: Rows::default(),
            ledger: BufWriter::new(ledger),
            ledger_path,
            configuration: None,
            blocks: BTreeMap::new(),
        };
        Ok(Self { swaps: LedgerSwaps::default(), files: Some(files), requests: Some(Arc::new(Mutex::default())) })
    }

    /// Records the requests of `desk` from now on, if there is a tape.
    pub(super) fn attach(&mut self, desk: &mut Desk) {
        if let (Some(files), Some(requests)) = (&mut self.files, &self.requests) {
            files.configuration = Some(Arc::new(RecordedConfiguration::new(desk)));
            desk.recorder = Some(Arc::new(Requests(Arc::clone(requests))));
        }
    }

    /// Adds an entry of the ledger.
    pub(super) fn ledger_line(&mut self, line: &str) -> Result<(), SimulationError> {
        self.swaps.add_line(line.as_bytes());
        if let Some(files) = &mut self.files {
            let written = writeln!(files.ledger, "{line}");
            written.map_err(|source| SimulationError::Ledger { path: files.ledger_path.clone(), source })?;
        }
        Ok(())
    }

    /// Adds a block of a pool.
    pub(super) fn block(&mut self, spec: &PoolSpec, block: &PoolBlock, now: Timestamp) {
        if let Some(Files { rows, blocks, .. }) = &mut self.files {
            let row = blocks.entry(block.pool).or_default().record(spec, &block.block, block.balances(), now);
            rows.blocks.extend(row.map(|(row, _)| row));
        }
    }

    /// Adds the prices of a second, and the requests since the last call.
    pub(super) fn second(
        &mut self,
        prices: impl FnOnce() -> Vec<PriceRow>,
        now: Timestamp,
    ) -> Result<(), SimulationError> {
        let Some(Files { tape, encoder, rows, configuration, .. }) = &mut self.files else { return Ok(()) };
        rows.prices.extend(prices());
        let requests = self.requests.as_ref().map(|requests| std::mem::take(&mut *requests.lock()));
        for (request, configuration) in requests.into_iter().flatten().zip(std::iter::repeat(configuration.as_ref())) {
            if let Some(configuration) = configuration {
                encoder.encode(TapeRecord::Request(Box::new(request), Arc::clone(configuration)), rows);
            }
        }
        // A batch a minute: those of a second are small.
        if now.as_micros().is_multiple_of(60_000_000) {
            let is_open = tape.write(&std::mem::take(rows), now)?;
            if !is_open {
                encoder.begin_segment();
            }
        }
        Ok(())
    }

    /// Closes the files.
    pub(super) fn close(mut self, now: Timestamp) -> Result<LedgerSwaps, SimulationError> {
        if let Some(files) = &mut self.files {
            files.tape.write(&std::mem::take(&mut files.rows), now)?;
            files.tape.close()?;
            let flushed = files.ledger.flush();
            flushed.map_err(|source| SimulationError::Ledger { path: files.ledger_path.clone(), source })?;
        }
        Ok(self.swaps)
    }
}
