//! `firmquote demo`.

use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use anyhow::Context as _;
use firmquote_desk::{Pauses, PriceDesk};
use firmquote_domain::Clock as _;
use firmquote_http::{Credentials, LiveService, Metrics, Server};
use serde_json::{Value, json};

use super::{
    demo_client::{ACCOUNT, DemoClient},
    exchange::Exchange,
    output::Output,
};
use crate::{clock::SystemClock, config::Config, listen, service, store};

/// Starts the demo on free ports, shows an exchange, and stops it.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(serve_and_show())
}

async fn serve_and_show() -> anyhow::Result<()> {
    let mut config = Config::demo(&[])?;
    let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    (config.server.bind, config.server.admin_bind) = (free, free);
    config.server.connections.workers = 1;
    let client = DemoClient::create()?;
    let market = Arc::new(service::written_market(&config));
    let (stores, prices) = (store::open(&config.store).await?, Arc::new(PriceDesk::closed(Arc::new(SystemClock))));
    let pauses = Arc::new(Pauses::new(stores.pauses));
    pauses.refresh(SystemClock.now()).await?;
    let desk = Arc::new(service::desk(&config, market, stores.quotes, pauses, Arc::default()));
    let service = service::service(&config, Credentials::new(client.kept()?)?, desk, prices);
    let metrics = Arc::new(Metrics::new(env!("CARGO_PKG_VERSION"))?);
    let live = Arc::new(LiveService::new(service, metrics)?);
    let (listeners, addresses) = listen::open(&config.server, None)?;
    let server = Server::new(live, listeners, config.server.connections)?;
    let handle = server.stop_handle();
    let mut out = Output::lock();
    let shown = async {
        let shown = show(&mut out, format!("http://{}", addresses.public), client.api_key()).await;
        handle.stop().await;
        shown
    };
    let (served, shown) = tokio::join!(server.run(), shown);
    served.context("a listener failed")?;
    shown?;
    Ok(out.flush()?)
}

async fn show(out: &mut impl Write, base: String, api_key: &str) -> anyhow::Result<()> {
    writeln!(out, "The built-in demo pool, served at {base} for the length of this exchange.\n")?;
    let mut exchange = Exchange::new(base, out)?;
    let ask = json!({
        "chain_id": 1,
        "input_asset_symbol": "ETH",
        "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000",
    });
    let quote = exchange.post("A quote of version 1, without credentials", "/rfq/quote", None, &ask).await?;
    let ask = sign_request(&quote)?;
    let signed = exchange.post("Its signature, with calldata", "/rfq/sign", None, &ask).await?;
    exchange.show_calldata(&signed)?;

    let path = "/rfq/v2/quote/1?input_asset_symbol=DAI&output_asset_symbol=ETH\
                &output_amount=500000000000000000&time_in_seconds=120";
    let quote = exchange.get("A quote of version 2 for a wanted output", path, api_key).await?;
    let ask = sign_request(&quote)?;
    let signed = exchange.post("Its signature, with calldata", "/rfq/v2/sign", Some(api_key), &ask).await?;
    exchange.show_calldata(&signed)?;

    let path = format!(
        "/rfq/v2/quote-sign/1?input_asset_symbol=ETH&output_asset_symbol=USDT&input_amount=250000000000000000\
         &destination_address={ACCOUNT}&native_input=true&calldata=true"
    );
    let signed = exchange.get("Quote and signature in one round trip, paid in native coin", &path, api_key).await?;
    exchange.show_calldata(&signed)
}

/// Asks for the signature of a quote, with the call that executes it.
fn sign_request(quote: &Value) -> anyhow::Result<Value> {
    let id = quote.get("id").context("the quote has no id")?;
    Ok(json!({ "quote_id": id, "destination_address": ACCOUNT, "calldata": true }))
}
