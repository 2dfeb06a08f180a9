//! The ledger in Redis. Time ranges refer to the time at which Redis added an entry, by its own clock.

use std::ops::Range;

use anyhow::Context as _;
use firmquote_domain::Timestamp;
use firmquote_store::{
    EventStream,
    redis::{LedgerCursor, RedisConfig, RedisStore},
};
use tokio::time::sleep;

use super::{
    cursor_file::CursorFile,
    printer::{POLL_INTERVAL, Printer, note},
};
use crate::commands::runtime::runtime;

/// Entries per request to Redis.
pub(super) const ENTRIES_PER_PAGE: usize = 1_000;

/// Prints the last `count` entries, or those after the one in `file`, and, with `follow`, new ones.
pub(super) fn tail(config: &RedisConfig, count: usize, follow: bool, file: Option<&CursorFile>) -> anyhow::Result<()> {
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let mut printer = Printer::lock();
        let cursor = match file.map(CursorFile::read).transpose()?.flatten() {
            Some(mut cursor) => {
                print_pages(&store, &mut printer, &mut cursor).await?;
                cursor
            }
            None => {
                let (lines, cursor) = store.ledger_end(count).await?;
                lines.iter().try_for_each(|line| printer.print(line.as_bytes()))?;
                cursor
            }
        };
        flush(&mut printer, file, &cursor)?;
        if follow { print_new(&store, &mut printer, cursor, file).await } else { Ok(()) }
    })
}

/// Flushes standard output, then remembers the last printed entry in `file`.
fn flush(printer: &mut Printer, file: Option<&CursorFile>, cursor: &LedgerCursor) -> anyhow::Result<()> {
    printer.flush()?;
    match file {
        Some(file) if !printer.is_closed() => file.write(&cursor.last_read()),
        _ => Ok(()),
    }
}

/// Prints the entries of `range`.
pub(super) fn export(config: &RedisConfig, range: &Range<Timestamp>) -> anyhow::Result<()> {
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let mut printer = Printer::lock();
        print_pages(&store, &mut printer, &mut LedgerCursor::new(range)).await?;
        Ok(printer.flush()?)
    })
}

/// Calls `add` with every entry of a stream.
pub(super) fn for_each_entry(
    config: &RedisConfig,
    stream: EventStream,
    mut add: impl FnMut(&[u8]),
) -> anyhow::Result<()> {
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let mut cursor = LedgerCursor::new(&(Timestamp::from_micros(0)..Timestamp::from_micros(u64::MAX)));
        loop {
            let page = store.page(stream, &mut cursor, ENTRIES_PER_PAGE).await?;
            page.iter().for_each(|line| add(line.as_bytes()));
            if page.len() < ENTRIES_PER_PAGE {
                return Ok(());
            }
        }
    })
}

/// Prints entries as they are added, until standard output is closed.
async fn print_new(
    store: &RedisStore,
    printer: &mut Printer,
    mut cursor: LedgerCursor,
    file: Option<&CursorFile>,
) -> anyhow::Result<()> {
    let mut is_reported = false;
    while !printer.is_closed() {
        sleep(POLL_INTERVAL).await;
        match print_pages(store, printer, &mut cursor).await {
            Ok(()) => is_reported = false,
            Err(error) if !is_reported => {
                note(&format!("{error:#}; retrying until it responds"));
                is_reported = true;
            }
            Err(_) => {}
        }
        flush(printer, file, &cursor)?;
    }
    Ok(())
}

/// Prints all entries that `cursor` has not read yet.
async fn print_pages(store: &RedisStore, printer: &mut Printer, cursor: &mut LedgerCursor) -> anyhow::Result<()> {
    loop {
        let page = store.page(EventStream::Ledger, cursor, ENTRIES_PER_PAGE).await?;
        page.iter().try_for_each(|line| printer.print(line.as_bytes()))?;
        if page.len() < ENTRIES_PER_PAGE || printer.is_closed() {
            return Ok(());
        }
    }
}

/// Connects to Redis, which need not respond yet.
pub(super) async fn connect(config: &RedisConfig) -> anyhow::Result<RedisStore> {
    RedisStore::connect(config).await.context("store: cannot be used as configured")
}
