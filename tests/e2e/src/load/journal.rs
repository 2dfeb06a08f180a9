//! A record of all requests of clients, with times and outcomes.
#![expect(clippy::expect_used, reason = "a client that panicked is a failed test")]

use std::{
    sync::{Mutex, MutexGuard},
    time::{Duration, Instant},
};

use crate::endpoint::Response;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A quote.
    Quote,
    /// A signature.
    Sign,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The kind of the request.
    pub step: Step,
    /// The index of the replica.
    pub replica: usize,
    /// When the request was sent.
    pub start: Instant,
    /// When the response had arrived, or the request had failed.
    pub end: Instant,
    /// HTTP status; `None` without a response.
    pub status: Option<u16>,
    /// Whether the response was a 503 with `Retry-After`.
    pub is_retryable: bool,
}

impl Entry {
    /// Returns the time between request and response.
    pub fn latency(&self) -> Duration {
        self.end.duration_since(self.start)
    }
}

/// All requests, in order of completion.
#[derive(Debug, Default)]
pub struct Journal(Mutex<Vec<Entry>>);

impl Journal {
    pub(super) fn record(&self, step: Step, replica: usize, start: Instant, answer: Option<&Response>) {
        let (status, is_retryable) = (answer.map(|answer| answer.status), answer.is_some_and(Response::is_retryable));
        self.lock().push(Entry { step, replica, start, end: Instant::now(), status, is_retryable });
    }

    /// Returns all requests sent and completed between `from` and `to`.
    pub fn within(&self, from: Instant, to: Instant) -> Vec<Entry> {
        self.lock().iter().filter(|entry| entry.start >= from && entry.end <= to).cloned().collect()
    }

    /// Returns all requests.
    pub fn entries(&self) -> Vec<Entry> {
        self.lock().clone()
    }

    /// Returns the maximum latency of all requests.
    pub fn longest(&self) -> Duration {
        self.lock().iter().map(Entry::latency).max().unwrap_or_default()
    }

    /// Returns the longest time between two consecutive 200 responses.
    pub fn longest_silence(&self) -> Duration {
        let entries = self.lock();
        let successes: Vec<Instant> =
            entries.iter().filter(|entry| entry.status == Some(200)).map(|entry| entry.end).collect();
        let pauses =
            successes.iter().zip(successes.iter().skip(1)).map(|(previous, next)| next.duration_since(*previous));
        pauses.max().unwrap_or_default()
    }

    /// Returns the number of requests with this status, or without a response.
    pub fn count(&self, status: Option<u16>) -> usize {
        self.lock().iter().filter(|entry| entry.status == status).count()
    }

    pub(super) fn signatures_since(&self, instant: Instant) -> usize {
        let entries = self.lock();
        let recent = entries.iter().rev().take_while(|entry| entry.end >= instant);
        recent.filter(|entry| entry.step == Step::Sign && entry.status == Some(200)).count()
    }

    pub(super) fn first_success_after(&self, instant: Instant) -> Option<Duration> {
        let entries = self.lock();
        let recent = entries.iter().rev().take_while(|entry| entry.end >= instant);
        recent.filter(|entry| entry.status == Some(200)).last().map(|entry| entry.end.duration_since(instant))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().expect("no client panicked while holding the lock")
    }
}
