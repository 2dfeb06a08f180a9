//! Follows a ledger file as it is written, from any position.

use std::{fmt, io, str::FromStr};

use alloy_primitives::keccak256;
use firmquote_domain::InvalidValue;

use super::reader::{FIRST_READ, LedgerLine, LedgerReader, complete_lines, parse};

/// Bytes of new lines that are read at once, far more than one line.
const MAX_NEW_BYTES: u64 = 1 << 24;

/// How much before a position identifies it, in bytes: more than a line of the ledger.
const FINGERPRINT_BYTES: u64 = 4_096;

impl LedgerReader {
    /// Returns what [`Self::last`] returns, and a follower that returns all later lines. An unterminated last line is
    /// still being written, so it is left to the follower.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last_and_follow(mut self, count: usize) -> io::Result<(Vec<LedgerLine>, LedgerFollower)> {
        let length = self.length()?;
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
        let may_be = self.inode()? == position.file && position.offset <= self.length()?;
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
        self.reader.is_written()
    }

    fn new_bytes(&mut self) -> io::Result<Vec<u8>> {
        // A day of entries may not fit into memory.
        let length = self.reader.length()?.min(self.start + 2 * FIRST_READ + MAX_NEW_BYTES);
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

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

    use super::*;

    #[test]
    fn a_truncated_file_is_followed_from_its_new_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        fs::write(&path, "old\n").unwrap();
        let (_, mut follower) = LedgerReader::open(&path).unwrap().last_and_follow(0).unwrap();
        let mut writer = fs::File::options().append(true).open(&path).unwrap();
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
}
