//! `firmquote serve`.

use std::{
    io::{Write as _, stdout},
    path::Path,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use anyhow::bail;
use firmquote_config::Config;
use firmquote_server::{
    Addresses, Application, ConfigFile, PriceReport, SystemClock, Telemetry, environment, raise_open_file_limit,
    system_environment,
};
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
    sync::{mpsc, oneshot},
    time::timeout,
};

use super::demo_client::DemoCredentials;
use crate::process::{self, ShutdownSignals};

/// How long the last spans may take to be sent after a second signal.
const SPAN_FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves the pools of the file at `path`, or else of the built-in sandbox or demo. Logs `memory_warnings`.
pub(crate) fn run(path: Option<&Path>, is_sandbox: bool, memory_warnings: &[String]) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let signals = {
        let _runtime = runtime.enter();
        // First of all: a signal while files are read must not end the process in its default way.
        (ShutdownSignals::catch()?, reload_requests()?)
    };
    let overrides = environment::overrides()?;
    let (mut config, file) = match path {
        Some(path) => {
            let file = ConfigFile::new(path, overrides);
            let config = file.read()?;
            // A sandbox builds its services once, at the start.
            let is_reloaded = config.sandbox.is_none();
            (config, is_reloaded.then_some(file))
        }
        None if is_sandbox => (Config::sandbox(&overrides, &system_environment())?, None),
        None => (Config::demo(&overrides, &system_environment())?, None),
    };
    let telemetry = Telemetry::new(&config)?;
    let (subscriber, _log) = telemetry.dispatch(config.log)?;
    tracing::dispatcher::set_global_default(subscriber)?;
    process::log_panics();
    if is_for_a_first_look() {
        tracing::warn!("built with little optimization: not for production; build with cargo build --release");
    }
    for warning in memory_warnings {
        tracing::warn!("{warning}");
    }
    if let Err(error) = process::disable_huge_pages() {
        tracing::warn!(%error, "cannot disable huge pages: some requests may stall");
    }
    let demo = path.is_none().then(|| DemoCredentials::generate(&mut config)).transpose()?;
    let served = runtime.block_on(serve(config, file, demo, telemetry, signals));
    // Threads that wait for a name server or a disk are not waited for.
    runtime.shutdown_background();
    served
}

/// Whether this is the profile `quick`.
const fn is_for_a_first_look() -> bool {
    !cfg!(debug_assertions) && !matches!(env!("FIRMQUOTE_OPT_LEVEL").as_bytes(), b"3")
}

async fn serve(
    config: Config,
    file: Option<ConfigFile>,
    demo: Option<DemoCredentials>,
    telemetry: Telemetry,
    (mut signals, reloads): (ShutdownSignals, mpsc::Receiver<()>),
) -> anyhow::Result<()> {
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let application = tokio::select! {
        built = Application::build(config, clock) => built?.with_reload(file, reloads),
        signal = signals.next() => {
            tracing::info!(signal, "stopped during startup");
            return Ok(());
        }
    };
    telemetry.register(application.registry())?;
    let spans = telemetry.start();
    let served = serve_until_stopped(application, demo, &mut signals).await;
    // Flush the last spans, whether or not serving failed, but not for long after a second signal.
    if let Some(spans) = spans {
        let flush_timeout = if let Ok(Some(_)) = served { SPAN_FLUSH_TIMEOUT } else { Duration::MAX };
        tokio::select! {
            _ = timeout(flush_timeout, spans.finish()) => {}
            signal = signals.next() => bail!("stopped immediately by a signal ({signal}) before the last spans were sent"),
        }
    }
    match served? {
        Some(signal) => bail!("stopped immediately by a second signal ({signal})"),
        None => Ok(()),
    }
}

/// Serves until the first signal, then waits for requests in flight. A second signal stops the server immediately, and
/// is returned.
async fn serve_until_stopped(
    application: Application,
    demo: Option<DemoCredentials>,
    signals: &mut ShutdownSignals,
) -> anyhow::Result<Option<&'static str>> {
    if let Some(client) = demo {
        let mut out = stdout().lock();
        out.write_all(client.introduction(application.addresses()).as_bytes())?;
        out.flush()?;
    }
    let server = &application.config().server;
    let (connections, drain) = (server.connections, server.drain);
    if let Some(warning) = raise_open_file_limit(&connections, 1 + u64::from(server.bind_v2.is_some())) {
        tracing::warn!("{warning}");
    }
    log_start(&application);
    let service = Arc::clone(application.service());
    let (stop, stopped) = oneshot::channel::<()>();
    let mut running = pin!(application.run(async move { drop(stopped.await) }));
    let signal = tokio::select! {
        ended = &mut running => {
            ended?;
            return Ok(None);
        }
        signal = signals.next() => signal,
    };
    service.begin_draining();
    drop(stop);
    tracing::info!(signal, drain_s = drain.as_secs(), "stopping: waiting for in-flight requests");
    tokio::select! {
        ended = running => ended?,
        signal = signals.next() => return Ok(Some(signal)),
    }
    tracing::info!("stopped");
    Ok(None)
}

/// Returns a channel that receives a reload request for each SIGHUP.
fn reload_requests() -> anyhow::Result<mpsc::Receiver<()>> {
    let mut hangups = signal(SignalKind::hangup())?;
    let (sender, requests) = mpsc::channel(1);
    tokio::spawn(async move { while hangups.recv().await.is_some() && sender.send(()).await.is_ok() {} });
    Ok(requests)
}

fn log_start(application: &Application) {
    let config = application.config();
    let Addresses { public, version_2, admin } = application.addresses();
    let version_2 = version_2.map(tracing::field::display);
    let (version, pools, store) = (env!("CARGO_PKG_VERSION"), config.pools.len(), config.store.to_string());
    tracing::info!(version, %public, version_2, %admin, pools, store, "serving");
    for PriceReport { asset, source, rule, .. } in application.price_reports() {
        tracing::info!(asset, source, rule, "price");
    }
}
