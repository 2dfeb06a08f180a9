//! A query to another server, shared by all callers within a second.
//!
//! Regardless of the number of callers, the server is queried at most once at a time and once per second. A query that
//! its callers stop waiting for is not cancelled: its connection is kept, and its result is available to the next
//! caller.

use std::{future::Future, sync::Arc, time::Duration};

use actix_web::rt::time::timeout;
use firmquote_domain::{Clock, Timestamp};
use parking_lot::Mutex;
use tokio::sync::watch;

/// How long a result is reused, in microseconds.
const RESULT_TTL_MICROS: u64 = 1_000_000;

/// A result, and when it arrived.
type TimedResult<T> = (T, Timestamp);

/// The last query, pending or completed.
pub(crate) struct Probe<T> {
    /// Returns the result to use if none arrives in time, for the given reason.
    fallback: fn(String) -> T,
    last: Mutex<Option<watch::Receiver<Option<TimedResult<T>>>>>,
}

impl<T: Clone + Send + Sync + 'static> Probe<T> {
    /// Creates a probe without a query; `fallback` returns the result to use if none arrives in time.
    pub(crate) const fn new(fallback: fn(String) -> T) -> Self {
        Self { fallback, last: Mutex::new(None) }
    }

    /// Returns the result of the last second, else waits up to `max_wait` for the pending query or for a new one,
    /// started by `start`.
    pub(crate) async fn result<A>(&self, max_wait: Duration, clock: &Arc<dyn Clock>, start: impl FnOnce() -> A) -> T
    where
        A: Future<Output = T> + Send + 'static,
    {
        let mut query = self.join_or_start(clock, start);
        let outcome = timeout(max_wait, query.wait_for(Option::is_some)).await;
        let result = outcome.map(|found| found.ok().and_then(|found| found.as_ref().map(|(result, _)| result.clone())));
        match result {
            Ok(result) => result.unwrap_or_else(|| (self.fallback)("the check ended without a result".to_owned())),
            Err(_) => (self.fallback)(format!("no response within {} ms", max_wait.as_millis())),
        }
    }

    /// Returns the last query if it is pending or its result is fresh, else starts a new one.
    fn join_or_start<A>(
        &self,
        clock: &Arc<dyn Clock>,
        start: impl FnOnce() -> A,
    ) -> watch::Receiver<Option<TimedResult<T>>>
    where
        A: Future<Output = T> + Send + 'static,
    {
        let mut last = self.last.lock();
        if let Some(query) = last.as_ref().filter(|query| is_reusable(query, clock.now())) {
            return query.clone();
        }
        let (tx, query) = watch::channel(None);
        let (result, clock) = (start(), Arc::clone(clock));
        tokio::spawn(async move {
            let result = result.await;
            tx.send_replace(Some((result, clock.now())));
        });
        *last = Some(query.clone());
        query
    }
}

/// Returns whether a query is pending or its result is fresh. A query that ended without a result is neither. A result
/// is stale if the clock was set back.
fn is_reusable<T>(query: &watch::Receiver<Option<TimedResult<T>>>, now: Timestamp) -> bool {
    match &*query.borrow() {
        Some((_, at)) => now.as_micros().checked_sub(at.as_micros()).is_some_and(|age| age < RESULT_TTL_MICROS),
        None => query.has_changed().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use firmquote_desk::{Condition, PartState};
    use firmquote_domain::ManualClock;
    use tokio::sync::Semaphore;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// A server that counts queries and answers each when it gets a permit.
    struct CountingServer {
        probe: Probe<Condition>,
        count: Arc<AtomicUsize>,
        gate: Arc<Semaphore>,
        manual_clock: Arc<ManualClock>,
    }

    impl CountingServer {
        fn new(permits: usize) -> Self {
            Self {
                probe: Probe::new(|reason| Condition::from_reasons(PartState::Degraded, [reason])),
                count: Arc::default(),
                gate: Arc::new(Semaphore::new(permits)),
                manual_clock: Arc::new(ManualClock::at(Timestamp::from_micros(5))),
            }
        }

        async fn result(&self, max_wait: Duration) -> Condition {
            let clock: Arc<dyn Clock> = Arc::clone(&self.manual_clock) as _;
            let (count, gate) = (Arc::clone(&self.count), Arc::clone(&self.gate));
            let start = || async move {
                count.fetch_add(1, Ordering::SeqCst);
                gate.acquire().await.unwrap().forget();
                Condition::ready()
            };
            self.probe.result(max_wait, &clock, start).await
        }

        fn count(&self) -> usize {
            self.count.load(Ordering::SeqCst)
        }
    }

    #[actix_web::test]
    async fn a_result_is_shared_for_one_second() {
        let query = CountingServer::new(9);
        for (after, count) in [(0, 1), (999_999, 1), (1, 2), (999_999, 2)] {
            query.manual_clock.advance_micros(after);
            assert_eq!(query.result(PATIENCE).await, Condition::ready());
            assert_eq!(query.count(), count, "{after}");
        }
        query.manual_clock.set(Timestamp::from_micros(0));
        query.result(PATIENCE).await;
        assert_eq!(query.count(), 3, "the clock was set back");
    }

    #[actix_web::test]
    async fn concurrent_callers_share_one_check() {
        let query = CountingServer::new(0);
        let answers = async { tokio::join!(query.result(PATIENCE), query.result(PATIENCE), query.result(PATIENCE)) };
        let (answers, ()) = tokio::join!(answers, async { query.gate.add_permits(1) });
        assert_eq!(answers, (Condition::ready(), Condition::ready(), Condition::ready()));
        assert_eq!(query.count(), 1);
    }

    #[actix_web::test]
    async fn a_slow_check_continues_and_is_not_repeated() {
        let query = CountingServer::new(0);
        let fallback = Condition { state: PartState::Degraded, reasons: vec!["no response within 0 ms".to_owned()] };
        assert_eq!(query.result(Duration::ZERO).await, fallback);
        query.manual_clock.advance_micros(5 * RESULT_TTL_MICROS);
        assert_eq!(query.result(Duration::ZERO).await, fallback);
        query.gate.add_permits(1);
        assert_eq!(query.result(PATIENCE).await, Condition::ready());
        assert_eq!(query.count(), 1);
    }

    #[actix_web::test]
    async fn an_aborted_check_is_repeated() {
        let probe = Probe::new(|reason| Condition::from_reasons(PartState::Unready, [reason]));
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(Timestamp::from_micros(5)));
        let lost = probe.result(PATIENCE, &clock, || async { panic!("a mistake") }).await;
        assert_eq!(lost.reasons, ["the check ended without a result"]);
        assert_eq!(probe.result(PATIENCE, &clock, || async { Condition::ready() }).await, Condition::ready());
    }
}
