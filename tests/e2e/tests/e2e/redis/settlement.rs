//! Three replicas on one Redis server, on Sentinels or on a Cluster sign for one on-chain pool with 64 concurrent
//! takers, while replicas, Redis and the node are killed or suspended: every signed swap executes in any order, and
//! service and chain agree on what was executed.

use std::{collections::HashSet, time::Duration};

use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    configuration::{ExtraConfig, NO_LIMITS, shared},
    endpoint::Endpoint,
    evm::CHAIN_ID,
    load::destination,
    replicas::SharedStore,
    service::Service,
    world::{Signed, SwapRoute, TestEnvironment, symbols},
};
use firmquote_test_servers::redis::{Cluster, Options, Sentinels, Server};
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::sleep};

use crate::live::setup::{BUY, SELL, STABLE, nodes, until, web_socket};

/// Number of concurrent takers.
const TAKERS: u64 = 64;
/// Number of quotes per taker.
const QUOTES: u64 = 6;
/// Number of blocks in the final reorganization.
const DROPPED: u64 = 10;

/// Each taker's replica, its signatures, and its number of refusals.
type Takers = JoinSet<(usize, Vec<(SwapRoute, Signed)>, usize)>;

/// The environment of the first replica, the other replicas, and their common configuration.
struct Replicas {
    world: TestEnvironment,
    other_services: Vec<Service>,
    config: String,
}

impl Replicas {
    async fn start(store: &SharedStore) -> Self {
        let prepared = TestEnvironment::prepare_with(async |node| ExtraConfig {
            chain: nodes(&[&web_socket(node)]),
            verified_pool: "settlement = \"price\"\n".to_owned(),
            pool: format!("reserves = \"chain\"\nsingle_use = true\nacceptance_window_seconds = 60\n{NO_LIMITS}"),
            tables: shared(store),
        })
        .await;
        let config = prepared.config.clone();
        let other_services = vec![Service::start(&config), Service::start(&config)];
        let replicas = Self { world: prepared.start(), other_services, config };
        for endpoint in replicas.endpoints() {
            until("every replica quotes", async || quote(&endpoint, &replicas.world, 0).await.map(drop)).await;
        }
        replicas
    }

    fn endpoints(&self) -> Vec<Endpoint> {
        let services = std::iter::once(&self.world.service).chain(&self.other_services);
        services.map(|service| service.public().clone()).collect()
    }

    /// Starts all takers, each at its replica, for the quotes of one round.
    fn start_takers(&self, round: u64) -> Takers {
        let mut takers = JoinSet::new();
        let endpoints = self.endpoints();
        for taker in 0..TAKERS {
            let replica = usize::try_from(taker).expect("small") % endpoints.len();
            let (endpoint, terms) = (endpoints[replica].clone(), Terms::new(&self.world));
            takers.spawn(async move {
                let (mut signed, mut refused) = (Vec::new(), 0);
                for number in 0..QUOTES {
                    match terms.sign(&endpoint, (round * TAKERS + taker) * QUOTES + number).await {
                        Ok(swap) => signed.push(swap),
                        Err(_) => refused += 1,
                    }
                    sleep(Duration::from_millis(20)).await;
                }
                (replica, signed, refused)
            });
        }
        takers
    }
}

/// Returns direction and size of a request.
fn request(number: u64) -> (SwapRoute, String) {
    let route = [SELL, BUY, STABLE][usize::try_from(number % 3).expect("small")];
    // From one to about 200 dollars, so that most of them are sound together.
    let dollars = 1 + number * 37 % 200;
    let units = match route.tokens.0 {
        0 => U256::from(dollars) * U256::from(10).pow(U256::from(18)) / U256::from(2_080),
        _ => U256::from(dollars) * U256::from(1_000_000),
    };
    (route, format!("{}&input_amount={units}&time_in_seconds=600", symbols(route)))
}

async fn quote(endpoint: &Endpoint, world: &TestEnvironment, number: u64) -> Result<Value, String> {
    let (_, query) = request(number);
    let path = format!("/rfq/v2/quote/{CHAIN_ID}?{query}&pool_address={}", world.verified);
    let answer = endpoint.get(&path).await.map_err(|error| error.to_string())?;
    if answer.status == 200 { Ok(answer.body) } else { Err(answer.text) }
}

/// The parts of the environment that a taker needs.
#[derive(Clone)]
struct Terms {
    pools: [Address; 2],
    wallet: Address,
}

impl Terms {
    fn new(world: &TestEnvironment) -> Self {
        Self { pools: [world.plain, world.verified], wallet: world.wallet }
    }

    async fn sign(&self, endpoint: &Endpoint, number: u64) -> Result<(SwapRoute, Signed), String> {
        let (route, query) = request(number);
        let pool = self.pools[usize::from(number.is_multiple_of(2))];
        let path = format!("/rfq/v2/quote/{CHAIN_ID}?{query}&pool_address={pool}");
        let parsed = async |answer: Result<firmquote_e2e::endpoint::Response, _>| {
            let answer = answer.map_err(|error: reqwest::Error| error.to_string())?;
            if answer.status == 200 { Ok(answer.body) } else { Err(answer.text) }
        };
        let quote: Value = parsed(endpoint.get(&path).await).await?;
        let body = json!({
            "quote_id": quote["id"],
            "destination_address": destination(number).to_string(),
            "sender_address": self.wallet.to_string(),
            "calldata": true,
            "transmit": true,
        });
        let signed: Value = parsed(endpoint.post("/rfq/v2/sign", &body).await).await?;
        let quote_id = quote["id"].as_str().expect("an id").to_owned();
        assert_eq!(signed["execution"], "guaranteed", "{signed}");
        Ok((route, Signed { quote_id, ..Signed::from_response(&signed) }))
    }
}

/// Collects the results of all takers, and prints the number of signatures and refusals of each replica.
async fn collect(mut takers: Takers) -> Vec<(SwapRoute, Signed)> {
    let (mut signatures, mut by_replica) = (Vec::new(), [(0, 0); 3]);
    while let Some(taker) = takers.join_next().await {
        let (replica, signed, refused) = taker.expect("a taker that does not panic");
        by_replica[replica].0 += signed.len();
        by_replica[replica].1 += refused;
        signatures.extend(signed);
    }
    println!("signed and refused by replica: {by_replica:?}");
    signatures
}

/// Returns the state of a quote once all replicas agree on it.
async fn state(endpoints: &[Endpoint], quote_id: &str, expected: &str) {
    for endpoint in endpoints {
        until("every replica knows the outcome of a swap", async || {
            let answer = endpoint.get(&format!("/rfq/v2/quote-status/{quote_id}")).await;
            let body = answer.map_err(|error| error.to_string())?.body;
            if body["state"] == expected { Ok(()) } else { Err(format!("{body} is not {expected}")) }
        })
        .await;
    }
}

/// Executes every other swap in random order, reorganizes the latest blocks, and compares service and chain.
async fn settle(replicas: &Replicas, mut signed: Vec<(SwapRoute, Signed)>) {
    let (world, endpoints) = (&replicas.world, replicas.endpoints());
    signed.sort_by_key(|(_, signed)| signed.destination.into_word().0.iter().rev().copied().collect::<Vec<u8>>());
    let (executed, rest) = signed.split_at(signed.len() / 2);
    // All inputs are provided before the first swap.
    for (route, swap) in executed {
        world.provide(world.token(route.tokens.0), world.wallet, swap.input).await;
    }
    let mut blocks = Vec::new();
    for (route, swap) in executed {
        world.prepare(*route, swap).await;
        world.execute(&world.transaction(*route, swap)).await;
        blocks.push(world.node.newest().await.0);
    }
    for (_, swap) in executed {
        state(&endpoints, &swap.quote_id, "settled").await;
    }
    for (_, swap) in rest {
        state(&endpoints, &swap.quote_id, "signed").await;
    }
    let newest = world.node.newest().await.0;
    world.node.reorganise(DROPPED).await;
    let (confirmed, dropped): (Vec<_>, Vec<_>) =
        executed.iter().zip(&blocks).partition(|(_, block)| **block <= newest - DROPPED);
    assert!(!dropped.is_empty() && !confirmed.is_empty(), "no swap was dropped, or none remained");
    for ((_, swap), _) in dropped {
        state(&endpoints, &swap.quote_id, "signed").await;
    }
    for ((_, swap), _) in confirmed {
        state(&endpoints, &swap.quote_id, "settled").await;
    }
    for service in std::iter::once(&world.service).chain(&replicas.other_services) {
        for pool in [world.plain, world.verified] {
            let counted =
                service.metric(&format!("firmquote_unmatched_swaps_total{{pool=\"{CHAIN_ID}:{pool}\"}}")).await;
            assert_eq!(counted.to_bits(), 0.0_f64.to_bits(), "an event has no signature");
        }
    }
}

/// Asserts that every released signature is in the ledger once. Entries of lost responses are allowed.
fn check_ledger(redis: &Server, signed: &[(SwapRoute, Signed)]) {
    let ids: HashSet<&str> = signed.iter().map(|(_, signed)| signed.quote_id.as_str()).collect();
    assert_eq!(ids.len(), signed.len(), "a quote was signed twice");
    let entries = redis.command(&["XRANGE", "firmquote:signed", "-", "+"]);
    let lines = entries.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let recorded: Vec<String> = lines
        .filter(|entry| entry["event"] == "signed")
        .map(|entry| entry["quote_id"].as_str().expect("an id").to_owned())
        .collect();
    for id in ids {
        assert_eq!(recorded.iter().filter(|recorded| *recorded == id).count(), 1, "{id}");
    }
}

/// Requests the signature of one swap from every replica, as soon as it signs.
async fn sign_everywhere(replicas: &Replicas, round: u64) -> Vec<(SwapRoute, Signed)> {
    let terms = Terms::new(&replicas.world);
    let mut signed = Vec::new();
    for (endpoint, number) in replicas.endpoints().iter().zip(round * TAKERS * QUOTES..) {
        signed.push(until("every replica signs", async || terms.sign(endpoint, number).await).await);
    }
    signed
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_of_three_replicas_on_one_redis_execute_whatever_is_killed() {
    let mut redis = Server::start(Options { append_only: true, ..Options::default() });
    let mut replicas = Replicas::start(&SharedStore::from_server(&redis)).await;
    let mut signed = collect(replicas.start_takers(0)).await;
    let takers = replicas.start_takers(1);
    sleep(Duration::from_millis(60)).await;
    redis.kill();
    redis.restart();
    signed.extend(collect(takers).await);
    signed.extend(sign_everywhere(&replicas, 2).await);
    let takers = replicas.start_takers(3);
    sleep(Duration::from_millis(60)).await;
    replicas.other_services[1].kill();
    replicas.other_services[1] = Service::start(&replicas.config);
    signed.extend(collect(takers).await);
    signed.extend(sign_everywhere(&replicas, 4).await);
    replicas.world.node.set_suspended(true);
    sleep(Duration::from_secs(2)).await;
    replicas.world.node.set_suspended(false);
    check_ledger(&redis, &signed);
    settle(&replicas, signed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_of_three_replicas_on_sentinels_execute_after_a_failover() {
    let mut sentinels = Sentinels::start(Options::default());
    let store = SharedStore { wait_replicas: 1, ..SharedStore::from_sentinels(&sentinels) };
    let replicas = Replicas::start(&store).await;
    let mut signed = collect(replicas.start_takers(0)).await;
    let takers = replicas.start_takers(1);
    sleep(Duration::from_millis(60)).await;
    sentinels.kill_master();
    sentinels.wait_for_failover();
    signed.extend(collect(takers).await);
    signed.extend(sign_everywhere(&replicas, 2).await);
    signed.extend(collect(replicas.start_takers(3)).await);
    check_ledger(sentinels.master(), &signed);
    settle(&replicas, signed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_of_three_replicas_on_a_cluster_execute() {
    let cluster = Cluster::start(0, Options::default());
    let replicas = Replicas::start(&SharedStore::from_cluster(&cluster)).await;
    let signed = collect(replicas.start_takers(0)).await;
    check_ledger(&cluster.nodes()[cluster.master_of_key("firmquote:signed")], &signed);
    settle(&replicas, signed).await;
}
