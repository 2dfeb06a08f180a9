//! Takers race for the budget of firm levels on three replicas, while the Redis server that tracks its use is lost.

use std::time::{Duration, Instant};

use firmquote_domain::{U256, U512};
use firmquote_e2e::{
    configuration,
    endpoint::{Endpoint, Response},
    evm::CHAIN_ID,
    load::{destination, sign},
    replicas::{SharedStore, endpoints},
    service::Service,
};
use firmquote_test_servers::redis::{Cluster, Options, Sentinels, Server};
use serde_json::Value;
use tokio::{task::JoinSet, time::sleep};

/// Number of concurrent takers, all of the same client.
const TAKERS: u64 = 64;

/// Each taker takes one of this many parts of the budget, so three of eight takers get nothing.
const PARTS: u64 = 40;

/// The maximum time until levels are firm again, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const LEVELS: &str = "[pool.levels]\nfirm_ms = 20000\nfirm_margin_bps = 0.5\nfirm_budget_usd = 100\n\n";

fn replicas(store: SharedStore) -> Vec<Service> {
    // With this timeout even a slow machine causes no 503.
    let config = configuration::over_redis(&SharedStore { timeout_ms: 5_000, ..store });
    let config = config.replacen("[[pool.asset]]", &format!("{LEVELS}[[pool.asset]]"), 1);
    (0..3).map(|_| Service::start(&config)).collect()
}

/// A firm book of levels.
struct Book {
    id: String,
    budget: U256,
    knots: Vec<[U256; 2]>,
}

impl Book {
    /// Waits until `replica` publishes a firm book.
    async fn firm(replica: &Endpoint) -> Self {
        let start = Instant::now();
        loop {
            let answer = replica.get(&format!("/rfq/v2/levels/{CHAIN_ID}?pairs=ETH-USDC")).await.expect("an answer");
            let book = &answer.body["books"][0];
            if answer.status == 200 && book["firm"] == true {
                let knot = |knot: &Value| [number(&knot[0]), number(&knot[1])];
                return Self {
                    id: book["levels_id"].as_str().expect("an id").to_owned(),
                    budget: number(&book["firm_budget_input"]),
                    knots: book["knots"].as_array().expect("knots").iter().map(knot).collect(),
                };
            }
            assert!(start.elapsed() < PATIENCE, "{answer:?}");
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Returns the output of the levels for a cumulative input, rounded down.
    fn output(&self, input: U256) -> U256 {
        let position = self.knots.iter().position(|[end, _]| input <= *end).expect("within the knots");
        let end = self.knots[position];
        let start = position.checked_sub(1).map_or([U256::ZERO; 2], |before| self.knots[before]);
        let [rise, part, width] =
            [end[1] - start[1], input - start[0], end[0] - start[0]].map(|number| U512::from(number));
        start[1] + U256::from_limbs_slice(&(rise * part / width).into_limbs()[..4])
    }
}

fn number(value: &Value) -> U256 {
    value.as_str().expect("a number").parse().expect("a number")
}

async fn request_quote(replica: &Endpoint, book: &Book, input: U256) -> Response {
    let query = format!("input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount={input}&levels_id={}", book.id);
    replica.get(&format!("/rfq/v2/quote/{CHAIN_ID}?{query}")).await.expect("an answer")
}

/// Requests a part of the budget for all takers concurrently.
async fn race(replicas: &[Endpoint], book: &Book) -> Vec<Response> {
    let input = book.budget / U256::from(PARTS);
    let mut takers = JoinSet::new();
    for (replica, _) in replicas.iter().cycle().zip(0..TAKERS) {
        let (replica, book) = (replica.clone(), Book { id: book.id.clone(), knots: Vec::new(), ..*book });
        takers.spawn(async move { request_quote(&replica, &book, input).await });
    }
    takers.join_all().await
}

/// Checks that the quotes share one budget without overlap, and that none pays less than the levels. Returns the number
/// of quotes; requests may also be refused by an outage.
fn check(book: &Book, answers: &[Response]) -> usize {
    let input = book.budget / U256::from(PARTS);
    let (quoted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    let mut used: Vec<U256> = Vec::new();
    for answer in &quoted {
        let [output, promised, left] =
            ["output_amount", "levels_output", "firm_budget_left_input"].map(|member| number(&answer.body[member]));
        let before = book.budget - left - input;
        assert_eq!(promised, book.output(before + input) - book.output(before), "{answer:?}");
        assert!(output >= promised, "below the curve: {answer:?}");
        used.push(before);
    }
    used.sort_unstable();
    assert!(
        used.iter().zip(used.iter().skip(1)).all(|(previous, next)| *previous + input <= *next),
        "used twice: {used:?}"
    );
    for answer in refused.into_iter().filter(|answer| !answer.is_retryable()) {
        assert_eq!((answer.status, &answer.body["reason"]), (400, &"budget_used".into()), "{answer:?}");
    }
    quoted.len()
}

/// Requests the lost levels from every replica: all refuse, and each refusal counts as a breach.
async fn check_lost(services: &[Service], book: &Book) {
    let series = "firmquote_levels_breaches_total{reason=\"store_lost\"}";
    let start = Instant::now();
    for service in services {
        let before = service.metric(series).await;
        let answer = loop {
            let answer = request_quote(service.public(), book, book.budget / U256::from(PARTS)).await;
            if !answer.is_retryable() {
                break answer;
            }
            assert!(start.elapsed() < PATIENCE, "{answer:?}");
            sleep(Duration::from_millis(100)).await;
        };
        assert_eq!((answer.status, &answer.body["reason"]), (400, &"store_lost".into()), "{answer:?}");
        assert!((service.metric(series).await - before - 1.0).abs() < 0.5);
    }
}

/// Runs a race, loses data, and runs races until one has quotes again.
async fn race_with_loss(services: &[Service], lose: impl FnOnce()) {
    let replicas = endpoints(services);
    let book = Book::firm(&replicas[0]).await;
    let answers = race(&replicas, &book).await;
    assert_eq!(check(&book, &answers), 40);
    let (quote, destination) =
        (&answers.iter().find(|answer| answer.status == 200).expect("some").body["id"], destination(1));
    let signed = sign(&replicas[1], quote.as_str().expect("an id"), destination).await.expect("an answer");
    assert_eq!(signed.status, 200, "{signed:?}");
    lose();
    check_lost(services, &book).await;
    // New levels are firm again. Reservations that survived count until their quotes or signatures expire, one after
    // the other.
    let start = Instant::now();
    loop {
        let next = Book::firm(&replicas[2]).await;
        if check(&next, &race(&replicas, &next).await) > 0 {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "no quote after the loss");
        sleep(Duration::from_secs(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_is_never_exceeded_when_the_server_is_killed() {
    let mut redis = Server::start(Options { append_only: true, ..Options::default() });
    let services = replicas(SharedStore::from_server(&redis));
    race_with_loss(&services, || {
        redis.kill();
        redis.restart();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_is_never_exceeded_after_a_failover() {
    let mut sentinels = Sentinels::start(Options::default());
    let services = replicas(SharedStore { wait_replicas: 1, ..SharedStore::from_sentinels(&sentinels) });
    race_with_loss(&services, || {
        sentinels.kill_master();
        sentinels.wait_for_failover();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_shares_one_budget() {
    let cluster = Cluster::start(0, Options::default());
    let services = replicas(SharedStore::from_cluster(&cluster));
    let replicas = endpoints(&services);
    let book = Book::firm(&replicas[0]).await;
    assert_eq!(check(&book, &race(&replicas, &book).await), 40);
}
