//! `firmquote demo`.

use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use alloy_primitives::{Address, Bytes};
use anyhow::{Context as _, ensure};
use firmquote_calldata::decode;
use firmquote_config::Config;
use firmquote_server::{Application, SystemClock, system_environment};
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{
    demo_client::{ACCOUNT, DemoCredentials},
    http_request,
    output::Output,
};

/// Starts the demo on free ports, prints sample requests and responses, and stops the demo.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run_demo())
}

async fn run_demo() -> anyhow::Result<()> {
    let mut config = Config::demo(&[], &system_environment())?;
    let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    (config.server.bind, config.server.admin_bind) = (free, free);
    config.server.connections.workers = 1;
    config.server.drain = Duration::ZERO;
    let client = DemoCredentials::generate(&mut config)?;
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let application = Application::build(config, clock).await?;
    let base = format!("http://{}", application.addresses().public);
    let mut out = Output::lock();
    let (stop, stopped) = oneshot::channel::<()>();
    let printed = async {
        let printed = print_samples(&mut out, base, client.api_key()).await;
        drop(stop);
        printed
    };
    let (served, printed) = tokio::join!(application.run(async { drop(stopped.await) }), printed);
    served?;
    printed?;
    Ok(out.flush()?)
}

/// Prints a quote and its signature for each API version, and both in one round trip.
async fn print_samples(out: &mut impl Write, base: String, api_key: &str) -> anyhow::Result<()> {
    writeln!(out, "The built-in demo pool, served at {base} for the duration of this demo.\n")?;
    let mut samples = Samples { base, api_key: None, out };
    let body = json!({
        "chain_id": 1,
        "input_asset_symbol": "ETH",
        "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000",
    });
    let quote = samples.send("Quote (version 1) without credentials", "/rfq/quote", Some(body)).await?;
    samples.sign("/rfq/sign", &quote).await?;

    samples.api_key = Some(api_key);
    let path = "/rfq/v2/quote/1?input_asset_symbol=DAI&output_asset_symbol=ETH\
                &output_amount=500000000000000000&time_in_seconds=120";
    let quote = samples.send("Quote (version 2) for a given output", path, None).await?;
    samples.sign("/rfq/v2/sign", &quote).await?;

    let path = format!(
        "/rfq/v2/quote-sign/1?input_asset_symbol=ETH&output_asset_symbol=USDT&input_amount=250000000000000000\
         &destination_address={ACCOUNT}&native_input=true&calldata=true"
    );
    let signed = samples.send("Quote and signature in one round trip, paid in native coin", &path, None).await?;
    samples.print_calldata(&signed)
}

/// Sends requests to the service at `base`, and prints each with its response.
struct Samples<'a, W: Write> {
    base: String,
    /// `None` for anonymous requests.
    api_key: Option<&'a str>,
    out: &'a mut W,
}

impl<W: Write> Samples<'_, W> {
    /// Sends and prints a request, a POST if it has a body, and its response.
    ///
    /// # Errors
    /// When the response is not a 200 with JSON, or writing fails.
    async fn send(&mut self, title: &str, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let (method, url) = (if body.is_some() { "POST" } else { "GET" }, format!("{}{path}", self.base));
        writeln!(self.out, "# {title}\n\n{method} {url}")?;
        let mut request = Request::builder().method(method).uri(url).header("content-type", "application/json");
        if let Some(api_key) = self.api_key {
            writeln!(self.out, "x-api-key: {api_key}")?;
            request = request.header("x-api-key", api_key);
        }
        let body = body.map(|body| format!("{body:#}")).unwrap_or_default();
        if !body.is_empty() {
            writeln!(self.out, "{body}")?;
        }
        let (status, response) = http_request::send(request, body).await?;
        ensure!(status == StatusCode::OK, "{method} {path} returned {status}: {response}");
        let response = serde_json::from_str(&response)?;
        writeln!(self.out, "\n{status}\n{response:#}\n")?;
        Ok(response)
    }

    /// Requests and prints the signature of a quote, with the calldata that executes it.
    async fn sign(&mut self, path: &str, quote: &Value) -> anyhow::Result<()> {
        let body = json!({ "quote_id": quote["id"], "destination_address": ACCOUNT, "calldata": true });
        let signed = self.send("Its signature, with calldata", path, Some(body)).await?;
        self.print_calldata(&signed)
    }

    /// Prints the decoded calldata of a signed swap.
    ///
    /// # Errors
    /// When there is no calldata, or it is not a valid pool contract call.
    fn print_calldata(&mut self, signed: &Value) -> anyhow::Result<()> {
        let calldata = signed.get("calldata").and_then(Value::as_str).context("the response contains no calldata")?;
        let swap = decode(&calldata.parse::<Bytes>()?)?;
        let token = |token: Option<Address>| token.map_or("the native coin".into(), |token| token.to_string());
        writeln!(self.out, "The calldata calls {}:", swap.function.name())?;
        writeln!(self.out, "  input         {} of {}", swap.input_amount, token(swap.input_token))?;
        writeln!(self.out, "  output        {} of {}", swap.output_amount, token(swap.output_token))?;
        writeln!(self.out, "  valid until   {} (Unix seconds)", swap.good_until.expires_at().get())?;
        writeln!(self.out, "  destination   {}", swap.destination)?;
        writeln!(self.out, "  aux data      {}\n", swap.aux_data)?;
        Ok(())
    }
}
