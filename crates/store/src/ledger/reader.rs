//! Reads a ledger file, at rest or while it is written, and never modifies it.

use std::{
    fs::{File, TryLockError},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use firmquote_domain::Timestamp;
use serde::Deserialize;

/// Bytes at the end of a file that are read first.
pub(super) const FIRST_READ: u64 = 1 << 16;

/// A line of a ledger file that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerLine {
    /// An entry.
    Entry {
        /// The line without its line ending: one JSON object.
        text: Vec<u8>,
        /// When the signature was made, or when the service learned the outcome of its swap.
        time: Timestamp,
    },
    /// Not an entry, such as a line torn by a crash.
    Invalid,
}

impl LedgerLine {
    /// The time of an entry; `None` for an invalid line.
    pub const fn time(&self) -> Option<Timestamp> {
        match self {
            Self::Entry { time, .. } => Some(*time),
            Self::Invalid => None,
        }
    }
}

/// A ledger file that is open for reading.
#[derive(Debug)]
pub struct LedgerReader(File);

impl LedgerReader {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be opened for reading.
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Returns the inode of the file.
    ///
    /// # Errors
    /// When the file cannot be queried.
    pub fn inode(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.ino())
    }

    /// Returns the lines from the start of the file.
    pub fn lines(self) -> impl Iterator<Item = io::Result<LedgerLine>> {
        BufReader::new(self.0).split(b'\n').filter_map(|line| line.map(|line| parse(&line)).transpose())
    }

    /// Returns the lines from about the first entry of `time` or later: some are earlier. Finds it by bisection, because
    /// entries are in the order of time, but for seconds between the clocks of processes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn lines_from(mut self, time: Timestamp) -> io::Result<impl Iterator<Item = io::Result<LedgerLine>>> {
        let (mut start, mut end) = (0, self.length()?);
        while end - start > FIRST_READ {
            let middle = start + (end - start) / 2;
            let bytes = self.bytes(middle, middle + FIRST_READ)?;
            // The first line may start before the middle.
            let mut lines = complete_lines(&bytes).split(|byte| *byte == b'\n').skip(1);
            match lines.find_map(|line| parse(line)?.time()) {
                Some(found) if found < time => start = middle,
                _ => end = middle,
            }
        }
        self.0.seek(SeekFrom::Start(start))?;
        Ok(self.lines().skip(usize::from(start > 0)))
    }

    /// Returns the last `count` entries, oldest first, with the invalid lines among them. Reads no more of a long file
    /// than it needs.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last(&mut self, count: usize) -> io::Result<Vec<LedgerLine>> {
        let end = self.length()?;
        self.last_lines_before(end, count)
    }

    /// Returns the length of the file in bytes.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Whether a service has the file open for writing: it locks it.
    pub(super) fn is_written(&self) -> io::Result<bool> {
        match self.0.try_lock_shared() {
            Ok(()) => self.0.unlock().map(|()| false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Reads backwards from `end` in growing steps until it has found `count` entries.
    pub(super) fn last_lines_before(&mut self, end: u64, count: usize) -> io::Result<Vec<LedgerLine>> {
        let mut length = FIRST_READ;
        loop {
            let start = end.saturating_sub(length);
            let bytes = self.bytes(start, end)?;
            // The first line may start before `start`.
            let lines = bytes.split(|byte| *byte == b'\n').skip(usize::from(start > 0));
            let mut lines: Vec<LedgerLine> = lines.filter_map(parse).collect();
            let mut newer = lines.iter().enumerate().rev().filter(|(_, line)| **line != LedgerLine::Invalid);
            let oldest = count.checked_sub(1).map_or(Some(lines.len()), |others| Some(newer.nth(others)?.0));
            if oldest.is_some() || start == 0 {
                return Ok(lines.split_off(oldest.unwrap_or(0)));
            }
            length = length.saturating_mul(4);
        }
    }

    /// Returns the end of the last complete line before `end`.
    pub(super) fn last_line_end(&mut self, end: u64) -> io::Result<u64> {
        let mut length = FIRST_READ;
        loop {
            let start = end.saturating_sub(length);
            let bytes = self.bytes(start, end)?;
            let complete = complete_lines(&bytes).len();
            if complete > 0 || start == 0 {
                return Ok(start + u64::try_from(complete).unwrap_or(0));
            }
            length = length.saturating_mul(4);
        }
    }

    /// Reads the bytes from `start` up to `end`.
    pub(super) fn bytes(&mut self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(start))?;
        (&self.0).take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Parses a line; `None` for a blank one.
pub(super) fn parse(line: &[u8]) -> Option<LedgerLine> {
    /// The fields that all entries share.
    #[derive(Deserialize)]
    struct Entry {
        #[serde(alias = "recorded_at_us")]
        signed_at_us: u64,
    }
    let text = line.trim_ascii();
    Some(match serde_json::from_slice(text) {
        _ if text.is_empty() => return None,
        Ok(Entry { signed_at_us }) => {
            LedgerLine::Entry { text: text.to_owned(), time: Timestamp::from_micros(signed_at_us) }
        }
        Err(_) => LedgerLine::Invalid,
    })
}

/// Returns `bytes` without a trailing unterminated line.
pub(super) fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1);
    bytes.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_from_a_time_miss_no_entry_of_it_or_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let line = |second: u64| {
            let padding = "x".repeat(usize::try_from(second % 700).unwrap());
            format!("{{\"event\":\"lapsed\",\"recorded_at_us\":{},\"padding\":\"{padding}\"}}\n", second * 1_000_000)
        };
        let from = |count: u64, second: u64| {
            fs::write(&path, (0..count).map(line).collect::<String>() + "torn").unwrap();
            let time = Timestamp::from_micros(second * 1_000_000);
            let lines = LedgerReader::open(&path).unwrap().lines_from(time).unwrap();
            let times: Vec<u64> =
                lines.filter_map(|line| Some(line.unwrap().time()?.as_micros() / 1_000_000)).collect();
            times
        };
        assert_eq!(from(20, 7), (0..20).collect::<Vec<_>>(), "a short file is read whole");
        for second in [0, 1, 700, 2_500, 4_999, 5_000] {
            let times = from(5_000, second);
            let first = times.first().copied().unwrap_or(5_000);
            assert!(first <= second && second - first < 2_000, "{first} for {second}");
            assert_eq!(times, (first..5_000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_last_entries_are_found_however_far_back_they_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let entry = |number: u64| format!("{{\"signed_at_us\":{number},\"filler\":\"{}\"}}", "x".repeat(100_000));
        let expected =
            |number: u64| LedgerLine::Entry { text: entry(number).into_bytes(), time: Timestamp::from_micros(number) };
        fs::write(&path, format!("{}\n{}\n\ntorn\n{}\n{}", entry(1), entry(2), entry(3), entry(4))).unwrap();
        let open = || LedgerReader::open(&path).unwrap();
        assert_eq!(open().last(0).unwrap(), []);
        assert_eq!(open().last(2).unwrap(), [expected(3), expected(4)]);
        assert_eq!(open().last(3).unwrap(), [expected(2), LedgerLine::Invalid, expected(3), expected(4)]);
        let all = [expected(1), expected(2), LedgerLine::Invalid, expected(3), expected(4)];
        assert_eq!(open().last(9).unwrap(), all);
        assert_eq!(open().lines().collect::<io::Result<Vec<_>>>().unwrap(), all);
        let (complete, mut follower) = open().last_and_follow(1).unwrap();
        assert_eq!((complete, follower.new_lines().unwrap()), (vec![expected(3)], Vec::new()));
    }
}
