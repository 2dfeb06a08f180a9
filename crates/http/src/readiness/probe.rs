//! A query to another server, shared by all callers within a second.
//!
//! Regardless of the number of callers, the server is queried at most once at a time and once per second. A query that
//! its callers stop waiting for is not cancelled: its connection is kept, and its result is available to the next
//! caller.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use actix_web::rt::time::timeout;
use firmquote_domain::{Clock, Timestamp};
use tokio::sync::watch;

/// How long a result is reused, in microseconds.
const SHARED_MICROS: u64 = 1_000_000;

/// A result, and when it arrived.
type Found<T> = (T, Timestamp);

/// The last query, pending or completed.
pub(crate) struct Probe<T> {
    /// Returns the result to use if none arrives in time, for the given reason.
    late: fn(String) -> T,
    last: Mutex<Option<watch::Receiver<Option<Found<T>>>>>,
}

impl<T: Clone + Send + Sync + 'static> Probe<T> {
    /// Creates a probe without a query; `late` returns the result to use if none arrives in time.
    pub(crate) const fn new(late: fn(String) -> T) -> Self {
        Self { late, last: Mutex::new(None) }
    }

    /// Returns the result of the last second, else waits up to `within` for the pending query or for a new one, started
    /// by `ask`.
    pub(crate) async fn answer<A>(&self, within: Duration, clock: &Arc<dyn Clock>, ask: impl FnOnce() -> A) -> T
    where
        A: Future<Output = T> + Send + 'static,
    {
        let mut asked = self.joined(clock, ask);
        let answered = timeout(within, asked.wait_for(Option::is_some)).await;
        let answer =
            answered.map(|found| found.ok().and_then(|found| found.as_ref().map(|(answer, _)| answer.clone())));
        match answer {
            Ok(answer) => answer.unwrap_or_else(|| (self.late)("the question was given up".to_owned())),
            Err(_) => (self.late)(format!("no answer within {} ms", within.as_millis())),
        }
    }

    /// Returns the last query if it is pending or its result is fresh, else starts a new one.
    fn joined<A>(&self, clock: &Arc<dyn Clock>, ask: impl FnOnce() -> A) -> watch::Receiver<Option<Found<T>>>
    where
        A: Future<Output = T> + Send + 'static,
    {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asked) = last.as_ref().filter(|asked| lasts(asked, clock.now())) {
            return asked.clone();
        }
        let (told, asked) = watch::channel(None);
        let (answer, clock) = (ask(), Arc::clone(clock));
        tokio::spawn(async move {
            let answer = answer.await;
            told.send_replace(Some((answer, clock.now())));
        });
        *last = Some(asked.clone());
        asked
    }
}

/// Returns whether a query is pending or its result is fresh. A query that ended without a result is neither. A result
/// is stale if the clock was set back.
fn lasts<T>(asked: &watch::Receiver<Option<Found<T>>>, now: Timestamp) -> bool {
    match &*asked.borrow() {
        Some((_, at)) => now.as_micros().checked_sub(at.as_micros()).is_some_and(|age| age < SHARED_MICROS),
        None => asked.has_changed().is_ok(),
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
    struct Asked {
        probe: Probe<Condition>,
        count: Arc<AtomicUsize>,
        gate: Arc<Semaphore>,
        hands: Arc<ManualClock>,
    }

    impl Asked {
        fn new(permits: usize) -> Self {
            Self {
                probe: Probe::new(|reason| Condition::because_of(PartState::Degraded, [reason])),
                count: Arc::default(),
                gate: Arc::new(Semaphore::new(permits)),
                hands: Arc::new(ManualClock::at(Timestamp::from_micros(5))),
            }
        }

        async fn answer(&self, within: Duration) -> Condition {
            let clock: Arc<dyn Clock> = Arc::clone(&self.hands) as _;
            let (count, gate) = (Arc::clone(&self.count), Arc::clone(&self.gate));
            let ask = || async move {
                count.fetch_add(1, Ordering::SeqCst);
                gate.acquire().await.unwrap().forget();
                Condition::ready()
            };
            self.probe.answer(within, &clock, ask).await
        }

        fn count(&self) -> usize {
            self.count.load(Ordering::SeqCst)
        }
    }

    #[actix_web::test]
    async fn an_answer_is_shared_for_a_second_and_no_longer() {
        let asked = Asked::new(9);
        for (after, count) in [(0, 1), (999_999, 1), (1, 2), (999_999, 2)] {
            asked.hands.advance_micros(after);
            assert_eq!(asked.answer(PATIENCE).await, Condition::ready());
            assert_eq!(asked.count(), count, "{after}");
        }
        asked.hands.set(Timestamp::from_micros(0));
        asked.answer(PATIENCE).await;
        assert_eq!(asked.count(), 3, "the clock was set back");
    }

    #[actix_web::test]
    async fn those_who_ask_at_once_ask_once() {
        let asked = Asked::new(0);
        let answers = async { tokio::join!(asked.answer(PATIENCE), asked.answer(PATIENCE), asked.answer(PATIENCE)) };
        let (answers, ()) = tokio::join!(answers, async { asked.gate.add_permits(1) });
        assert_eq!(answers, (Condition::ready(), Condition::ready(), Condition::ready()));
        assert_eq!(asked.count(), 1);
    }

    #[actix_web::test]
    async fn a_question_that_is_late_goes_on_and_is_not_asked_again() {
        let asked = Asked::new(0);
        let late = Condition { state: PartState::Degraded, reasons: vec!["no answer within 0 ms".to_owned()] };
        assert_eq!(asked.answer(Duration::ZERO).await, late);
        asked.hands.advance_micros(5 * SHARED_MICROS);
        assert_eq!(asked.answer(Duration::ZERO).await, late);
        asked.gate.add_permits(1);
        assert_eq!(asked.answer(PATIENCE).await, Condition::ready());
        assert_eq!(asked.count(), 1);
    }

    #[actix_web::test]
    async fn a_question_that_ended_without_an_answer_is_asked_again() {
        let probe = Probe::new(|reason| Condition::because_of(PartState::Unready, [reason]));
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(Timestamp::from_micros(5)));
        let lost = probe.answer(PATIENCE, &clock, || async { panic!("a mistake") }).await;
        assert_eq!(lost.reasons, ["the question was given up"]);
        assert_eq!(probe.answer(PATIENCE, &clock, || async { Condition::ready() }).await, Condition::ready());
    }
}
