//! What a store in memory retains in files beyond the end of its process.

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use firmquote_domain::{SignedQuote, SignedSwap, SwapOutcome, Timestamp};

use tokio::task::spawn_blocking;

use crate::{
    EventCursor, EventPage, EventStream, NamedTextsFile, OperatorEntry, PauseFile, SampleFile, StoreError,
    events::LineLog,
    ledger::{self, LedgerFile},
};

/// The files of a store; all are optional.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) ledger: Option<LedgerFile>,
    pub(super) operator: Option<LedgerFile>,
    pub(super) pauses: Option<PauseFile>,
    pub(super) estimates: Option<NamedTextsFile>,
    pub(super) samples: Option<SampleFile>,
    pub(super) deliveries: Option<NamedTextsFile>,
    pub(super) revoked: Option<NamedTextsFile>,
    /// The streams of a store without their files, while they are followed.
    in_memory: InMemoryStreams,
}

/// Streams that are not kept in files.
#[derive(Debug)]
struct InMemoryStreams {
    /// Identifies this process.
    generation: String,
    ledger: Arc<LineLog>,
    operator: Arc<LineLog>,
    /// Whether anybody has read them: until then, nothing is added.
    is_followed: AtomicBool,
}

impl Default for Files {
    fn default() -> Self {
        let random = || RandomState::new().build_hasher().finish();
        let log = || Arc::new(LineLog::new(None, 0));
        let in_memory = InMemoryStreams {
            generation: format!("{:016x}{:016x}", random(), random()),
            ledger: log(),
            operator: log(),
            is_followed: AtomicBool::new(false),
        };
        Self {
            ledger: None,
            operator: None,
            pauses: None,
            estimates: None,
            samples: None,
            deliveries: None,
            revoked: None,
            in_memory,
        }
    }
}

impl Files {
    /// Appends a signature to the ledger; returns once it is on disk.
    pub(super) async fn append_signature(&self, signed: &SignedQuote) -> Result<(), StoreError> {
        self.append(EventStream::Ledger, || ledger::line(signed)).await
    }

    /// Appends the outcome of a swap to the ledger; returns once it is on disk.
    pub(super) async fn append_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.append(EventStream::Ledger, || ledger::outcome_line(swap, outcome, now)).await
    }

    /// Appends an entry to the operator's stream; returns once it is on disk.
    pub(super) async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError> {
        self.append(EventStream::Operator, || entry.to_json()).await
    }

    async fn append(
        &self,
        stream: EventStream,
        line: impl FnOnce() -> serde_json::Result<String> + Send,
    ) -> Result<(), StoreError> {
        let (file, in_memory) = match stream {
            EventStream::Ledger => (&self.ledger, &self.in_memory.ledger),
            EventStream::Operator => (&self.operator, &self.in_memory.operator),
        };
        if file.is_none() && !self.in_memory.is_followed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let line = line().map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        match file {
            Some(file) => file.append(line).await,
            None => {
                in_memory.push(&line, None);
                Ok(())
            }
        }
    }

    /// Returns the entries of both streams after a cursor; the cursor after all of them with `None`.
    pub(super) async fn events(&self, after: Option<&EventCursor>, count: usize) -> Result<EventPage, StoreError> {
        self.in_memory.is_followed.store(true, Ordering::Relaxed);
        let (generation, ledger) = match &self.ledger {
            Some(file) => (file.generation(), file.log()),
            None => (self.in_memory.generation.clone(), &self.in_memory.ledger),
        };
        let operator = self.operator.as_ref().map_or(&self.in_memory.operator, LedgerFile::log);
        let end = EventCursor { generation, ledger: ledger.end(), operator: operator.end() };
        let is_known = |after: &EventCursor| match &self.ledger {
            Some(file) => file.has_generation(&after.generation),
            None => after.generation == end.generation,
        };
        let Some(after) = after else { return Ok(EventPage { cursor: end, ..EventPage::default() }) };
        let (ledger, operator, positions) = (Arc::clone(ledger), Arc::clone(operator), [after.ledger, after.operator]);
        let read = spawn_blocking(move || {
            let [of_ledger, of_operator] = positions;
            Ok::<_, io::Error>(ledger.after(of_ledger, count)?.zip(operator.after(of_operator, count)?))
        });
        let unreadable = |error: io::Error| StoreError::Unavailable(Box::new(error));
        let found = read.await.map_err(|error| StoreError::Unavailable(Box::new(error)))?.map_err(unreadable)?;
        match found.filter(|_| is_known(after)) {
            Some((ledger, operator)) => {
                let after = EventCursor { generation: end.generation, ..after.clone() };
                Ok(EventPage::new(&after, ledger, operator))
            }
            None => Ok(EventPage { cursor: end, is_reset: true, ..EventPage::default() }),
        }
    }
}
