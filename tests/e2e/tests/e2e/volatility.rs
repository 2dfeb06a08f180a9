//! Volatility estimates are shared by replicas and outlive each of them.
#![expect(clippy::expect_used, reason = "a test may panic anywhere")]

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use firmquote_domain::Address;
use firmquote_e2e::{
    configuration,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256, Endpoint},
    evm::CHAIN_ID,
    load,
    replicas::SharedStore,
    service::Service,
};
use firmquote_test_servers::{
    patience::{PATIENCE, wait_until},
    redis::{Options, Server},
};
use serde_json::{Value, json};
use tokio::time::sleep;

/// A configured volatility far above what the prices of this test move: a replica that uses it refuses the quotes of one
/// that has an estimate.
const CONFIGURED: &str = "annual_volatility = 4.00\n";
const ESTIMATED: &str = "volatility_half_life_seconds = 10\nvolatility_floor = 0.05\nvolatility_ceiling = 5.00\n";

/// A configuration in which the volatility of every pair of ETH is estimated from pushed prices.
fn config(store: &SharedStore) -> String {
    let file = configuration::over_redis(store);
    let file = file.replacen("[server]\n", &format!("[server]\nadmin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"), 1);
    let (head, pairs) = file.split_once("[[pool.pair]]").expect("pairs");
    let pairs = pairs.split("[[pool.pair]]").map(|pair| match pair.contains("\"ETH\"") {
        true => pair.replace("annual_volatility = 0.60\n", &[CONFIGURED, ESTIMATED].concat()),
        false => pair.to_owned(),
    });
    let pairs: String = pairs.map(|pair| format!("[[pool.pair]]{pair}")).collect();
    let head = head.replace("max_time_in_seconds = 600\n", "max_time_in_seconds = 600\nlast_look_tolerance_bps = 5\n");
    let source = "[[price_source]]\nkind = \"push\"\n[[price_source.asset]]\nsymbol = \"ETH\"\n";
    let rule = "[[price_rule]]\nsymbol = \"ETH\"\nmax_age_ms = 600000\nmax_jump_bps_per_second = 9999\n";
    format!("{head}{pairs}\n{source}\n{rule}")
}

/// The endpoints of the running replicas, public and admin.
#[derive(Clone, Default)]
struct Endpoints(Arc<Mutex<Vec<[Endpoint; 2]>>>);

impl Endpoints {
    fn lock(&self) -> MutexGuard<'_, Vec<[Endpoint; 2]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, replicas: &[Service]) {
        *self.lock() = replicas.iter().map(|replica| [replica.public().clone(), replica.admin().clone()]).collect();
    }

    /// Pushes a price that rises by a basis point a second, as a backend does, to any replica that responds.
    async fn push_prices(self) {
        let start = Instant::now();
        loop {
            // In units of 1e-4 US dollars.
            let price = 20_000_000 + 2 * start.elapsed().as_millis();
            let price = format!("{}.{:04}", price / 10_000, price % 10_000);
            let body = json!({"prices": [{"symbol": "ETH", "price_usd": price}]});
            let admins: Vec<_> = self.lock().iter().map(|[_, admin]| admin.clone()).collect();
            for admin in admins {
                if admin.put("/prices", ADMIN_TOKEN, &body).await.is_ok_and(|answer| answer.status == 200) {
                    break;
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}

async fn quote(replica: &Endpoint) -> Value {
    let query = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=10000000000000000";
    let start = Instant::now();
    loop {
        let answer = replica.get(&format!("/rfq/v2/quote/{CHAIN_ID}?{query}")).await.expect("an answer");
        if answer.status == 200 {
            return answer.body;
        }
        assert!(start.elapsed() < PATIENCE, "never quoted: {answer:?}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Signs a quote, and fails unless that succeeds.
async fn sign(replica: &Endpoint, quote: &Value) {
    let id = quote["id"].as_str().expect("an id");
    load::sign_with_retries(replica, id, Address::repeat_byte(0xa1)).await.ok();
}

/// Whether the replica has an estimate for the volatility of ETH in USDC.
async fn is_estimated(replica: &Service) -> bool {
    let pool = Address::repeat_byte(0xff);
    let labels = format!("chain_id=\"{CHAIN_ID}\",pair=\"ETH/USDC\",pool=\"{pool}\"");
    replica.metric(&format!("firmquote_pair_volatility_estimated{{{labels}}}")).await > 0.0
}

async fn wait_for_estimate(replica: &Service) {
    let start = Instant::now();
    while !is_estimated(replica).await {
        assert!(start.elapsed() < PATIENCE, "never estimated");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_memory_store_estimates_outlive_the_process() {
    let directory = tempfile::tempdir().expect("a directory");
    let nowhere = SharedStore { urls: Vec::new(), sentinel_master: None, timeout_ms: 500, wait_replicas: 0 };
    let in_redis = config(&nowhere);
    let (before, after) = in_redis.split_once("[store]\n").expect("a store");
    let rest = after.split_once("\n\n").expect("tables after it").1;
    let file = format!("{before}[store]\nstate_dir = {:?}\n\n{rest}", directory.path());
    let endpoints = Endpoints::default();
    let backend = tokio::spawn(endpoints.clone().push_prices());
    let mut service = Service::start(&file);
    endpoints.replace(std::slice::from_ref(&service));
    wait_for_estimate(&service).await;
    wait_until("the estimates are in the file", || {
        let text = std::fs::read_to_string(directory.path().join("estimates")).unwrap_or_default();
        // Six numbers of the series, and two of the estimate.
        match text.lines().any(|line| line.split(' ').count() == 9) {
            true => Ok(()),
            false => Err(text),
        }
    });
    service.kill();
    service = Service::start(&file);
    endpoints.replace(std::slice::from_ref(&service));
    assert!(is_estimated(&service).await, "from the first moment");
    backend.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_update_loses_no_signature() {
    let redis = Server::start(Options::default());
    let file = config(&SharedStore::from_server(&redis));
    let mut replicas: Vec<_> = (0..3).map(|_| Service::start(&file)).collect();
    let endpoints = Endpoints::default();
    endpoints.replace(&replicas);
    let backend = tokio::spawn(endpoints.clone().push_prices());
    for replica in &replicas {
        wait_for_estimate(replica).await;
    }
    let mut signed = 0;
    for updated in 0..replicas.len() {
        let mut earlier = Vec::new();
        for replica in &replicas {
            for _ in 0..3 {
                earlier.push(quote(replica.public()).await);
            }
        }
        replicas[updated].kill();
        replicas[updated] = Service::start(&file);
        endpoints.replace(&replicas);
        for quote in &earlier {
            sign(replicas[updated].public(), quote).await;
        }
        for maker in &replicas {
            for signer in &replicas {
                sign(signer.public(), &quote(maker.public()).await).await;
            }
        }
        signed += earlier.len() + replicas.len() * replicas.len();
    }
    backend.abort();
    println!("rolling update: {signed} of {signed} quotes signed");
}
