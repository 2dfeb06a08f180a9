//! Runs a server until a signal stops it.

use std::{pin::pin, time::Duration};

use anyhow::{Context as _, bail};
use firmquote_http::{Server, StopHandle};

use tokio::task::JoinSet;

use crate::stop::StopSignals;

/// Serves until the first signal, then lets requests under way finish. A second signal does not wait for them. Without its
/// `tasks`, which never end, the service would go on with what was in force for ever.
///
/// # Errors
/// When a listener fails or a task ends, and when a second signal cut requests short.
pub(crate) async fn until_stopped(
    server: Server,
    mut signals: StopSignals,
    drain: Duration,
    mut tasks: JoinSet<()>,
) -> anyhow::Result<()> {
    let handle = server.stop_handle();
    let mut serving = pin!(server.run());
    let signal = tokio::select! {
        ended = &mut serving => return ended.context("a listener failed"),
        Some(ended) = tasks.join_next() => bail!("a task of the service ended: {ended:?}"),
        signal = signals.next() => signal,
    };
    handle.begin_draining();
    tracing::info!(signal, drain_s = drain.as_secs(), "stopping: requests under way may finish");
    let stopping = async { tokio::join!(stop(&handle, drain), serving).1 };
    tokio::select! {
        ended = stopping => ended.context("a listener failed"),
        signal = signals.next() => bail!("stopped at once by a second signal ({signal})"),
    }?;
    tracing::info!("stopped");
    Ok(())
}

/// Leaves load balancers the time of `drain` to look elsewhere, then closes the listeners.
async fn stop(handle: &StopHandle, drain: Duration) {
    tokio::time::sleep(drain).await;
    handle.stop().await;
}
