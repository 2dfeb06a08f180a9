//! The deadlines of a connection, computed from the obligations of its client.

use std::{cell::Cell, rc::Rc};

use actix_web::rt::time::Instant;

use super::body_budget::BodyBudget;
use crate::service::ConnectionSettings;

/// The state from which the deadline of a connection is computed; notified of everything that happens on the
/// connection.
///
/// A new connection must send a first request. Any bytes that arrive while no request is in flight start one, which the
/// client must complete. Bytes that arrive while one is in flight (its body, the next requests) start nothing, so a
/// client that sent a complete request early is never late.
pub(crate) struct ConnectionDeadlines {
    requests: Cell<usize>,
    idle_since: Cell<Instant>,
    request_started_at: Cell<Option<Instant>>,
    stalled_since: Cell<Option<Instant>>,
    is_reading_deferred: Cell<bool>,
    requests_started: Cell<u64>,
    /// The body of the last request.
    body: Cell<BodyBudget>,
    /// The time when the budget of an overlong body was used up, after which no more of it is received.
    exhausted_at: Cell<Option<Instant>>,
}

impl ConnectionDeadlines {
    /// Creates the deadlines of a connection accepted at `now`.
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            requests: Cell::new(0),
            idle_since: Cell::new(now),
            request_started_at: Cell::new(None),
            stalled_since: Cell::new(None),
            is_reading_deferred: Cell::new(false),
            requests_started: Cell::new(0),
            body: Cell::new(BodyBudget::new(Some(0), 0)),
            exhausted_at: Cell::new(None),
        }
    }

    /// Records that bytes arrived.
    pub(super) fn receive(&self, now: Instant) {
        if self.requests.get() == 0 && self.request_started_at.get().is_none() {
            self.request_started_at.set(Some(now));
        }
    }

    /// Records that a write is blocked because the client does not read.
    pub(super) fn write_stalled(&self, now: Instant) {
        if self.stalled_since.get().is_none() {
            self.stalled_since.set(Some(now));
        }
    }

    /// Records that all written bytes were flushed. Returns whether deferred reading must be resumed.
    pub(super) fn write_progressed(&self, now: impl FnOnce() -> Instant) -> bool {
        if self.stalled_since.take().is_some() {
            self.idle_since.set(now());
        }
        self.body_allowance() != Some(0) && self.is_reading_deferred.take()
    }

    /// Defers reading until another event occurs.
    pub(super) fn defer_reading(&self) {
        self.is_reading_deferred.set(true);
    }

    /// Returns the number of requests that have started.
    pub(super) const fn requests_started(&self) -> u64 {
        self.requests_started.get()
    }

    /// Returns how many bytes of a body may be received now: 0 if the request in flight expects no more or has used up
    /// its budget, `None` while none is in flight and a new request may start.
    pub(super) fn body_allowance(&self) -> Option<usize> {
        (self.requests.get() > 0).then(|| self.body.get().allowance())
    }

    /// Records that `bytes` of a body arrived.
    pub(super) fn body_received(&self, bytes: usize) {
        let body = self.body.get().after(bytes);
        self.body.set(body);
        if body.is_over_budget() {
            self.exhausted_at.set(Some(Instant::now()));
        }
    }

    /// Whether incoming bytes may be the rest of an unread body.
    pub(super) fn is_body_unfinished(&self) -> bool {
        !self.body.get().is_finished()
    }

    /// Whether written bytes are still waiting for the client to read.
    pub(super) fn is_write_stalled(&self) -> bool {
        self.stalled_since.get().is_some()
    }

    /// Whether reading must wait: a client that does not read its responses gets no further ones, and no memory for
    /// them.
    pub(super) fn should_defer_reading(&self) -> bool {
        self.is_reading_deferred.set(self.is_write_stalled());
        self.is_write_stalled()
    }

    /// Starts a request with this body; it is in flight until the returned value is dropped.
    pub(super) fn request_started(self: &Rc<Self>, body: BodyBudget) -> InFlightRequest {
        self.body.set(body);
        self.requests.set(self.requests.get().saturating_add(1));
        self.request_started_at.set(None);
        self.exhausted_at.set(None);
        self.requests_started.set(self.requests_started.get().wrapping_add(1));
        InFlightRequest(Rc::clone(self))
    }

    /// Lifts the limit on received bytes: the head of the request in flight is followed by another protocol.
    pub(super) fn upgraded(&self) {
        self.body.set(BodyBudget::new(None, usize::MAX));
    }

    fn request_ended(&self, now: Instant) {
        self.requests.set(self.requests.get().saturating_sub(1));
        self.idle_since.set(now);
    }

    /// Returns the deadline if nothing happens until then; `None` while nothing is expected of the client.
    pub(super) fn deadline(&self, settings: &ConnectionSettings) -> Option<Instant> {
        let (since, allowed) = match (self.stalled_since.get(), self.request_started_at.get()) {
            (Some(since), _) => (since, settings.write_timeout),
            // A handler would wait forever for the rest of an overlong body.
            (None, _) if self.requests.get() > 0 => (self.exhausted_at.get()?, settings.head_timeout),
            (None, Some(since)) => (since, settings.head_timeout),
            (None, None) if self.requests_started.get() == 0 => (self.idle_since.get(), settings.head_timeout),
            (None, None) => (self.idle_since.get(), settings.keep_alive),
        };
        since.checked_add(allowed)
    }
}

/// A request in flight.
pub(super) struct InFlightRequest(Rc<ConnectionDeadlines>);

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        self.0.request_ended(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SETTINGS: fn() -> ConnectionSettings = || ConnectionSettings {
        keep_alive: Duration::from_secs(1_000),
        head_timeout: Duration::from_secs(10),
        write_timeout: Duration::from_secs(20),
        ..ConnectionSettings::default()
    };

    /// Seconds from `start` to the deadline.
    fn due(deadlines: &ConnectionDeadlines, start: Instant) -> Option<u64> {
        deadlines.deadline(&SETTINGS()).map(|due| (due - start).as_secs())
    }

    #[test]
    fn trickling_bytes_do_not_extend_the_request_deadline() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let deadlines = ConnectionDeadlines::new(start);
        assert_eq!(due(&deadlines, start), Some(10), "who connects has something to ask");
        deadlines.receive(at(5));
        deadlines.receive(at(9));
        assert_eq!(due(&deadlines, start), Some(15));
    }

    #[test]
    fn no_deadline_applies_during_handling_and_idle_time_starts_afterwards() {
        let start = Instant::now();
        let deadlines = Rc::new(ConnectionDeadlines::new(start));
        deadlines.receive(start);
        let (first, second) = (
            deadlines.request_started(BodyBudget::new(Some(0), 100)),
            deadlines.request_started(BodyBudget::new(Some(0), 100)),
        );
        deadlines.receive(start);
        assert_eq!(due(&deadlines, start), None);
        drop(first);
        assert_eq!(due(&deadlines, start), None);
        drop(second);
        assert!(due(&deadlines, start) >= Some(1_000));
        deadlines.receive(start + Duration::from_secs(5));
        assert_eq!(due(&deadlines, start), Some(15));
    }

    #[test]
    fn an_unread_response_has_priority_and_stops_reading() {
        let start = Instant::now();
        let deadlines = Rc::new(ConnectionDeadlines::new(start));
        let work = deadlines.request_started(BodyBudget::new(Some(9), 100));
        assert!(!deadlines.should_defer_reading() && !deadlines.write_progressed(|| start));
        deadlines.write_stalled(start);
        deadlines.write_stalled(start + Duration::from_secs(7));
        assert_eq!(due(&deadlines, start), Some(20));
        assert!(deadlines.should_defer_reading());
        assert!(deadlines.write_progressed(|| start + Duration::from_secs(8)), "reading goes on");
        assert!(!deadlines.should_defer_reading() && !deadlines.write_progressed(|| start));
        assert_eq!(due(&deadlines, start), None);
        drop(work);
    }

    #[test]
    fn a_body_over_its_budget_has_a_deadline() {
        let deadlines = Rc::new(ConnectionDeadlines::new(Instant::now()));
        let work = deadlines.request_started(BodyBudget::new(Some(101), 100));
        deadlines.body_received(99);
        assert_eq!((deadlines.body_allowance(), due(&deadlines, Instant::now())), (Some(1), None));
        deadlines.body_received(1);
        let late = deadlines.deadline(&SETTINGS()).unwrap() - Instant::now();
        assert!(deadlines.body_allowance() == Some(0) && late <= Duration::from_secs(10), "{late:?}");
        drop(work);
        let work = deadlines.request_started(BodyBudget::new(None, 100));
        deadlines.body_received(100);
        assert!(deadlines.deadline(&SETTINGS()).is_some(), "a body in chunks");
        drop(work);
        let _work = deadlines.request_started(BodyBudget::new(Some(100), 100));
        deadlines.body_received(100);
        assert_eq!(due(&deadlines, Instant::now()), None, "a body that is all there");
    }

    #[test]
    fn an_unrepresentable_deadline_is_none() {
        let settings = ConnectionSettings { head_timeout: Duration::MAX, ..SETTINGS() };
        assert_eq!(ConnectionDeadlines::new(Instant::now()).deadline(&settings), None);
    }
}
