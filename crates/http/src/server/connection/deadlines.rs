//! The deadlines of a connection: what its client owes, until when, and the end of those that miss it.

use std::{
    cell::Cell,
    future::poll_fn,
    pin::{Pin, pin},
    rc::Rc,
    task::Poll,
};

use actix_web::rt::time::{Instant, sleep_until};

use crate::service::ConnectionSettings;

/// What a client owes: it is told what happens on the connection and knows when that has taken too long.
///
/// It starts with a first request to be made. Bytes that arrive while no request is answered begin a request, whatever they are; the client has to
/// complete it. Bytes that arrive while one is answered (its body, the next requests) begin nothing, so that a client
/// that sent a request whole and early is never late.
pub(crate) struct ConnectionDeadlines {
    requests: Cell<usize>,
    idle_since: Cell<Instant>,
    request_started_at: Cell<Option<Instant>>,
    stalled_since: Cell<Option<Instant>>,
    is_reading_deferred: Cell<bool>,
    requests_begun: Cell<u64>,
    body: Cell<Body>,
    /// Since when no more is taken in of a body that is longer than it may be.
    exhausted_at: Cell<Option<Instant>>,
}

/// What is still to come of the body of the last request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Body {
    /// How much it is; unknown for a body in chunks, whose end is found by whoever decodes it.
    left: Option<usize>,
    /// How much of it is taken in at most: what is read is smaller, and what is not read is not waited for.
    budget: usize,
}

impl Body {
    /// A body of so many bytes, or one that ends somewhere, of which at most `budget` bytes are taken in with their framing.
    pub(super) const fn new(length: Option<usize>, budget: usize) -> Self {
        Self { left: length, budget }
    }

    fn is_finished(self) -> bool {
        self.left == Some(0)
    }
}

impl ConnectionDeadlines {
    /// That of a connection which was made `now`.
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            requests: Cell::new(0),
            idle_since: Cell::new(now),
            request_started_at: Cell::new(None),
            stalled_since: Cell::new(None),
            is_reading_deferred: Cell::new(false),
            requests_begun: Cell::new(0),
            body: Cell::new(Body { left: Some(0), budget: 0 }),
            exhausted_at: Cell::new(None),
        }
    }

    /// Bytes arrived.
    pub(super) fn receive(&self, now: Instant) {
        if self.requests.get() == 0 && self.request_started_at.get().is_none() {
            self.request_started_at.set(Some(now));
        }
    }

    /// The client's side takes no more bytes.
    pub(super) fn write_stalled(&self, now: Instant) {
        if self.stalled_since.get().is_none() {
            self.stalled_since.set(Some(now));
        }
    }

    /// Everything that was written is on its way. Says whether reading was put off meanwhile and has to be resumed.
    pub(super) fn write_progressed(&self, now: impl FnOnce() -> Instant) -> bool {
        if self.stalled_since.take().is_some() {
            self.idle_since.set(now());
        }
        self.body_allowance() != Some(0) && self.is_reading_deferred.take()
    }

    /// Reading waits until something else has happened.
    pub(super) fn defer_reading(&self) {
        self.is_reading_deferred.set(true);
    }

    /// How many requests have begun to be answered.
    pub(super) const fn requests_begun(&self) -> u64 {
        self.requests_begun.get()
    }

    /// How much of a body is taken in now: nothing while a request without one is answered; `None` while none is, and a
    /// request may begin.
    pub(super) fn body_allowance(&self) -> Option<usize> {
        let Body { left, budget } = self.body.get();
        (self.requests.get() > 0).then(|| left.unwrap_or(usize::MAX).min(budget))
    }

    /// So much of a body arrived.
    pub(super) fn body_received(&self, bytes: usize) {
        let Body { left, budget } = self.body.get();
        let left = left.map(|left| left.saturating_sub(bytes));
        let body = Body { left, budget: budget.saturating_sub(bytes) };
        self.body.set(body);
        if body.budget == 0 && !body.is_finished() {
            self.exhausted_at.set(Some(Instant::now()));
        }
    }

    /// Whether what comes may be the rest of a body that nobody read.
    pub(super) fn is_body_unfinished(&self) -> bool {
        !self.body.get().is_finished()
    }

    /// Whether the client has yet to take bytes that were written.
    pub(super) fn is_write_stalled(&self) -> bool {
        self.stalled_since.get().is_some()
    }

    /// Whether no more should be read: who does not read answers gets no further ones, and no memory for them.
    pub(super) fn should_defer_reading(&self) -> bool {
        self.is_reading_deferred.set(self.is_write_stalled());
        self.is_write_stalled()
    }

    /// A request with this body is answered from now until the value is dropped.
    pub(super) fn request_started(self: &Rc<Self>, body: Body) -> InFlightRequest {
        self.body.set(body);
        self.requests.set(self.requests.get().saturating_add(1));
        self.request_started_at.set(None);
        self.exhausted_at.set(None);
        self.requests_begun.set(self.requests_begun.get().wrapping_add(1));
        InFlightRequest(Rc::clone(self))
    }

    fn request_ended(&self, now: Instant) {
        self.requests.set(self.requests.get().saturating_sub(1));
        self.idle_since.set(now);
    }

    /// When the client is too late if nothing happens until then, or `None` while it owes nothing.
    pub(super) fn deadline(&self, settings: &ConnectionSettings) -> Option<Instant> {
        let (since, allowed) = match (self.stalled_since.get(), self.request_started_at.get()) {
            (Some(since), _) => (since, settings.write_timeout),
            // A handler that waits for the rest of a body that is too long would wait for ever.
            (None, _) if self.requests.get() > 0 => (self.exhausted_at.get()?, settings.head_timeout),
            (None, Some(since)) => (since, settings.head_timeout),
            (None, None) if self.requests_begun.get() == 0 => (self.idle_since.get(), settings.head_timeout),
            (None, None) => (self.idle_since.get(), settings.keep_alive),
        };
        since.checked_add(allowed)
    }
}

/// A request that is being answered.
pub(super) struct InFlightRequest(Rc<ConnectionDeadlines>);

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        self.0.request_ended(Instant::now());
    }
}

/// Drives `serving` to its end, or gives it up when the client of `deadlines` is too late.
///
/// Its timer is set anew only when it rang or rings too late, so a connection that is kept busy costs next to nothing.
pub(super) async fn enforce_deadlines<F: Future>(
    serving: F,
    deadlines: &ConnectionDeadlines,
    settings: &ConnectionSettings,
) -> Option<F::Output> {
    let mut serving = pin!(serving);
    let mut alarm = pin!(sleep_until(deadlines.deadline(settings).unwrap_or_else(Instant::now)));
    poll_fn(|context| {
        if let Poll::Ready(ended) = serving.as_mut().poll(context) {
            return Poll::Ready(Some(ended));
        }
        // Without a time there is nothing to wait for: the turn changes only as `serving` is polled.
        while let Some(due) = deadlines.deadline(settings) {
            let mut alarm = Pin::as_mut(&mut alarm);
            if alarm.is_elapsed() || alarm.deadline() > due {
                if due <= Instant::now() {
                    return Poll::Ready(None);
                }
                alarm.as_mut().reset(due);
            }
            if alarm.poll(context).is_pending() {
                break;
            }
        }
        Poll::Pending
    })
    .await
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

    /// Seconds from `start` until the client is late.
    fn due(deadlines: &ConnectionDeadlines, start: Instant) -> Option<u64> {
        deadlines.deadline(&SETTINGS()).map(|due| (due - start).as_secs())
    }

    #[test]
    fn bytes_that_trickle_do_not_make_the_time_for_a_request_longer() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let deadlines = ConnectionDeadlines::new(start);
        assert_eq!(due(&deadlines, start), Some(10), "who connects has something to ask");
        deadlines.receive(at(5));
        deadlines.receive(at(9));
        assert_eq!(due(&deadlines, start), Some(15));
    }

    #[test]
    fn nothing_is_owed_while_a_request_is_answered_and_idleness_begins_at_its_end() {
        let start = Instant::now();
        let deadlines = Rc::new(ConnectionDeadlines::new(start));
        deadlines.receive(start);
        let (first, second) =
            (deadlines.request_started(Body::new(Some(0), 100)), deadlines.request_started(Body::new(Some(0), 100)));
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
    fn an_answer_that_is_not_read_is_owed_before_all_else_and_stops_reading() {
        let start = Instant::now();
        let deadlines = Rc::new(ConnectionDeadlines::new(start));
        let work = deadlines.request_started(Body::new(Some(9), 100));
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
    fn a_body_beyond_its_budget_is_not_waited_for_for_ever() {
        let deadlines = Rc::new(ConnectionDeadlines::new(Instant::now()));
        let work = deadlines.request_started(Body::new(Some(101), 100));
        deadlines.body_received(99);
        assert_eq!((deadlines.body_allowance(), due(&deadlines, Instant::now())), (Some(1), None));
        deadlines.body_received(1);
        let late = deadlines.deadline(&SETTINGS()).unwrap() - Instant::now();
        assert!(deadlines.body_allowance() == Some(0) && late <= Duration::from_secs(10), "{late:?}");
        drop(work);
        let work = deadlines.request_started(Body::new(None, 100));
        deadlines.body_received(100);
        assert!(deadlines.deadline(&SETTINGS()).is_some(), "a body in chunks");
        drop(work);
        let _work = deadlines.request_started(Body::new(Some(100), 100));
        deadlines.body_received(100);
        assert_eq!(due(&deadlines, Instant::now()), None, "a body that is all there");
    }

    #[test]
    fn a_time_that_no_clock_reaches_is_no_time() {
        let settings = ConnectionSettings { head_timeout: Duration::MAX, ..SETTINGS() };
        assert_eq!(ConnectionDeadlines::new(Instant::now()).deadline(&settings), None);
    }
}
