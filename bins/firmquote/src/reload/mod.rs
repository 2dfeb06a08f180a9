//! Puts a changed configuration in force while the service runs: all of it, or nothing.
//!
//! Whoever is being answered goes on with what was in force when the request came. Listeners, store, log, nodes and price
//! sources cannot be changed this way; a configuration that differs in one of them is refused by its key. The credentials
//! file and the certificate of TLS count for themselves: a key is revoked at once, whatever else is being edited or asked.

mod origin;
mod prepared;
mod served;
mod watch;

use tokio::{
    signal::unix::Signal,
    task::{JoinError, JoinHandle},
    time::interval,
};

use self::{origin::Change, prepared::Prepared, watch::LOOK_EVERY};
pub(crate) use self::{origin::Origin, served::Served};

/// A configuration that is being read, and held against what it names.
type Pending = JoinHandle<anyhow::Result<Prepared>>;

/// Puts what changed in force, at every SIGHUP and whenever a file of `origin` changed, until the runtime ends.
pub(crate) async fn keep(mut served: Served, origin: Option<Origin>, mut hangups: Signal) {
    let Some(mut origin) = origin else {
        while hangups.recv().await.is_some() {
            tracing::info!("there is no file to read again");
        }
        return;
    };
    let mut looks = interval(LOOK_EVERY);
    let mut pending: Option<Pending> = None;
    loop {
        let change = tokio::select! {
            _ = hangups.recv() => Some(Change::Together),
            _ = looks.tick() => origin.change(),
            prepared = finished(&mut pending) => {
                pending = None;
                tell(&origin, served.finish(prepared), &served);
                None
            }
        };
        let Some(change) = change else { continue };
        origin.begin(change);
        served.apply_apart();
        if change == Change::Together {
            // What is still being asked about an earlier one is of no use.
            if let Some(earlier) = pending.replace(Prepared::begin(&origin, &served)) {
                earlier.abort();
            }
        }
    }
}

/// What became of the configuration that is pending; never, if there is none.
async fn finished(pending: &mut Option<Pending>) -> Result<anyhow::Result<Prepared>, JoinError> {
    match pending {
        Some(pending) => pending.await,
        None => std::future::pending().await,
    }
}

fn tell(origin: &Origin, finished: anyhow::Result<()>, served: &Served) {
    let (pools, path) = (served.config.pools.len(), origin.path.display());
    served.metrics.count(finished.is_ok());
    match finished {
        Ok(()) => tracing::info!(%path, pools, "the configuration was read again and is in force"),
        Err(error) => {
            let error = format!("{error:#}");
            tracing::error!(%path, error, "the configuration is refused; what was in force stays");
        }
    }
}
