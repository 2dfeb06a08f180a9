//! Limits the bytes received from a client: one request at a time, and a body only up to its budget.
//!
//! HTTP decodes all bytes it gets at once, and each queued request takes a kilobyte. It therefore gets the bytes up to
//! the end of one head, and the next ones when that request is done.

use std::mem::MaybeUninit;

use memchr::memchr_iter;

use super::deadlines::ConnectionDeadlines;

/// The maximum size of a head, in bytes, exactly.
pub(super) const MAX_HEAD: usize = 16 * 1_024;
/// The maximum number of bytes read from a client at once.
pub(super) const CHUNK: usize = 4 * 1_024;

/// Returns an uninitialized buffer for one read.
pub(super) const fn uninit_chunk() -> [MaybeUninit<u8>; CHUNK] {
    [MaybeUninit::uninit(); CHUNK]
}

/// The bytes that were read from a client and not yet passed to HTTP.
#[derive(Default)]
pub(super) struct ReadBuffer {
    unread: Vec<u8>,
    /// Whether HTTP was given bytes since it was last idle; if so, it gets no more until it is idle again.
    is_http_busy: bool,
    /// Bytes passed on since the last request started, the last of them, and the number of requests started by then.
    passed_bytes: usize,
    last_passed: Option<u8>,
    requests_seen: u64,
}

/// How many bytes HTTP may be given now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadAllowance {
    /// None until HTTP has made progress.
    Nothing,
    /// Up to this many bytes of a body.
    Body(usize),
    /// Bytes up to the end of a head.
    Head,
    /// None: the input exceeds the longest head.
    TooLong,
}

impl ReadBuffer {
    /// Returns how much HTTP may be given, depending on the state of the connection in `deadlines`.
    pub(super) fn allowance(&mut self, deadlines: &ConnectionDeadlines) -> ReadAllowance {
        if self.is_http_busy {
            return ReadAllowance::Nothing;
        }
        if self.requests_seen != deadlines.requests_started() {
            (self.requests_seen, self.passed_bytes) = (deadlines.requests_started(), 0);
        }
        match deadlines.body_allowance() {
            Some(0) => ReadAllowance::Nothing,
            Some(bytes) => ReadAllowance::Body(bytes),
            None if self.passed_bytes >= MAX_HEAD => ReadAllowance::TooLong,
            None => ReadAllowance::Head,
        }
    }

    /// Marks HTTP as idle: it has processed all bytes passed to it.
    pub(super) fn request_ended(&mut self) {
        self.is_http_busy = false;
    }

    /// Whether the buffer has bytes to pass on without reading.
    pub(super) fn has_unread_bytes(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Appends bytes that were read.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.unread.extend_from_slice(bytes);
    }

    /// Whether a line of the buffered head ends with a line feed alone. HTTP does not see it: proxies disagree on whether
    /// that ends a line (RFC 9112, section 2.2).
    pub(super) fn has_bare_line_feed(&self) -> bool {
        let head = self.unread.get(..end_of_head(&self.unread)).unwrap_or_default();
        let before = |at: usize| at.checked_sub(1).map_or(self.last_passed, |before| head.get(before).copied());
        memchr_iter(b'\n', head).any(|at| before(at) != Some(b'\r'))
    }

    /// Passes buffered bytes to `give`, limited by the allowance and by `room`.
    pub(super) fn take(
        &mut self,
        allowance: ReadAllowance,
        room: usize,
        deadlines: &ConnectionDeadlines,
        give: impl FnOnce(&[u8]),
    ) {
        let length = match allowance {
            ReadAllowance::Nothing | ReadAllowance::TooLong => 0,
            ReadAllowance::Body(bytes) => bytes.min(self.unread.len()),
            ReadAllowance::Head => end_of_head(&self.unread).min(MAX_HEAD.saturating_sub(self.passed_bytes)),
        };
        let passed = self.unread.get(..length.min(room)).unwrap_or_default();
        let length = passed.len();
        give(passed);
        self.last_passed = passed.last().copied().or(self.last_passed);
        self.unread.drain(..length);
        if self.unread.is_empty() {
            self.unread = Vec::new();
        }
        if let ReadAllowance::Body(_) = allowance {
            deadlines.body_received(length);
        } else {
            self.passed_bytes += length;
        }
        self.is_http_busy = true;
    }
}

/// Returns the length up to and including the first blank line, or of all bytes if there is none.
fn end_of_head(bytes: &[u8]) -> usize {
    let mut line_start = None;
    for at in memchr_iter(b'\n', bytes) {
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
    fn a_head_ends_at_its_blank_line() {
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

    #[test]
    fn bare_line_feeds_are_found_in_the_head_alone() {
        for (passed, unread, is_bare) in [
            (None, "GET / HTTP/1.1\r\nhost: x\r\n\r\n\n", false),
            (None, "GET / HTTP/1.1\nhost: x\r\n\r\n", true),
            (None, "GET / HTTP/1.1\r\nhost: x\r\n\n", true),
            (Some(b'\r'), "\nhost: x", false),
            (Some(b'1'), "\nhost: x", true),
            (None, "\n", true),
        ] {
            let buffer =
                ReadBuffer { unread: unread.as_bytes().to_vec(), last_passed: passed, ..ReadBuffer::default() };
            assert_eq!(buffer.has_bare_line_feed(), is_bare, "{passed:?} {unread:?}");
        }
    }
}
