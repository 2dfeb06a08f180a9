//! `firmquote demo`.

use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use firmquote_client::{
    Client, ClientSettings, Credential as ClientCredential, FixedAmount, QuoteRequest, Secret, SignRequest, SwapTerms,
};
use firmquote_config::Config;
use firmquote_domain::{ChainId, NativeSide, QuoteId, Symbol, parse_address};
use firmquote_server::{Application, SystemClock, system_sources};
use serde_json::json;
use tokio::sync::oneshot;

use super::{
    demo_client::{ACCOUNT, DemoClient},
    output::Output,
    transcript::{Transcript, TranscriptEntry},
};

/// Starts the demo on free ports, prints an exchange, and stops the demo.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run_demo())
}

async fn run_demo() -> anyhow::Result<()> {
    let mut config = Config::demo(&[], &system_sources())?;
    let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    (config.server.bind, config.server.admin_bind) = (free, free);
    config.server.connections.workers = 1;
    config.server.drain = Duration::ZERO;
    let client = DemoClient::create(&mut config)?;
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let application = Application::build(config, clock).await?;
    let base = format!("http://{}", application.addresses().public);
    let mut out = Output::lock();
    let (stop, stopped) = oneshot::channel::<()>();
    let shown = async {
        let shown = show(&mut out, base, client.api_key()).await;
        drop(stop);
        shown
    };
    let (served, shown) = tokio::join!(application.run(async { drop(stopped.await) }), shown);
    served?;
    shown?;
    Ok(out.flush()?)
}

/// Prints a quote and its signature for each API version, and both in one round trip, each with its request.
async fn show(out: &mut impl Write, base: String, api_key: &str) -> anyhow::Result<()> {
    writeln!(out, "The built-in demo pool, served at {base} for the duration of this exchange.\n")?;
    let anonymous = Client::new(ClientSettings::new(&base))?;
    let mut settings = ClientSettings::new(&base);
    settings.credential = ClientCredential::ApiKey(Secret::new(api_key));
    let client = Client::new(settings)?;
    let mut transcript = Transcript { base, out };

    let path = "/rfq/quote";
    let body = json!({
        "chain_id": 1,
        "input_asset_symbol": "ETH",
        "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000",
    });
    let quote = anonymous.quote(&request("ETH", "USDC", FixedAmount::Input("1000000000000000000".parse()?))?).await?;
    let title = "Quote (version 1) without credentials";
    transcript.show(&TranscriptEntry { title, method: "POST", path, api_key: None, body: Some(body) }, &quote.text)?;
    sign(&mut transcript, &anonymous, "/rfq/sign", None, quote.id).await?;

    let path = "/rfq/v2/quote/1?input_asset_symbol=DAI&output_asset_symbol=ETH\
                &output_amount=500000000000000000&time_in_seconds=120";
    let ask = request("DAI", "ETH", FixedAmount::Output("500000000000000000".parse()?))?;
    let quote = client.quote(&QuoteRequest { time_in_seconds: Some(120), ..ask }).await?;
    let title = "Quote (version 2) for a given output";
    let api_key = Some(api_key);
    transcript.show(&TranscriptEntry { title, method: "GET", path, api_key, body: None }, &quote.text)?;
    sign(&mut transcript, &client, "/rfq/v2/sign", api_key, quote.id).await?;

    let path = format!(
        "/rfq/v2/quote-sign/1?input_asset_symbol=ETH&output_asset_symbol=USDT&input_amount=250000000000000000\
         &destination_address={ACCOUNT}&native_input=true&calldata=true"
    );
    let ask = request("ETH", "USDT", FixedAmount::Input("250000000000000000".parse()?))?;
    let terms = SwapTerms::swap(parse_address(ACCOUNT)?).with_native(NativeSide::Input);
    let signed = client.quote_and_sign(&ask, &terms).await?;
    let title = "Quote and signature in one round trip, paid in native coin";
    transcript.show(&TranscriptEntry { title, method: "GET", path: &path, api_key, body: None }, &signed.text)?;
    transcript.show_calldata(&signed.swap)
}

/// Requests and prints the signature of a quote, with the calldata that executes it.
async fn sign(
    transcript: &mut Transcript<'_, impl Write>,
    client: &Client,
    path: &str,
    api_key: Option<&str>,
    quote_id: QuoteId,
) -> anyhow::Result<()> {
    let terms = SwapTerms::swap(parse_address(ACCOUNT)?);
    let signed = client.sign(&SignRequest { quote_id, terms }).await?;
    let body = json!({ "quote_id": quote_id.to_string(), "destination_address": ACCOUNT, "calldata": true });
    let title = "Its signature, with calldata";
    transcript.show(&TranscriptEntry { title, method: "POST", path, api_key, body: Some(body) }, &signed.text)?;
    transcript.show_calldata(&signed)
}

/// Creates a quote request on the demo's chain.
fn request(input: &str, output: &str, amount: FixedAmount) -> anyhow::Result<QuoteRequest> {
    let chain_id = ChainId::new(1).context("no chain")?;
    Ok(QuoteRequest::new(chain_id, Symbol::new(input)?, Symbol::new(output)?, amount))
}
