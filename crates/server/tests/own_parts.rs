//! A host with a store, a signer and prices of its own, and with changes of its own to a file that is reloaded.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{
    error::Error as _,
    fs,
    os::unix::fs::PermissionsExt as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use firmquote_client::{
    ChainId, Client, ClientSettings, Quote, QuoteRequest, Reaction, Response, SwapAmount, SwapTerms, Symbol,
};
use firmquote_config::Config;
use firmquote_domain::{Address, Clock as _, Price, Signature, Timestamp};
use firmquote_market::{Observation, PriceListener, PriceSource, SourceError};
use firmquote_server::{Application, ConfigFile, SystemClock, system_environment};
use firmquote_signer::{LocalSigner, Signer, SignerError, TypedMessage};
use firmquote_store::{LayeredStore, MemoryStore, Store as _, StoreCall};
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};

/// A pool whose price of ETH the host posts.
const CONFIG: &str = r#"
[server]
bind = "127.0.0.1:0"
admin_bind = "127.0.0.1:0"
drain_seconds = 0
admin_token_sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

[store]
kind = "memory"

[limits]
anonymous = true

[[chain]]
id = 1
name = "Ethereum"
native_symbol = "ETH"
wrapped_native = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"

[[signer]]
name = "kms"
host_address = "ACCOUNT"

[[pool]]
chain_id = 1
address = "0x655eDCE464CC797526600a462A8154650EEe4B77"
signer = "kms"
k = 0.06
domain = { name = "ClipperDirect", version = "1.0.0" }
good_until = "plain"
single_use = true
[[pool.asset]]
symbol = "ETH"
address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
decimals = 18
weight = 79
reserve = "476877882758190421102"
price_usd = 2000
[[pool.asset]]
symbol = "USDC"
address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
decimals = 6
weight = 188
price_usd = 1
reserve = "417751254142"
[[pool.pair]]
assets = ["ETH", "USDC"]
base_fee_bps = 5
annual_volatility = 0.60
[pool.signing]
max_outstanding_bps_anonymous = 1000

[[price_source]]
kind = "push"
[[price_source.asset]]
symbol = "ETH"
[[price_rule]]
symbol = "ETH"
max_age_ms = 60000
"#;

/// A key service of the host.
struct KeyService {
    key: LocalSigner,
    requests: AtomicUsize,
}

#[async_trait]
impl Signer for KeyService {
    fn address(&self) -> Address {
        self.key.address()
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.key.sign(message).await
    }

    async fn check(&self) -> Result<(), SignerError> {
        Ok(())
    }
}

/// A price feed of the host.
struct Feed;

#[async_trait]
impl PriceSource for Feed {
    fn name(&self) -> &str {
        "feed of the host"
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        let (symbol, now) = (Symbol::new("ETH").unwrap(), clock().now());
        listener.receive(&[(&symbol, Observation::from_scaled(2_080_527, 0, -3, now))]);
        std::future::pending().await
    }
}

fn clock() -> Arc<SystemClock> {
    Arc::new(SystemClock::new(Duration::from_secs(5)))
}

async fn quote(client: &Client) -> Result<Response<Quote>, firmquote_client::Error> {
    let amount = SwapAmount::ExactInput("1000000000000000000".parse().unwrap());
    client
        .quote(&QuoteRequest::new(
            ChainId::new(1).unwrap(),
            Symbol::new("ETH").unwrap(),
            Symbol::new("USDC").unwrap(),
            amount,
        ))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_brings_its_store_its_signer_and_its_prices() {
    let commits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&commits);
    let layer = move |call| {
        counted.fetch_add(usize::from(call == StoreCall::Commit), Ordering::Relaxed);
        Ok(())
    };
    let store = Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(1_000)) });
    let signer = Arc::new(KeyService { key: LocalSigner::random().unwrap(), requests: AtomicUsize::new(0) });

    let text = CONFIG.replace("ACCOUNT", &signer.address().to_string());
    let config = Config::from_toml("host.toml", &text, &system_environment()).unwrap();
    let builder = Application::builder(config, clock()).with_store(store.clone()).with_signer("kms", signer.clone());
    let application = builder.build().await.unwrap();
    let (prices, address) = (application.prices(), application.addresses().public);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(application.run(async { drop(stopped.await) }));
    let client = Client::new(ClientSettings::new(format!("http://{address}"))).unwrap();
    quote(&client).await.unwrap_err();
    prices.post(&[(Symbol::new("ETH").unwrap(), "2080.527".parse::<Price>().unwrap())]).await.unwrap();
    prices.post(&[(Symbol::new("USDC").unwrap(), "1".parse::<Price>().unwrap())]).await.unwrap_err();

    let quote = quote(&client).await.unwrap();
    let signed = client.sign_quote(&quote, &SwapTerms::transmit_and_swap(Address::repeat_byte(7))).await.unwrap();
    assert_eq!(signed.value.output_amount, quote.output_amount);
    assert_eq!((commits.load(Ordering::Relaxed), signer.requests.load(Ordering::Relaxed)), (1, 1));
    let found = store.find(*quote.id, Timestamp::from_micros(quote.must_accept_by.as_micros() - 1)).await.unwrap();
    assert!(found.unwrap().signed.is_some(), "it is in the store of the host");
    drop(stop);
    running.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_brings_a_price_source() {
    let signer = Arc::new(KeyService { key: LocalSigner::random().unwrap(), requests: AtomicUsize::new(0) });
    let text = CONFIG.replace("ACCOUNT", &signer.address().to_string());
    let text = text.replace("kind = \"push\"", "kind = \"host\"\nname = \"feed\"");
    let config = || Config::from_toml("host.toml", &text, &system_environment()).unwrap();
    let builder = || Application::builder(config(), clock()).with_signer("kms", signer.clone());
    let missing = builder().build().await.err().unwrap();
    let cause = missing.source().unwrap().to_string();
    assert_eq!(missing.to_string(), "price_source[0]");
    assert_eq!(cause, "name is \"feed\", allowed: a price source that the program provides: none");

    let misspelled =
        builder().with_price_source("feed", Arc::new(Feed)).with_signer("ksm", signer.clone()).build().await;
    assert_eq!(misspelled.err().unwrap().to_string(), "no signer in the configuration has the name \"ksm\", but: kms");

    let application = builder().with_price_source("feed", Arc::new(Feed)).build().await.unwrap();
    let service = Arc::clone(application.service());
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(application.run_background(async { drop(stopped.await) }));
    let price = || {
        let (desk, snapshot) = (service.desk(), service.desk().market.snapshot());
        Some(snapshot.pool(desk.pools[0].id())?.assets[0].price.as_ref().ok()?.value)
    };
    let arrived = timeout(Duration::from_secs(30), async {
        while price() != Some("2080.527".parse::<Price>().unwrap()) {
            sleep(Duration::from_millis(1)).await;
        }
    });
    arrived.await.unwrap();
    drop(stop);
    running.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_host_changes_by_code_holds_after_a_reload() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("firmquote.toml");
    let key = directory.path().join("key");
    fs::write(&key, "11".repeat(32)).unwrap();
    let text = CONFIG.replace(r#"host_address = "ACCOUNT""#, r#"key_file = "key""#);
    fs::write(&path, &text).unwrap();
    for file in [&path, &key] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let file = ConfigFile::new(&path, Vec::new()).with_change(|config| {
        config.limits.anonymous = false;
        Ok(())
    });
    let application = Application::build(file.read().unwrap(), clock()).await.unwrap();
    let (requests, receiver) = tokio::sync::mpsc::channel(1);
    let (service, prices) = (Arc::clone(application.service()), application.prices());
    let address = application.addresses().public;
    let application = application.with_reload(Some(file), receiver);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(application.run(async { drop(stopped.await) }));
    fs::write(&path, text.replace("base_fee_bps = 5", "base_fee_bps = 6")).unwrap();
    requests.send(()).await.unwrap();
    let fee = |desk: &firmquote_desk::Desk| desk.pools[0].signer().pool().spec().pairs[0].fee.base.to_string();
    while fee(&service.desk()) != "6" {
        tokio::task::yield_now().await;
    }
    prices.post(&[(Symbol::new("ETH").unwrap(), "2080.527".parse::<Price>().unwrap())]).await.unwrap();
    let client = Client::new(ClientSettings::new(format!("http://{address}"))).unwrap();
    assert_eq!(quote(&client).await.unwrap_err().reaction(), Reaction::GiveUp);
    drop(stop);
    running.await.unwrap().unwrap();
}
