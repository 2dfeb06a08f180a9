//! Three replicas with one store and one chain node, and takers that sign at once for both pools.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    configuration::{ExtraConfig, NO_LIMITS, shared},
    endpoint::{Endpoint, Response},
    evm::CHAIN_ID,
    load::destination,
    replicas::SharedStore,
    service::Service,
    world::{Signed, SwapRoute, TestEnvironment, symbols},
};
use serde_json::{Value, json};
use tokio::{sync::Barrier, task::JoinSet, time::sleep};

use crate::live::setup::{BUY, SELL, STABLE, nodes, until, web_socket};

/// Number of concurrent takers.
const TAKERS: u64 = 64;
/// Number of quotes per taker and round. All takers have their first quote before any of them signs.
const QUOTES: u64 = 4;

/// A signed swap and its route.
pub(super) type RoutedSwap = (SwapRoute, Signed);

/// The environment of the first replica, the other replicas, and their common configuration.
pub(super) struct Replicas {
    pub(super) world: TestEnvironment,
    pub(super) other_services: Vec<Service>,
    pub(super) config: String,
}

/// The takers of a round, and how many signatures they have so far.
pub(super) struct Takers {
    tasks: JoinSet<TakerResult>,
    signatures: Arc<AtomicUsize>,
}

#[derive(Default)]
struct TakerResult {
    replica: usize,
    signed: Vec<RoutedSwap>,
    refused: usize,
    unsound: usize,
}

/// What the takers of a round have signed, and how many swaps were refused because they were unsound with others.
pub(super) struct Round {
    pub(super) signed: Vec<RoutedSwap>,
    pub(super) unsound: usize,
}

impl Replicas {
    pub(super) async fn start(store: &SharedStore) -> Self {
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
        let terms = Terms::new(&replicas.world);
        for endpoint in replicas.endpoints() {
            until("every replica quotes", async || terms.quote(&endpoint, 0).await.map(drop)).await;
        }
        replicas
    }

    pub(super) fn services(&self) -> impl Iterator<Item = &Service> {
        std::iter::once(&self.world.service).chain(&self.other_services)
    }

    pub(super) fn endpoints(&self) -> Vec<Endpoint> {
        self.services().map(|service| service.public().clone()).collect()
    }

    /// Kills the last replica (SIGKILL), and starts another in its place.
    pub(super) fn replace_last(&mut self) {
        let last = self.other_services.last_mut().expect("a replica");
        last.kill();
        *last = Service::start(&self.config);
    }

    /// Suspends the chain node for longer than a request to it may take.
    pub(super) async fn hang_chain(&mut self) {
        self.world.node.set_suspended(true);
        sleep(Duration::from_secs(2)).await;
        self.world.node.set_suspended(false);
    }

    /// Starts all takers, each at its replica.
    pub(super) fn start_takers(&self, round: u64) -> Takers {
        let (signatures, barrier) =
            (Arc::new(AtomicUsize::new(0)), Arc::new(Barrier::new(usize::try_from(TAKERS).expect("small"))));
        let endpoints = self.endpoints();
        let taker = |taker: u64| {
            let replica = usize::try_from(taker).expect("small") % endpoints.len();
            let (endpoint, terms) = (endpoints[replica].clone(), Terms::new(&self.world));
            let (signatures, barrier) = (Arc::clone(&signatures), Arc::clone(&barrier));
            async move {
                let mut result = TakerResult { replica, ..TakerResult::default() };
                let first = (round * TAKERS + taker) * QUOTES;
                let mut quote = terms.quote(&endpoint, first).await;
                barrier.wait().await;
                for number in first..first + QUOTES {
                    if number > first {
                        quote = terms.quote(&endpoint, number).await;
                    }
                    let signed = match &quote {
                        Ok(quote) => terms.sign(&endpoint, quote, number).await,
                        Err(error) => Err(error.clone()),
                    };
                    match signed {
                        Ok(swap) => {
                            signatures.fetch_add(1, Ordering::Relaxed);
                            result.signed.push(swap);
                        }
                        Err(error) => {
                            result.refused += 1;
                            result.unsound += usize::from(error.contains(r#""reason":"outstanding""#));
                        }
                    }
                }
                result
            }
        };
        let tasks = (0..TAKERS).map(taker).collect();
        Takers { tasks, signatures }
    }

    /// Requests the signature of one swap from every replica, as soon as it signs.
    pub(super) async fn sign_everywhere(&self, round: u64) -> Vec<RoutedSwap> {
        let terms = Terms::new(&self.world);
        let mut signed = Vec::new();
        for (endpoint, number) in self.endpoints().iter().zip(round * TAKERS * QUOTES..) {
            let attempt = async || terms.sign(endpoint, &terms.quote(endpoint, number).await?, number).await;
            signed.push(until("every replica signs", attempt).await);
        }
        signed
    }
}

impl Takers {
    /// Waits until the takers have some signatures, and most of them have none.
    pub(super) async fn wait_until_under_way(&self) {
        until("some swaps are signed", async || {
            if self.signatures.load(Ordering::Relaxed) >= 8 { Ok(()) } else { Err("too few".to_owned()) }
        })
        .await;
    }

    /// Waits for all takers, and prints the number of signatures and refusals of each replica.
    pub(super) async fn finish(mut self) -> Round {
        let (mut round, mut by_replica) = (Round { signed: Vec::new(), unsound: 0 }, [(0, 0); 3]);
        while let Some(taker) = self.tasks.join_next().await {
            let TakerResult { replica, signed, refused, unsound } = taker.expect("a taker that does not panic");
            by_replica[replica].0 += signed.len();
            by_replica[replica].1 += refused;
            round.signed.extend(signed);
            round.unsound += unsound;
        }
        println!("signed and refused by replica: {by_replica:?}, {} unsound with others", round.unsound);
        round
    }
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

    async fn quote(&self, endpoint: &Endpoint, number: u64) -> Result<Value, String> {
        let route = route(number);
        // From 500 to 1,500 dollars: about four of them at one price use up the least share of the fee.
        let dollars = 500 + number * 37 % 1_000;
        let units = match route.tokens.0 {
            0 => U256::from(dollars) * U256::from(10).pow(U256::from(18)) / U256::from(2_080),
            _ => U256::from(dollars) * U256::from(1_000_000),
        };
        let pool = self.pools[usize::from((number / QUOTES).is_multiple_of(2))];
        let query = format!("{}&input_amount={units}&time_in_seconds=600&pool_address={pool}", symbols(route));
        parsed(endpoint.get(&format!("/rfq/v2/quote/{CHAIN_ID}?{query}")).await)
    }

    async fn sign(&self, endpoint: &Endpoint, quote: &Value, number: u64) -> Result<RoutedSwap, String> {
        let body = json!({
            "quote_id": quote["id"],
            "destination_address": destination(number).to_string(),
            "sender_address": self.wallet.to_string(),
            "calldata": true,
            "transmit": true,
        });
        let signed: Value = parsed(endpoint.post("/rfq/v2/sign", &body).await)?;
        assert_eq!(signed["execution"], "guaranteed", "{signed}");
        let quote_id = quote["id"].as_str().expect("an id").to_owned();
        Ok((route(number), Signed { quote_id, ..Signed::from_response(&signed) }))
    }
}

/// Returns the direction of a request.
fn route(number: u64) -> SwapRoute {
    [SELL, BUY, STABLE][usize::try_from(number % 3).expect("small")]
}

fn parsed(response: Result<Response, reqwest::Error>) -> Result<Value, String> {
    let response = response.map_err(|error| error.to_string())?;
    if response.status == 200 { Ok(response.body) } else { Err(response.text) }
}
