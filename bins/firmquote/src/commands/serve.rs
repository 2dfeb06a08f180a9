//! `firmquote serve`.

use std::{
    io::{Write as _, stdout},
    path::Path,
    sync::Arc,
};

use firmquote_http::{Credential, Server};

use super::demo_client::DemoClient;
use crate::{
    chains,
    config::Config,
    environment,
    listen::{self, Addresses},
    logging, prices, pushed, reserves, running, service, signers,
    stop::StopSignals,
    store,
};

/// Serves the pools of the file at `path`, or the built-in demo; `exposures` are for the log.
pub(crate) fn run(path: Option<&Path>, exposures: &[String]) -> anyhow::Result<()> {
    let overrides = environment::overrides()?;
    let mut config = match path {
        Some(path) => Config::from_file(path, &overrides)?,
        None => Config::demo(&overrides)?,
    };
    logging::start(config.log)?;
    for exposure in exposures {
        tracing::warn!("{exposure}");
    }
    let demo = if path.is_none() { Some(DemoClient::create()?) } else { None };
    let mut credentials = std::mem::take(&mut config.credentials);
    if let Some(client) = &demo {
        credentials.extend(client.kept()?);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(serve(&config, credentials, demo))
}

async fn serve(config: &Config, credentials: Vec<Credential>, demo: Option<DemoClient>) -> anyhow::Result<()> {
    let mut signals = StopSignals::catch()?;
    let store = tokio::select! {
        store = store::open(&config.store) => store?,
        signal = signals.next() => {
            tracing::info!(signal, "stopped before the store was open");
            return Ok(());
        }
    };
    let unasked = tokio::select! {
        unasked = signers::ask(config) => unasked?,
        signal = signals.next() => {
            tracing::info!(signal, "stopped before the signers were asked");
            return Ok(());
        }
    };
    for warning in unasked {
        tracing::warn!("{warning}");
    }
    let chains = chains::open(config)?;
    let reserves = tokio::select! {
        verified = reserves::verified(reserves::open(config, &chains)?) => verified?,
        signal = signals.next() => {
            tracing::info!(signal, "stopped before the pools were verified");
            return Ok(());
        }
    };
    let board = pushed::board(config).await?;
    let (market, prices) = prices::open(config, &chains, board.as_ref())?;
    let service = service::service(config, credentials, market, store, Arc::clone(&prices.desk))?;
    prices.show(config, service.metrics.registry())?;
    let (listeners, addresses) = listen::open(&config.server)?;
    let server = Server::new(service, listeners)?;
    if let Some(client) = demo {
        let mut out = stdout().lock();
        out.write_all(client.introduction(&addresses).as_bytes())?;
        out.flush()?;
    }
    for pool in reserves {
        tokio::spawn(pool.keep(Arc::clone(prices.live())));
    }
    prices.spawn();
    log_start(config, &addresses);
    running::until_stopped(server, signals, config.server.drain).await
}

fn log_start(config: &Config, addresses: &Addresses) {
    let Addresses { public, version_2, admin } = addresses;
    let version_2 = version_2.map(tracing::field::display);
    let (version, pools, store) = (env!("CARGO_PKG_VERSION"), config.pools.len(), config.store.to_string());
    tracing::info!(version, %public, version_2, %admin, pools, store, "serving");
}
