//! The ledger in a file. Invalid lines, such as those torn by a crash, are skipped and counted.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    path::Path,
    thread::sleep,
};

use anyhow::Context as _;
use firmquote_domain::Timestamp;
use serde_json::Value;

use super::printer::{POLL_INTERVAL, Printer, Span};

/// Bytes at the end of a file that are read first.
const FIRST_LOOK: u64 = 1 << 16;

/// Prints the entries whose `signed_at_us` is within `span`.
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

/// Prints the last `count` entries and, with `follow`, new ones.
pub(super) fn tail(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    let mut file = open(path)?;
    let mut printer = Printer::lock();
    let length = file.metadata()?.len();
    // An unterminated line may still be completed, so it is left for `print_new`.
    let end = if follow { end_of_lines(&mut file, length)? } else { length };
    print_end(&mut file, end, count, &mut printer)?;
    printer.flush()?;
    if follow { print_new(file, end, &mut printer) } else { Ok(()) }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("store.ledger_file: cannot read {}", path.display()))
}

/// A classified line.
enum Line<'l> {
    Entry {
        /// The line without its line ending.
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

/// Reads the bytes from `start` up to `end`.
fn part(file: &mut File, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the end of the last complete line before `end`.
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

/// Returns `bytes` without a trailing unterminated line.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1);
    bytes.get(..end).unwrap_or_default()
}

/// Prints the last `count` entries before `end`. Reads backwards in growing steps until it has found that many.
fn print_end(file: &mut File, end: u64, count: usize, printer: &mut Printer) -> io::Result<()> {
    let mut look = FIRST_LOOK;
    loop {
        let start = end.saturating_sub(look);
        let bytes = part(file, start, end)?;
        let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        if start > 0 {
            // The first line may start before `start`.
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

/// Prints complete lines appended after `end`, the start of a line, until standard output is closed.
fn print_new(mut file: File, end: u64, printer: &mut Printer) -> anyhow::Result<()> {
    let mut follower = Follower::from(&mut file, end)?;
    while !printer.is_closed() {
        sleep(POLL_INTERVAL);
        for line in follower.new_lines(&mut file)?.split(|byte| *byte == b'\n') {
            match read(line) {
                Line::Entry { text, .. } => printer.print(text)?,
                Line::Torn => printer.skip(),
                Line::Blank => {}
            }
        }
        printer.flush()?;
    }
    Ok(())
}

/// The end of the file as last read. The writer may truncate lines that it could not sync to disk and write others in
/// their place, so the bytes read before are compared with the current content.
struct Follower {
    /// The file offset of `known`.
    start: u64,
    known: Vec<u8>,
}

impl Follower {
    /// Starts after `end`, the start of a line.
    fn from(file: &mut File, end: u64) -> io::Result<Self> {
        let start = end.saturating_sub(FIRST_LOOK);
        Ok(Self { start, known: part(file, start, end)? })
    }

    /// Returns the complete lines added since the last call.
    fn new_lines(&mut self, file: &mut File) -> io::Result<Vec<u8>> {
        let length = file.metadata()?.len();
        let mut now = part(file, self.start, length)?;
        let same = self.known.iter().zip(&now).take_while(|(known, now)| known == now).count();
        let same = whole_lines(now.get(..same).unwrap_or_default()).len();
        let whole = whole_lines(&now).len();
        now.truncate(whole);
        let new = now.split_off(same);
        self.known = now;
        self.known.extend_from_slice(&new);
        let surplus = self.known.len().saturating_sub(usize::try_from(FIRST_LOOK).unwrap_or(usize::MAX));
        self.known.drain(..surplus);
        self.start += u64::try_from(surplus).unwrap_or(0);
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

    use super::*;

    #[test]
    fn lines_that_take_the_place_of_others_are_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        fs::write(&path, "old\n").unwrap();
        let mut file = File::open(&path).unwrap();
        let mut follower = Follower::from(&mut file, 4).unwrap();
        let mut writer = File::options().append(true).open(&path).unwrap();
        let mut look = || String::from_utf8(follower.new_lines(&mut file).unwrap()).unwrap();
        assert_eq!(look(), "");
        writer.write_all(b"first\nhalf a ").unwrap();
        assert_eq!(look(), "first\n");
        writer.write_all(b"line\n").unwrap();
        assert_eq!(look(), "half a line\n");
        // The file is truncated after "old", and something longer is appended.
        writer.set_len(4).unwrap();
        writer.write_all(b"other\nand more than there was\n").unwrap();
        assert_eq!(look(), "other\nand more than there was\n");
        assert_eq!(look(), "");
        writer.write_all("x".repeat(100_000).as_bytes()).unwrap();
        writer.write_all(b"\n").unwrap();
        assert_eq!(look().len(), 100_001);
        writer.write_all(b"last\n").unwrap();
        assert_eq!(look(), "last\n");
    }
}
