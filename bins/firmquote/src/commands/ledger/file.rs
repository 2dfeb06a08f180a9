//! The ledger in a file. Lines that are no entries, as a crash leaves them, are skipped and counted.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    path::Path,
    thread::sleep,
};

use anyhow::Context as _;
use firmquote_domain::Timestamp;
use serde_json::Value;

use super::{LOOK_EVERY, Span, printer::Printer};

/// How much of the end of a file is looked at first.
const FIRST_LOOK: u64 = 1 << 16;

/// Prints the entries of `span`, which are in it by their `signed_at_us`.
pub(super) fn export(path: &Path, span: &Span) -> anyhow::Result<()> {
    let mut lines = BufReader::new(open(path)?);
    let mut printer = Printer::lock();
    let mut line = Vec::new();
    while !printer.is_closed() && lines.read_until(b'\n', &mut line)? > 0 {
        match read(&line) {
            Line::Entry { text, signed_at } if span.contains(signed_at) => printer.print(text)?,
            Line::Entry { .. } | Line::Blank => {}
            Line::Torn => printer.skip(),
        }
        line.clear();
    }
    Ok(printer.flush()?)
}

/// Prints the last `count` entries, and with `follow` those to come.
pub(super) fn tail(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    let mut file = open(path)?;
    let mut printer = Printer::lock();
    let length = file.metadata()?.len();
    // A line that has no end yet is waited for.
    let end = if follow { end_of_lines(&mut file, length)? } else { length };
    print_end(&mut file, end, count, &mut printer)?;
    printer.flush()?;
    if follow { print_new(file, end, &mut printer) } else { Ok(()) }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("store.ledger_file: cannot read {}", path.display()))
}

/// What a line is.
enum Line<'l> {
    Entry {
        /// The line without its end.
        text: &'l [u8],
        signed_at: Timestamp,
    },
    Blank,
    Torn,
}

fn read(line: &[u8]) -> Line<'_> {
    let text = line.trim_ascii();
    if text.is_empty() {
        return Line::Blank;
    }
    let entry: Option<Value> = serde_json::from_slice(text).ok();
    match entry.as_ref().and_then(|entry| entry.get("signed_at_us")).and_then(Value::as_u64) {
        Some(micros) => Line::Entry { text, signed_at: Timestamp::from_micros(micros) },
        None => Line::Torn,
    }
}

/// The bytes from `start` up to `end`.
fn part(file: &mut File, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where the last whole line before `end` ends.
fn end_of_lines(file: &mut File, end: u64) -> io::Result<u64> {
    let mut look = FIRST_LOOK;
    loop {
        let start = end.saturating_sub(look);
        let bytes = part(file, start, end)?;
        let whole = whole_lines(&bytes).len();
        if whole > 0 || start == 0 {
            return Ok(start + u64::try_from(whole).unwrap_or(0));
        }
        look = look.saturating_mul(4);
    }
}

/// `bytes` without the line at their end that has no end itself.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1);
    bytes.get(..end).unwrap_or_default()
}

/// Prints the last `count` entries before `end`. Looks at ever more of the file until it holds so many.
fn print_end(file: &mut File, end: u64, count: usize, printer: &mut Printer) -> io::Result<()> {
    let mut look = FIRST_LOOK;
    loop {
        let start = end.saturating_sub(look);
        let bytes = part(file, start, end)?;
        let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        if start > 0 {
            // It may begin before.
            lines.remove(0);
        }
        let (mut entries, mut torn) = (Vec::new(), 0);
        for line in lines.into_iter().rev() {
            match read(line) {
                _ if entries.len() == count => break,
                Line::Entry { text, .. } => entries.push(text),
                Line::Torn => torn += 1,
                Line::Blank => {}
            }
        }
        if entries.len() == count || start == 0 {
            (0..torn).for_each(|_| printer.skip());
            return entries.into_iter().rev().try_for_each(|entry| printer.print(entry));
        }
        look = look.saturating_mul(4);
    }
}

/// Prints the whole lines that are appended behind `position`, where a line begins, until nobody reads them.
fn print_new(mut file: File, mut position: u64, printer: &mut Printer) -> anyhow::Result<()> {
    while !printer.is_closed() {
        sleep(LOOK_EVERY);
        let length = file.metadata()?.len();
        // Lines that did not get to the disk are taken back.
        position = position.min(length);
        let bytes = part(&mut file, position, length)?;
        let lines = whole_lines(&bytes);
        for line in lines.split(|byte| *byte == b'\n') {
            match read(line) {
                Line::Entry { text, .. } => printer.print(text)?,
                Line::Torn => printer.skip(),
                Line::Blank => {}
            }
        }
        position += u64::try_from(lines.len())?;
        printer.flush()?;
    }
    Ok(())
}
