//! Reads a ledger file, at rest or while it is written, and never modifies it.

use std::{
    fmt,
    fs::{File, TryLockError},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    os::unix::fs::MetadataExt as _,
    path::Path,
    str::FromStr,
};

use alloy_primitives::keccak256;
use firmquote_domain::{InvalidValue, Timestamp};
use serde::Deserialize;

/// Bytes at the end of a file that are read first.
const FIRST_READ: u64 = 1 << 16;
/// Bytes of new lines that are read at once, far more than one line.
const MAX_NEW_BYTES: u64 = 1 << 24;

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
        let (mut start, mut end) = (0, self.0.metadata()?.len());
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
        let end = self.0.metadata()?.len();
        self.last_lines_before(end, count)
    }

    /// Returns what [`Self::last`] returns, and a follower that returns all later lines. An unterminated last line is
    /// still being written, so it is left to the follower.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last_and_follow(mut self, count: usize) -> io::Result<(Vec<LedgerLine>, LedgerFollower)> {
        let length = self.0.metadata()?.len();
        let end = self.last_line_end(length)?;
        let lines = self.last_lines_before(end, count)?;
        let start = end.saturating_sub(FIRST_READ);
        let recent = self.bytes(start, end)?;
        Ok((lines, LedgerFollower { reader: self, start, recent }))
    }

    /// Whether `position` is in this file: it is the same file, and what stands before the position is unchanged.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn contains(&mut self, position: LedgerPosition) -> io::Result<bool> {
        let metadata = self.0.metadata()?;
        let may_be = metadata.ino() == position.file && position.offset <= metadata.len();
        Ok(may_be && self.fingerprint(position.offset)? == position.fingerprint)
    }

    /// Returns a follower that returns all lines after `position`; all of the file if that does not contain it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn follow_from(mut self, position: LedgerPosition) -> io::Result<LedgerFollower> {
        let start = if self.contains(position)? { position.offset } else { 0 };
        Ok(LedgerFollower { reader: self, start, recent: Vec::new() })
    }

    /// Identifies what stands before an offset.
    fn fingerprint(&mut self, offset: u64) -> io::Result<u64> {
        let before = self.bytes(offset.saturating_sub(FINGERPRINT_BYTES), offset)?;
        let [first, second, third, fourth, fifth, sixth, seventh, eighth, ..] = keccak256(before).0;
        Ok(u64::from_be_bytes([first, second, third, fourth, fifth, sixth, seventh, eighth]))
    }

    /// Reads backwards from `end` in growing steps until it has found `count` entries.
    fn last_lines_before(&mut self, end: u64, count: usize) -> io::Result<Vec<LedgerLine>> {
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
    fn last_line_end(&mut self, end: u64) -> io::Result<u64> {
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
    fn bytes(&mut self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(start))?;
        (&self.0).take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// A position in a ledger file: the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerPosition {
    /// The inode of the file: a rotated file is another one.
    file: u64,
    /// In bytes.
    offset: u64,
    /// Of what stands before it: inodes are used again, and lines that were not synced are replaced.
    fingerprint: u64,
}

/// How much before a position identifies it, in bytes: more than a line of the ledger.
const FINGERPRINT_BYTES: u64 = 4_096;

impl LedgerPosition {
    /// Before the first line of any file.
    pub const START: Self = Self { file: 0, offset: 0, fingerprint: 0 };

    /// Returns the inode of the file.
    pub const fn inode(self) -> u64 {
        self.file
    }
}

impl fmt::Display for LedgerPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{:016x}", self.file, self.offset, self.fingerprint)
    }
}

impl FromStr for LedgerPosition {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let numbers = || {
            let (file, rest) = text.split_once(':')?;
            let (offset, fingerprint) = rest.split_once(':')?;
            let fingerprint = u64::from_str_radix(fingerprint, 16).ok()?;
            Some(Self { file: file.parse().ok()?, offset: offset.parse().ok()?, fingerprint })
        };
        numbers().ok_or(InvalidValue::Malformed {
            expected: "a position in a ledger file, such as 4026531:1103:9f86d081884c7d65",
        })
    }
}

/// Follows a ledger file as it grows. The writer may truncate lines that it could not sync to disk and write others in
/// their place, so the bytes read before are compared with the current content.
#[derive(Debug)]
pub struct LedgerFollower {
    reader: LedgerReader,
    /// The file offset of `recent`.
    start: u64,
    recent: Vec<u8>,
}

impl LedgerFollower {
    /// Returns the lines completed since the last call.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn new_lines(&mut self) -> io::Result<Vec<LedgerLine>> {
        Ok(self.new_bytes()?.split(|byte| *byte == b'\n').filter_map(parse).collect())
    }

    /// Returns the inode of the file, which another file has after a rotation.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn inode(&self) -> io::Result<u64> {
        self.reader.inode()
    }

    /// Returns the position after the lines returned so far.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn position(&mut self) -> io::Result<LedgerPosition> {
        let offset = self.start + u64::try_from(self.recent.len()).unwrap_or(0);
        let fingerprint = self.reader.fingerprint(offset)?;
        Ok(LedgerPosition { file: self.inode()?, offset, fingerprint })
    }

    /// Whether a service has the file open for writing: it locks it.
    ///
    /// # Errors
    /// When the lock cannot be queried.
    pub fn is_written(&self) -> io::Result<bool> {
        match self.reader.0.try_lock_shared() {
            Ok(()) => self.reader.0.unlock().map(|()| false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn new_bytes(&mut self) -> io::Result<Vec<u8>> {
        // A day of entries may not fit into memory.
        let length = self.reader.0.metadata()?.len().min(self.start + 2 * FIRST_READ + MAX_NEW_BYTES);
        let mut now = self.reader.bytes(self.start, length)?;
        let same = self.recent.iter().zip(&now).take_while(|(recent, now)| recent == now).count();
        let same = complete_lines(now.get(..same).unwrap_or_default()).len();
        let complete = complete_lines(&now).len();
        now.truncate(complete);
        let new = now.split_off(same);
        self.recent = now;
        self.recent.extend_from_slice(&new);
        let surplus = self.recent.len().saturating_sub(usize::try_from(FIRST_READ).unwrap_or(usize::MAX));
        self.recent.drain(..surplus);
        self.start += u64::try_from(surplus).unwrap_or(0);
        Ok(new)
    }
}

/// Parses a line; `None` for a blank one.
fn parse(line: &[u8]) -> Option<LedgerLine> {
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
fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1);
    bytes.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

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
    fn a_truncated_file_is_followed_from_its_new_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        fs::write(&path, "old\n").unwrap();
        let (_, mut follower) = LedgerReader::open(&path).unwrap().last_and_follow(0).unwrap();
        let mut writer = File::options().append(true).open(&path).unwrap();
        let mut look = || String::from_utf8(follower.new_bytes().unwrap()).unwrap();
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

    #[test]
    fn a_file_is_followed_from_a_position_and_a_rotated_one_from_its_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        fs::write(&path, "one\ntwo\nhalf").unwrap();
        let open = || LedgerReader::open(&path).unwrap();
        let (_, mut follower) = open().last_and_follow(0).unwrap();
        let position: LedgerPosition = follower.position().unwrap().to_string().parse().unwrap();
        fs::write(&path, "one\ntwo\nhalf a line\nfour\n").unwrap();
        let mut follower = open().follow_from(position).unwrap();
        assert_eq!(follower.new_bytes().unwrap(), b"half a line\nfour\n");
        let end = follower.position().unwrap();
        assert_eq!(open().follow_from(end).unwrap().new_bytes().unwrap(), b"");
        fs::rename(&path, folder.path().join("rotated")).unwrap();
        fs::write(&path, "five, in another file that is longer than the first one\n").unwrap();
        assert_eq!(open().follow_from(end).unwrap().new_bytes().unwrap().len(), 56);
        for invalid in ["", "1", "1:", ":1", "1:x"] {
            invalid.parse::<LedgerPosition>().unwrap_err();
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
