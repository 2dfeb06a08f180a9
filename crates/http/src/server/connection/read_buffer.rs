//! What is taken in of what a client sends: one request at a time, and no more of a body than is read.
//!
//! HTTP decodes everything that it is given at once, and each request that waits to be answered takes a kilobyte. So it is
//! given the bytes up to the end of one head, and the next when that request is answered.

use std::mem::MaybeUninit;

use super::deadlines::ConnectionDeadlines;

/// The longest head, in bytes.
pub(super) const MAX_HEAD: usize = 16 * 1_024;
/// The most that is read of a client at once, in bytes.
pub(super) const CHUNK: usize = 4 * 1_024;

/// Room for what is read at once.
pub(super) const fn chunk() -> [MaybeUninit<u8>; CHUNK] {
    [MaybeUninit::uninit(); CHUNK]
}

/// What was read of a client and not given to HTTP yet.
#[derive(Default)]
pub(super) struct ReadBuffer {
    held: Vec<u8>,
    /// Whether HTTP was given something since it was last idle: the rest is for the next time.
    has_given: bool,
    /// Bytes given since the last request began, and how many had begun by then.
    given: usize,
    requests_seen: u64,
}

/// How much HTTP may be given now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadAllowance {
    /// Nothing until it has done something.
    Nothing,
    /// So many bytes of a body.
    Body(usize),
    /// Bytes up to the end of a head.
    Head,
    /// What came is longer than any head.
    TooLong,
}

impl ReadBuffer {
    /// What HTTP may be given, by what `deadlines` knows of the connection.
    pub(super) fn allowance(&mut self, deadlines: &ConnectionDeadlines) -> ReadAllowance {
        if self.has_given {
            return ReadAllowance::Nothing;
        }
        if self.requests_seen != deadlines.requests_begun() {
            (self.requests_seen, self.given) = (deadlines.requests_begun(), 0);
        }
        match deadlines.body_allowance() {
            Some(0) => ReadAllowance::Nothing,
            Some(bytes) => ReadAllowance::Body(bytes),
            None if self.given > MAX_HEAD => ReadAllowance::TooLong,
            None => ReadAllowance::Head,
        }
    }

    /// HTTP has done what it could with what it was given.
    pub(super) fn request_ended(&mut self) {
        self.has_given = false;
    }

    /// Whether there is something to give without reading.
    pub(super) fn has_key(&self) -> bool {
        !self.held.is_empty()
    }

    /// Keeps what was read.
    pub(super) fn hold(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
    }

    /// Takes what HTTP is given of what is held: as much as is allowed, and fits into `room`.
    pub(super) fn take(
        &mut self,
        allowance: ReadAllowance,
        room: usize,
        deadlines: &ConnectionDeadlines,
        give: impl FnOnce(&[u8]),
    ) {
        let length = match allowance {
            ReadAllowance::Nothing | ReadAllowance::TooLong => 0,
            ReadAllowance::Body(bytes) => bytes.min(self.held.len()),
            ReadAllowance::Head => end_of_head(&self.held),
        };
        let length = length.min(room);
        give(self.held.get(..length).unwrap_or_default());
        self.held.drain(..length);
        if self.held.is_empty() {
            self.held = Vec::new();
        }
        if let ReadAllowance::Body(_) = allowance {
            deadlines.body_received(length);
        } else {
            self.given += length;
        }
        self.has_given = true;
    }
}

/// The length up to and including the first blank line, or all of it.
fn end_of_head(bytes: &[u8]) -> usize {
    let mut line_start = None;
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let line = line_start.and_then(|start| bytes.get(start..at));
        if matches!(line, Some([] | [b'\r'])) {
            return at + 1;
        }
        line_start = Some(at + 1);
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_with_its_blank_line() {
        for (bytes, length) in [
            ("GET / HTTP/1.1\r\nhost: x\r\n\r\nGET", 27),
            ("GET / HTTP/1.1\nhost: x\n\nGET", 24),
            ("GET / HTTP/1.1\r\nhost: x\r\n", 25),
            ("garbage", 7),
            ("", 0),
        ] {
            assert_eq!(end_of_head(bytes.as_bytes()), length, "{bytes:?}");
        }
    }
}
