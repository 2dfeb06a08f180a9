//! The ledger in Redis. Time ranges refer to the time at which Redis added an entry, by its own clock.

use anyhow::Context as _;
use firmquote_store::redis::{LedgerEntry, RedisConfig, RedisStore};
use tokio::{runtime, time::sleep};

use super::printer::{POLL_INTERVAL, Printer, Span, note};

/// Entries per request to Redis.
const PAGE: usize = 1_000;

/// Prints the last `count` entries and, with `follow`, new ones.
pub(super) fn tail(config: &RedisConfig, count: usize, follow: bool) -> anyhow::Result<()> {
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let mut printer = Printer::lock();
        // At least one, to know where new ones start.
        let entries = store.ledger_end(count.max(1)).await?;
        for entry in entries.iter().skip(entries.len().saturating_sub(count)) {
            printer.print(entry.line.as_bytes())?;
        }
        printer.flush()?;
        if follow { print_new(&store, &mut printer, entries.last()).await } else { Ok(()) }
    })
}

/// Prints the entries of `span`.
pub(super) fn export(config: &RedisConfig, span: &Span) -> anyhow::Result<()> {
    let (mut from, to) = range(span);
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let mut printer = Printer::lock();
        print_pages(&store, &mut printer, &mut from, &to).await?;
        Ok(printer.flush()?)
    })
}

fn runtime() -> std::io::Result<runtime::Runtime> {
    runtime::Builder::new_current_thread().enable_all().build()
}

/// Returns both ends of a span for `XRANGE`. Stream IDs are in milliseconds, so both ends are rounded up: the range
/// starts at the first whole millisecond and includes the last partial one.
fn range(span: &Span) -> (String, String) {
    let from = span.from.as_micros().div_ceil(1_000);
    let to = span.to.map(|to| to.as_micros().div_ceil(1_000).saturating_sub(1));
    (from.to_string(), to.map_or("+".to_owned(), |to| to.to_string()))
}

/// Prints entries added after `last`, until standard output is closed.
async fn print_new(store: &RedisStore, printer: &mut Printer, last: Option<&LedgerEntry>) -> anyhow::Result<()> {
    let mut from = last.map_or("-".to_owned(), after);
    let mut is_reported = false;
    while !printer.is_closed() {
        sleep(POLL_INTERVAL).await;
        match print_pages(store, printer, &mut from, "+").await {
            Ok(()) => is_reported = false,
            Err(error) if !is_reported => {
                note(&format!("{error:#}; retrying until it responds"));
                is_reported = true;
            }
            Err(_) => {}
        }
        printer.flush()?;
    }
    Ok(())
}

/// Prints all entries from `from` up to `to`, and advances `from` past the last one printed.
async fn print_pages(store: &RedisStore, printer: &mut Printer, from: &mut String, to: &str) -> anyhow::Result<()> {
    loop {
        let page = store.ledger_page(from, to, PAGE).await?;
        for entry in &page {
            printer.print(entry.line.as_bytes())?;
        }
        if let Some(last) = page.last() {
            *from = after(last);
        }
        if page.len() < PAGE || printer.is_closed() {
            return Ok(());
        }
    }
}

fn after(entry: &LedgerEntry) -> String {
    format!("({}", entry.id)
}

async fn connect(config: &RedisConfig) -> anyhow::Result<RedisStore> {
    RedisStore::connect(config).await.context("store: cannot be used as configured")
}
