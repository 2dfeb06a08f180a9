//! The stream of one connection: a snapshot, then the newest publication of each changed book, until the service is
//! replaced.

use std::{rc::Rc, sync::Arc};

use firmquote_api::HEARTBEAT_INTERVAL;
use firmquote_desk::LevelState;
use firmquote_domain::{ChainId, Client, LevelsId};
use tokio::{
    sync::{Semaphore, watch},
    task::yield_now,
    time::{Instant, timeout_at},
};

use super::{
    message::{GoodbyeReason, Message, MessageKind, MessageWriter, Notices},
    request::{LevelFormat, LevelsInput, RequestedLevelBook},
    stream_limits::StreamPermit,
    topic::{Subscription, Topic},
};
use crate::{
    error::ApiError,
    service::{LiveService, ServiceSnapshot},
};

/// The reconnect delay sent to clients after a configuration change, in milliseconds.
const RECONNECT_AFTER_MS: u64 = 500;

/// Maximum size of a batch of messages, in bytes; the rest waits until the client has read it.
const MAX_BATCH_BYTES: usize = 16_384;

thread_local! {
    /// Admits one stream of this thread at a time, in FIFO order. The others are not runnable meanwhile, so that
    /// the thread handles requests between two batches.
    static STREAM_SEMAPHORE: Rc<Semaphore> = Rc::new(Semaphore::new(1));
}

/// A stream of levels without a queue: a slow client gets the newest publication of each book once it has read the
/// earlier messages.
pub(crate) struct LevelStream {
    live: Arc<LiveService>,
    /// The service that accepted the client.
    service: Arc<ServiceSnapshot>,
    chain_id: ChainId,
    format: LevelFormat,
    books: Vec<SubscribedBook>,
    /// The next book to check; the number of books after the last one.
    position: usize,
    changes: watch::Receiver<()>,
    writer: MessageWriter,
    epoch: String,
    stage: Stage,
    /// When a heartbeat is due, unless another message is sent before.
    heartbeat_at: Instant,
    _permit: StreamPermit,
}

/// A book with the version last sent to the client.
struct SubscribedBook {
    topic: Subscription,
    version: u64,
    levels_id: Option<LevelsId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hello,
    Refresh,
    Snapshot { books: usize },
    Live,
    Ended,
}

impl LevelStream {
    /// Opens a stream of `books`, which `input` selects.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if the client already has the maximum number of streams or of books in them, or
    /// if all clients have too many custom books.
    pub(crate) fn open(
        live: Arc<LiveService>,
        service: Arc<ServiceSnapshot>,
        client: &Client,
        books: &[RequestedLevelBook],
        input: &LevelsInput,
    ) -> Result<Self, ApiError> {
        let hub = live.levels();
        let name = client.name().map_or_else(|| Arc::from(""), Arc::from);
        let permit = hub.streams().acquire(&name, books)?;
        let topics = hub.topics(books, service.desk.clock.now())?;
        let followed = |topic| SubscribedBook { topic: Subscription::new(topic), version: 0, levels_id: None };
        Ok(Self {
            changes: hub.subscribe(),
            live,
            service,
            chain_id: input.chain_id,
            format: input.format,
            books: topics.into_iter().map(followed).collect(),
            position: 0,
            writer: MessageWriter::default(),
            epoch: uuid::Uuid::new_v4().simple().to_string(),
            stage: Stage::Hello,
            heartbeat_at: Instant::now(),
            _permit: permit,
        })
    }

    /// Identifies the connection; the `id` of a message is this, a hyphen and its number.
    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    /// Waits for the next messages; `None` after the last.
    pub(crate) async fn next(&mut self) -> Option<Vec<Message>> {
        let messages = self.next_messages().await;
        self.heartbeat_at = Instant::now() + HEARTBEAT_INTERVAL;
        messages
    }

    /// Cancel safe: if dropped while it waits, the next call continues.
    async fn next_messages(&mut self) -> Option<Vec<Message>> {
        loop {
            match self.stage {
                Stage::Ended => return None,
                Stage::Hello => {
                    self.stage = Stage::Refresh;
                    let heartbeat_ms = u64::try_from(HEARTBEAT_INTERVAL.as_millis()).unwrap_or(u64::MAX);
                    let now = self.service.desk.clock.now();
                    return Some(vec![self.writer.hello(&self.epoch, self.chain_id, heartbeat_ms, now)]);
                }
                Stage::Refresh => {
                    // Books without readers are not kept up to date, so these may be outdated.
                    self.live.levels().refresh_topics(&self.topics(), &self.service.desk).await;
                    self.stage = Stage::Snapshot { books: 0 };
                }
                Stage::Snapshot { books } => return self.next_snapshot_batch(books).await,
                Stage::Live => {
                    let messages = self.next_changes().await?;
                    if !messages.is_empty() {
                        return Some(messages);
                    }
                }
            }
        }
    }

    /// Returns the next batch of the snapshot, of which `sent` books were in earlier batches.
    async fn next_snapshot_batch(&mut self, sent: usize) -> Option<Vec<Message>> {
        let mut messages = self.next_batch().await?;
        if self.stage == Stage::Ended {
            return Some(messages);
        }
        let books = sent + messages.iter().filter(|message| message.kind == MessageKind::Book).count();
        self.stage = Stage::Snapshot { books };
        if self.position == self.books.len() {
            messages.push(self.writer.snapshot_end(books));
            self.stage = Stage::Live;
        }
        Some(messages)
    }

    /// Returns the next changes, a heartbeat if there are none, or the end of the stream; nothing if no book of the
    /// stream changed.
    async fn next_changes(&mut self) -> Option<Vec<Message>> {
        if let Some(reason) = self.reason_to_end() {
            self.stage = Stage::Ended;
            return Some(vec![self.writer.goodbye(reason, RECONNECT_AFTER_MS)]);
        }
        if self.position < self.books.len() {
            return self.next_batch().await;
        }
        let changed = timeout_at(self.heartbeat_at, self.changes.changed()).await;
        // After a heartbeat, too: any missed change is sent then at the latest.
        self.position = 0;
        match changed {
            Ok(Ok(())) => Some(Vec::new()),
            // The hub is gone with the service.
            Ok(Err(_)) => {
                self.stage = Stage::Ended;
                Some(Vec::new())
            }
            Err(_) => Some(vec![self.writer.heartbeat(self.service.desk.clock.now())]),
        }
    }

    fn topics(&self) -> Vec<Arc<Topic>> {
        self.books.iter().map(|book| Arc::clone(&book.topic)).collect()
    }

    /// Collects the next batch, one stream of a thread at a time, after the thread has handled requests.
    async fn next_batch(&mut self) -> Option<Vec<Message>> {
        let semaphore = STREAM_SEMAPHORE.with(Rc::clone);
        let _permit = semaphore.acquire().await.ok()?;
        yield_now().await;
        Some(self.collect_changes())
    }

    /// Returns the reason to end the stream, if there is one.
    fn reason_to_end(&self) -> Option<GoodbyeReason> {
        if self.live.is_draining() {
            return Some(GoodbyeReason::Shutdown);
        }
        (!Arc::ptr_eq(&self.live.load(), &self.service)).then_some(GoodbyeReason::Reloaded)
    }

    /// Returns the changes of the books from the current position on, until a batch is full.
    fn collect_changes(&mut self) -> Vec<Message> {
        let (mut messages, mut bytes, mut notices) = (Vec::new(), 0, Notices::default());
        while let Some(book) = self.books.get_mut(self.position) {
            self.position += 1;
            let Some(published) = book.topic.current().filter(|published| published.version != book.version) else {
                continue;
            };
            book.version = published.version;
            match &published.state {
                LevelState::Live(levels, validity) if book.levels_id == Some(levels.id) => {
                    notices.renew(levels.id, *validity);
                }
                LevelState::Live(levels, _) => {
                    // A book that cannot be encoded would be missing from then on.
                    let Ok(Some(members)) = published.members(self.format) else {
                        self.stage = Stage::Ended;
                        break;
                    };
                    book.levels_id = Some(levels.id);
                    let message = self.writer.book(members);
                    bytes += message.len();
                    messages.push(message);
                }
                LevelState::Withdrawn(reason) => {
                    if let Some(id) = book.levels_id.take() {
                        notices.withdraw(id, *reason);
                    }
                }
            }
            if bytes >= MAX_BATCH_BYTES {
                break;
            }
        }
        messages.extend(notices.into_messages(&mut self.writer));
        messages
    }
}
