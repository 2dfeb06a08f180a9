//! Starting the signatures of a thread one after the other.

use std::{
    future::{Future, poll_fn},
    rc::Rc,
    task::Poll,
};

use tokio::{sync::Semaphore, task::yield_now};

thread_local! {
    /// Admits one future of this thread at a time, in FIFO order.
    static FIRST_STEP_SEMAPHORE: Rc<Semaphore> = Rc::new(Semaphore::new(1));
}

/// Runs `future`; the next one of this thread starts once its connections have sent the bytes written by the first step
/// of this one.
///
/// That step makes a signature, which takes longer than anything else in a request. Without a break after each, the
/// store would receive the signatures of concurrent requests together, when the last of them is made, and be idle until
/// then.
///
/// `future` is large, so it is moved to the heap at once, not with each future that contains this one.
pub(super) fn staggered<F: Future>(future: F) -> impl Future<Output = F::Output> {
    let mut future = Box::pin(future);
    async move {
        let semaphore = FIRST_STEP_SEMAPHORE.with(Rc::clone);
        // Never closed.
        let permit = semaphore.acquire().await.ok();
        if let Poll::Ready(output) = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await {
            return output;
        }
        yield_now().await;
        drop(permit);
        future.await
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tokio::task::{LocalSet, spawn_local};

    use super::*;

    #[tokio::test]
    async fn tasks_woken_by_a_first_step_run_before_the_next_first_step() {
        let events = Rc::new(RefCell::new(Vec::new()));
        let log = |event: &str| {
            let (events, event) = (Rc::clone(&events), event.to_owned());
            move || events.borrow_mut().push(event.clone())
        };
        LocalSet::new()
            .run_until(async {
                let tasks = ["a", "b", "c"].map(|name| {
                    let (sign, send) = (log(&format!("sign {name}")), log(&format!("send {name}")));
                    spawn_local(staggered(async move {
                        sign();
                        spawn_local(async move { send() }).await.unwrap();
                    }))
                });
                for task in tasks {
                    task.await.unwrap();
                }
            })
            .await;
        assert_eq!(*events.borrow(), ["sign a", "send a", "sign b", "send b", "sign c", "send c"]);
    }
}
