//! Turns a panic while a request is answered into a value, so that it costs one answer and not a connection.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::Poll,
};

/// Drives `future` to its end; a panic on the way is an error that repeats what the panic said.
///
/// What the future shared with others is assumed to be whole afterwards: requests share only immutable
/// snapshots, atomics, and maps whose changes are single calls.
pub(crate) async fn catch_panic<F: Future>(mut future: Pin<&mut F>) -> Result<F::Output, String> {
    poll_fn(|context| {
        let poll = AssertUnwindSafe(|| future.as_mut().poll(context));
        match catch_unwind(poll) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(said(panic.as_ref()))),
        }
    })
    .await
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;

    #[actix_web::test]
    async fn a_panic_becomes_an_error_that_repeats_it() {
        assert_eq!(catch_panic(pin!(async { 7 })).await, Ok(7));
        let fixed = catch_panic(pin!(async { panic!("out of luck") })).await;
        assert_eq!(fixed.map(|()| 0), Err("panic: out of luck".to_owned()));
        let formatted = catch_panic(pin!(async { panic!("out of {}", 2) })).await;
        assert_eq!(formatted.map(|()| 0), Err("panic: out of 2".to_owned()));
    }
}
