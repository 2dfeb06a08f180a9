//! The ledger in a file. Invalid lines, such as those torn by a crash, are skipped and counted.

use std::{io, ops::Range, path::Path, thread::sleep};

use anyhow::Context as _;
use firmquote_domain::Timestamp;
use firmquote_store::ledger::{LedgerLine, LedgerReader};

use super::{
    cursor_file::CursorFile,
    printer::{POLL_INTERVAL, Printer},
};

/// Prints the entries whose `signed_at_us` or `recorded_at_us` is within `range`.
pub(super) fn export(path: &Path, range: &Range<Timestamp>) -> anyhow::Result<()> {
    let mut printer = Printer::lock();
    for line in open(path)?.lines() {
        match line? {
            LedgerLine::Entry { time, .. } if !range.contains(&time) => {}
            line => print(&line, &mut printer)?,
        }
        if printer.is_closed() {
            break;
        }
    }
    Ok(printer.flush()?)
}

/// Calls `add` with every line.
pub(super) fn for_each_entry(path: &Path, mut add: impl FnMut(&[u8])) -> anyhow::Result<()> {
    for line in open(path)?.lines() {
        match line? {
            LedgerLine::Entry { text, .. } => add(&text),
            LedgerLine::Invalid => add(b""),
        }
    }
    Ok(())
}

/// Prints the last `count` entries, or those after `cursor`, and, with `follow`, new ones until standard output is
/// closed.
pub(super) fn tail(path: &Path, count: usize, follow: bool, cursor: Option<&CursorFile>) -> anyhow::Result<()> {
    let mut reader = open(path)?;
    let mut printer = Printer::lock();
    let position = cursor.map(CursorFile::read).transpose()?.flatten();
    let (mut lines, mut follower) = match (cursor, position) {
        (None, _) if !follow => {
            reader.last(count)?.iter().try_for_each(|line| print(line, &mut printer))?;
            return Ok(printer.flush()?);
        }
        (_, Some(position)) => (Vec::new(), reader.follow_from(position)?),
        (_, None) => reader.last_and_follow(count)?,
    };
    loop {
        lines.iter().try_for_each(|line| print(line, &mut printer))?;
        printer.flush()?;
        if printer.is_closed() {
            return Ok(());
        }
        if let Some(cursor) = cursor {
            cursor.write(&follower.position()?)?;
        }
        lines = follower.new_lines()?;
        match (lines.is_empty(), follow) {
            (false, _) => {}
            (true, true) => sleep(POLL_INTERVAL),
            (true, false) => return Ok(()),
        }
    }
}

fn open(path: &Path) -> anyhow::Result<LedgerReader> {
    LedgerReader::open(path).with_context(|| format!("store.ledger_file: cannot read {}", path.display()))
}

fn print(line: &LedgerLine, printer: &mut Printer) -> io::Result<()> {
    match line {
        LedgerLine::Entry { text, .. } => printer.print(text),
        LedgerLine::Invalid => {
            printer.skip();
            Ok(())
        }
    }
}
