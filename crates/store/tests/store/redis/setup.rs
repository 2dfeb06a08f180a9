//! Stores for servers, and what the tests sign.

use std::{
    fs,
    future::Future,
    path::Path,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use firmquote_domain::{GoodUntil, Quote, QuoteId, SignedQuote, Timestamp};
pub(crate) use firmquote_store::conformance::sample_terms as terms;
use firmquote_store::{
    PrepareOutcome, Store, StoreError, conformance,
    redis::{KeyPrefix, RedisAddress, RedisConfig, RedisStore, Servers, TlsFiles},
};
use firmquote_test_servers::redis::{Cluster, Sentinels, Server};

use crate::calls::Calls as _;

/// Longer than anything takes; only a test that fails waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const PREFIX: &str = "test";

/// The real time: Redis expires by it.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    Timestamp::from_micros(u64::try_from(since.as_micros()).expect("before 2106"))
}

pub(crate) fn address(url: &str) -> RedisAddress {
    RedisAddress::parse(url).expect("the address of a test server")
}

pub(crate) fn config(servers: Servers) -> RedisConfig {
    RedisConfig {
        servers,
        credentials: None,
        tls: TlsFiles::default(),
        prefix: KeyPrefix::new(PREFIX).expect("a prefix"),
        timeout: Duration::from_secs(2),
        wait_replicas: 0,
        status_retention_seconds: 60,
        ledger_max_age_seconds: 3_600,
        // Tests tell stores whatever time they need.
        wait_aof: None,
        max_clock_skew: Duration::from_secs(1 << 40),
    }
}

pub(crate) fn server_config(server: &Server) -> RedisConfig {
    config(Servers::One(address(&server.url())))
}

/// That of a server that speaks TLS, with the certificates of a client. Installs a TLS provider for the process.
pub(crate) fn tls_server_config(server: &Server) -> RedisConfig {
    // Another test of this process may have done so.
    drop(rustls::crypto::ring::default_provider().install_default());
    let read = |path: &Path| fs::read(path).expect("a readable file");
    let certificates = server.certificates();
    let tls = TlsFiles {
        authorities: Some(read(&certificates.authority)),
        client: Some((read(&certificates.client), read(&certificates.client_key).into())),
    };
    RedisConfig { tls, ..server_config(server) }
}

pub(crate) fn cluster_config(cluster: &Cluster) -> RedisConfig {
    config(Servers::Cluster(cluster.urls().iter().map(|url| address(url)).collect()))
}

pub(crate) fn sentinel_config(sentinels: &Sentinels) -> RedisConfig {
    let addresses = sentinels.urls().iter().map(|url| address(url)).collect();
    config(Servers::Sentinels { master: sentinels.master_name().to_owned(), addresses })
}

pub(crate) async fn connect(config: &RedisConfig) -> RedisStore {
    RedisStore::connect(config).await.expect("a usable configuration")
}

/// Three replicas of the service on the same servers.
pub(crate) async fn three(config: &RedisConfig) -> [Arc<dyn Store>; 3] {
    [Arc::new(connect(config).await), Arc::new(connect(config).await), Arc::new(connect(config).await)]
}

/// Asks until the answer is good, as a client would.
pub(crate) async fn until_available<T, F: Future<Output = Result<T, StoreError>>>(mut ask: impl FnMut() -> F) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match ask().await {
            Ok(answer) => return answer,
            Err(error) if Instant::now() > end => panic!("still {error:?}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

pub(crate) fn quote(number: u32) -> Quote {
    quote_at(number, now())
}

/// A quote with a life so long that no slow test outlives it.
pub(crate) fn quote_at(number: u32, now: Timestamp) -> Quote {
    let must_accept_by = now.plus_seconds(600);
    let good_until = GoodUntil::Plain(must_accept_by.plus_seconds(600).seconds());
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_le_bytes());
    Quote { id: QuoteId::from_bytes(id), must_accept_by, good_until, ..conformance::sample_quote(1, now) }
}

pub(crate) fn signed(quote: &Quote, destination: u8) -> SignedQuote {
    conformance::sample_signed(quote, terms(destination), destination)
}

/// The name of one of a quote's keys.
pub(crate) fn key(quote: &Quote, part: &str) -> String {
    format!("{PREFIX}:{{{}}}:{part}", quote.id)
}

/// The claim of the quote's own client for `destination`, now.
pub(crate) async fn claim(store: &RedisStore, quote: &Quote, destination: u8) -> Result<PrepareOutcome, StoreError> {
    store.bind(quote, &terms(destination), now()).await
}

/// How often a command was called since the statistics were reset, by a script or by a client.
pub(crate) fn calls(server: &Server, command: &str) -> u32 {
    let statistics = server.command(&["INFO", "commandstats"]);
    let start = format!("cmdstat_{command}:calls=");
    let counted = statistics.lines().find_map(|line| line.trim().strip_prefix(&start)?.split(',').next()?.parse().ok());
    counted.unwrap_or(0)
}
