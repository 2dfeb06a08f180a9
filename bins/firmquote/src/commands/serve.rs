//! `firmquote serve`.

use std::{
    io::{Write as _, stdout},
    path::Path,
    sync::Arc,
};

use firmquote_config::Config;
use firmquote_http::{Metrics, Server};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};

use super::{
    demo_client::DemoClient,
    price_origins::{self, PriceOrigin},
};
use crate::{
    environment,
    listen::{self, Addresses},
    logging, open_files,
    reload::{self, Origin, Served},
    running, small_pages, sources,
    spans::{self, Export, SpanMetrics, Spans},
    stop::StopSignals,
};

/// Serves the pools of the file at `path`, or the built-in demo; `exposures` are for the log.
pub(crate) fn run(path: Option<&Path>, exposures: &[String]) -> anyhow::Result<()> {
    let overrides = environment::overrides()?;
    let (config, origin) = match path {
        Some(path) => {
            let origin = Origin::new(path, overrides);
            (origin.read()?, Some(origin))
        }
        None => (Config::demo(&overrides, &sources::system())?, None),
    };
    let metrics = Arc::new(Metrics::new(env!("CARGO_PKG_VERSION"))?);
    let spans = spans::open(&config, &SpanMetrics::new(metrics.registry())?)?;
    let (tracer, export) = spans.map(|Spans { tracer, export }| (tracer, export)).unzip();
    let _writing = logging::start(config.log, tracer)?;
    for exposure in exposures {
        tracing::warn!("{exposure}");
    }
    if let Err(error) = small_pages::ask_for() {
        tracing::warn!(%error, "the system may give memory in huge pages, which makes some requests wait");
    }
    let demo = if path.is_none() { Some(DemoClient::create()?) } else { None };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let exporting = export.map(Export::start);
        let served = serve(config, origin, demo, metrics).await;
        if let Some(exporting) = exporting {
            exporting.finish().await;
        }
        served
    })
}

async fn serve(
    mut config: Config,
    origin: Option<Origin>,
    demo: Option<DemoClient>,
    metrics: Arc<Metrics>,
) -> anyhow::Result<()> {
    let mut signals = StopSignals::catch()?;
    let hangups = signal(SignalKind::hangup())?;
    let demo_credentials = demo.as_ref().map(DemoClient::kept).transpose()?;
    let has_own_token = config.server.admin_token.is_some();
    if let Some(demo) = demo.as_ref().filter(|_| !has_own_token) {
        config.server.admin_token = Some(demo.admin_token_hash()?);
    }
    let (served, pauses) = tokio::select! {
        served = Served::start(config, demo_credentials.into_iter().flatten().collect(), metrics) => served?,
        signal = signals.next() => {
            tracing::info!(signal, "stopped before it served");
            return Ok(());
        }
    };
    let config = &served.config;
    let (listeners, addresses) = listen::open(&config.server, served.tls.clone())?;
    let server = Server::new(Arc::clone(&served.live), listeners, config.server.connections)?;
    if let Some(client) = demo {
        let mut out = stdout().lock();
        out.write_all(client.introduction(&addresses, has_own_token).as_bytes())?;
        out.flush()?;
    }
    let public = 1 + u64::from(config.server.bind_v2.is_some());
    if let Some(warning) = open_files::make_room(&config.server.connections, public) {
        tracing::warn!("{warning}");
    }
    log_start(config, &addresses);
    if let Some(sources) = &served.desk.watch.sources {
        for origin in price_origins::list(config, &sources.live, &sources.names) {
            let PriceOrigin { asset, source, rule, .. } = origin;
            tracing::info!(asset, source, rule, "price");
        }
    }
    let drain = config.server.drain;
    let mut tasks = JoinSet::new();
    tasks.spawn(pauses.keep());
    tasks.spawn(server.watch_readiness());
    tasks.spawn(reload::keep(served, origin, hangups));
    running::until_stopped(server, signals, drain, tasks).await
}

fn log_start(config: &Config, addresses: &Addresses) {
    let Addresses { public, version_2, admin } = addresses;
    let version_2 = version_2.map(tracing::field::display);
    let (version, pools, store) = (env!("CARGO_PKG_VERSION"), config.pools.len(), config.store.to_string());
    tracing::info!(version, %public, version_2, %admin, pools, store, "serving");
}
