//! A question to another server, asked once for everybody who wants to know the answer within a second.
//!
//! However often somebody looks, that server is asked no more than once at a time and once in a second. A question that is
//! given up is not ended: its connection is not thrown away, and its answer is there for whoever looks next.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use actix_web::rt::time::timeout;
use firmquote_domain::{Clock, Timestamp};
use tokio::sync::watch;

/// For how long an answer is given again, in microseconds.
const SHARED_MICROS: u64 = 1_000_000;

/// An answer, and when it came.
type Found<T> = (T, Timestamp);

/// The last question, whether it is answered or not.
pub(crate) struct Probe<T> {
    /// The answer in place of one that does not come in time, with the reason.
    late: fn(String) -> T,
    last: Mutex<Option<watch::Receiver<Option<Found<T>>>>>,
}

impl<T: Clone + Send + Sync + 'static> Probe<T> {
    /// One that was never asked; `late` is the answer where none comes in time.
    pub(crate) const fn new(late: fn(String) -> T) -> Self {
        Self { late, last: Mutex::new(None) }
    }

    /// What was answered within the last second, or what is answered `within` this time from now on: to the question that is
    /// under way, else to `ask`.
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

    /// The last question if its answer is still good or still to come, else a new one.
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

/// Whether what was asked is answered lately, or still to be answered. A clock that was set back makes an answer old.
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

    /// A server that counts questions and answers each when it gets a permit.
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
