//! Ends what serves a connection when its client is too late.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::Poll,
};

use actix_web::rt::time::{Instant, sleep_until};

use super::turn::Turn;
use crate::settings::ConnectionSettings;

/// Drives `serving` to its end, or gives it up when the client of `turn` is too late.
///
/// Its timer is set anew only when it rang or rings too late, so a connection that is kept busy costs next to nothing.
pub(super) async fn watched<F: Future>(serving: F, turn: &Turn, settings: &ConnectionSettings) -> Option<F::Output> {
    let mut serving = pin!(serving);
    let mut alarm = pin!(sleep_until(turn.due(settings).unwrap_or_else(Instant::now)));
    poll_fn(|context| {
        if let Poll::Ready(ended) = serving.as_mut().poll(context) {
            return Poll::Ready(Some(ended));
        }
        // Without a time there is nothing to wait for: the turn changes only as `serving` is polled.
        while let Some(due) = turn.due(settings) {
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
