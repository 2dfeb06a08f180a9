//! The last lines of a stream in memory, as they were written, with older ones in its file.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::PathBuf,
    sync::Arc,
};

use parking_lot::Mutex;

use super::EventPosition;

/// The most lines in memory.
const MAX_LINES: usize = 10_000;

/// The lines of a stream. Those in memory are on disk.
#[derive(Debug)]
pub(crate) struct LineLog {
    /// `None` for a stream that is kept in memory only.
    path: Option<PathBuf>,
    lines: Mutex<Lines>,
}

#[derive(Debug)]
struct Lines {
    /// The end of what is before the first line in memory.
    start: u64,
    /// The lines with their ends.
    recent: VecDeque<(u64, Arc<str>)>,
    /// The end of the last line.
    end: u64,
}

impl LineLog {
    /// Creates the log of a file that is `length` bytes long, or of none.
    pub(crate) fn new(path: Option<PathBuf>, length: u64) -> Self {
        Self { path, lines: Mutex::new(Lines { start: length, recent: VecDeque::new(), end: length }) }
    }

    /// Adds a line that ends at `end`; after the last one if that is `None`.
    pub(crate) fn push(&self, line: &str, end: Option<u64>) {
        let mut lines = self.lines.lock();
        let end = end.unwrap_or(lines.end + 1);
        lines.end = end;
        lines.recent.push_back((end, Arc::from(line)));
        if lines.recent.len() > MAX_LINES
            && let Some((end, _)) = lines.recent.pop_front()
        {
            lines.start = end;
        }
    }

    /// The position after the last line.
    pub(crate) fn end(&self) -> EventPosition {
        EventPosition(self.lines.lock().end, 0)
    }

    /// Returns at most `count` lines after `position` with their ends; `None` if some of them are not kept, or the position
    /// is not one of this log.
    pub(crate) fn after(
        &self,
        position: EventPosition,
        count: usize,
    ) -> io::Result<Option<Vec<(EventPosition, String)>>> {
        let (start, recent) = {
            let lines = self.lines.lock();
            if position.0 > lines.end || position.1 != 0 {
                return Ok(None);
            }
            let recent: Vec<(u64, Arc<str>)> =
                lines.recent.iter().filter(|(end, _)| *end > position.0).take(count).cloned().collect();
            (lines.start, recent)
        };
        let mut found = Vec::new();
        if position.0 < start {
            match self.read_file(position.0, start, count)? {
                Some(older) => found = older,
                None => return Ok(None),
            }
        }
        // Otherwise the file has more before the kept ones.
        if found.last().map_or(position.0, |(end, _)| end.0) >= start {
            found.extend(recent.into_iter().map(|(end, line)| (EventPosition(end, 0), line.to_string())));
        }
        found.truncate(count);
        Ok(Some(found))
    }

    /// Reads lines of the file between two ends; `None` if the first is not the end of a line.
    fn read_file(&self, from: u64, to: u64, count: usize) -> io::Result<Option<Vec<(EventPosition, String)>>> {
        let Some(path) = &self.path else { return Ok(None) };
        let mut file = File::open(path)?;
        let before = from.saturating_sub(1);
        file.seek(SeekFrom::Start(before))?;
        let mut bytes = Vec::new();
        file.take((to - before).min(MAX_READ_BYTES)).read_to_end(&mut bytes)?;
        let (mut position, mut rest) = (before, &bytes[..]);
        if from > 0 {
            if rest.first() != Some(&b'\n') {
                return Ok(None);
            }
            (position, rest) = (from, rest.get(1..).unwrap_or_default());
        }
        let mut lines = Vec::new();
        while let Some(length) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(length + 1);
            position += u64::try_from(line.len()).unwrap_or(0);
            rest = after;
            let text = line.trim_ascii();
            if !text.is_empty() {
                lines.push((EventPosition(position, 0), String::from_utf8_lossy(text).into_owned()));
            }
            if lines.len() == count {
                break;
            }
        }
        Ok(Some(lines))
    }
}

/// The most bytes of a file that are read at once.
const MAX_READ_BYTES: u64 = 1 << 22;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The texts after a position, at most `count`.
    fn after(log: &LineLog, position: u64, count: usize) -> Option<Vec<String>> {
        let found = log.after(EventPosition(position, 0), count).unwrap();
        found.map(|lines| lines.into_iter().map(|(_, line)| line).collect())
    }

    #[test]
    fn lines_before_those_in_memory_are_read_from_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lines");
        fs::write(&path, "one\ntwo\n\nthree\nfour\n").unwrap();
        let log = LineLog::new(Some(path), 15);
        log.push("four", Some(20));
        assert_eq!(after(&log, 0, 9).unwrap(), ["one", "two", "three", "four"]);
        assert_eq!(after(&log, 4, 2).unwrap(), ["two", "three"]);
        assert_eq!(after(&log, 15, 9).unwrap(), ["four"]);
        assert_eq!(after(&log, 20, 9).unwrap(), Vec::<String>::new());
        for position in [1, 16, 21] {
            assert!(after(&log, position, 9).is_none_or(|lines| position == 16 && lines == ["four"]), "{position}");
        }
        let ends: Vec<u64> = log.after(EventPosition(0, 0), 9).unwrap().unwrap().iter().map(|(end, _)| end.0).collect();
        assert_eq!(ends, [4, 8, 15, 20]);
    }

    #[test]
    fn a_log_without_a_file_forgets_its_first_lines() {
        let log = LineLog::new(None, 0);
        for number in 0..=MAX_LINES {
            log.push(&number.to_string(), None);
        }
        assert_eq!(after(&log, 0, 1), None);
        assert_eq!(after(&log, 1, 1).unwrap(), ["1"]);
        assert_eq!(log.end(), EventPosition(10_001, 0));
    }
}
