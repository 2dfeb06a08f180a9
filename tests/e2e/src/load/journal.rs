//! Everything that clients asked, when, and what came of it.
#![expect(clippy::expect_used, reason = "a client that panicked is a failed test")]

use std::{
    sync::{Mutex, MutexGuard},
    time::{Duration, Instant},
};

use crate::endpoint::Answer;

/// What was asked for.
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
    /// What was asked for.
    pub step: Step,
    /// The position of the replica that was asked.
    pub replica: usize,
    /// When it was sent.
    pub began: Instant,
    /// When its answer had arrived, or it was known that none would.
    pub ended: Instant,
    /// HTTP status; `None` if there was no answer.
    pub status: Option<u16>,
    /// Whether it was a 503 that says when to try again.
    pub is_try_later: bool,
}

impl Entry {
    /// How long the answer took.
    pub fn latency(&self) -> Duration {
        self.ended.duration_since(self.began)
    }
}

/// All requests, in the order of their ends.
#[derive(Debug, Default)]
pub struct Journal(Mutex<Vec<Entry>>);

impl Journal {
    pub(super) fn note(&self, step: Step, replica: usize, began: Instant, answer: Option<&Answer>) {
        let (status, is_try_later) = (answer.map(|answer| answer.status), answer.is_some_and(Answer::is_try_later));
        self.lock().push(Entry { step, replica, began, ended: Instant::now(), status, is_try_later });
    }

    /// All requests that were sent and answered within this time.
    pub fn within(&self, from: Instant, to: Instant) -> Vec<Entry> {
        self.lock().iter().filter(|entry| entry.began >= from && entry.ended <= to).cloned().collect()
    }

    /// All requests.
    pub fn entries(&self) -> Vec<Entry> {
        self.lock().clone()
    }

    /// The longest that any request took.
    pub fn longest(&self) -> Duration {
        self.lock().iter().map(Entry::latency).max().unwrap_or_default()
    }

    /// The longest time without any answer of 200.
    pub fn longest_silence(&self) -> Duration {
        let entries = self.lock();
        let successes: Vec<Instant> =
            entries.iter().filter(|entry| entry.status == Some(200)).map(|entry| entry.ended).collect();
        let pauses = successes.iter().zip(successes.iter().skip(1)).map(|(one, next)| next.duration_since(*one));
        pauses.max().unwrap_or_default()
    }

    /// How many requests ended with this status, or without an answer.
    pub fn count(&self, status: Option<u16>) -> usize {
        self.lock().iter().filter(|entry| entry.status == status).count()
    }

    pub(super) fn signatures_since(&self, instant: Instant) -> usize {
        let entries = self.lock();
        let recent = entries.iter().rev().take_while(|entry| entry.ended >= instant);
        recent.filter(|entry| entry.step == Step::Sign && entry.status == Some(200)).count()
    }

    pub(super) fn first_success_after(&self, instant: Instant) -> Option<Duration> {
        let entries = self.lock();
        let recent = entries.iter().rev().take_while(|entry| entry.ended >= instant);
        recent.filter(|entry| entry.status == Some(200)).last().map(|entry| entry.ended.duration_since(instant))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().expect("no client panicked in here")
    }
}
