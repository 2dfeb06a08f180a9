//! The example hedger keeps a pool on a real chain hedged through reorganizations and kills: of itself, of replicas, and of
//! their Redis.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use firmquote_domain::{Address, Decimals, U256, WholeTokens};
use firmquote_e2e::{
    configuration::{ExtraConfig, NO_LIMITS, shared},
    demo::ETH,
    draw::generator,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256},
    evm::CHAIN_ID,
    replicas::SharedStore,
    service::{LEDGER, Service},
    world::{Signed, SwapRoute, TestEnvironment, symbols},
};
use firmquote_store::hedge_of_line;
use firmquote_test_servers::{
    Process,
    redis::{Options, Server},
};
use rand::RngExt as _;
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::live::setup::{BUY, SELL, nodes, until, web_socket};

/// Rounds of swaps, of which some are reorganized, and some end with a kill. `FIRMQUOTE_HEDGER_ROUNDS` sets another number.
const ROUNDS: u64 = 6;
/// The blocks that a reorganization replaces, fewer than the hedger waits for.
const REORGANIZED: u64 = 3;
/// A lot in base units of ETH.
const LOT: u64 = 100_000_000_000_000_000;

/// So short that a pool soon signs again whose book was lost with a replica and Redis.
const SHORT_LIFE: &str = "acceptance_window_seconds = 5\ndefault_time_in_seconds = 10\nmax_time_in_seconds = 10\n";

/// The service that the hedger follows.
struct Deployment {
    world: TestEnvironment,
    /// The replicas besides that of the world.
    others: Vec<Service>,
    /// The store of all replicas; a single one has a ledger file.
    redis: Option<Server>,
    config: String,
}

impl Deployment {
    /// Starts one replica with a ledger file.
    async fn of_one_replica() -> Self {
        Self::start(None, 1, &format!("[store]\nledger_file = \"{LEDGER}\"\n")).await
    }

    /// Starts three replicas over one Redis that syncs its file every second.
    async fn of_three_replicas() -> Self {
        let options = Options { append_only: true, ..Options::default() };
        let redis = Server::start(options.with("appendfsync", "everysec"));
        let store = shared(&SharedStore::from_server(&redis));
        Self::start(Some(redis), 3, &store).await
    }

    async fn start(redis: Option<Server>, replicas: usize, store: &str) -> Self {
        let operator = format!(
            "[[operator]]\nname = \"hedger\"\nroles = [\"viewer\", \"hedger\"]\ntoken_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"
        );
        let mut prepared = TestEnvironment::prepare_with(async |node| ExtraConfig {
            chain: nodes(&[&web_socket(node)]),
            verified_pool: format!("settlement = \"price\"\nconfirmations = {}\n", REORGANIZED + 1),
            pool: format!("reserves = \"chain\"\nsingle_use = true\n{SHORT_LIFE}{NO_LIMITS}"),
            tables: [store, &operator].concat(),
        })
        .await;
        prepared.config = prepared.config.replace("max_time_in_seconds = 600\n", "");
        let config = prepared.config.clone();
        let others = (1..replicas).map(|_| Service::start(&config)).collect();
        Self { world: prepared.start(), others, redis, config }
    }

    fn admins(&self) -> Vec<String> {
        let services = std::iter::once(&self.world.service).chain(&self.others);
        services.map(|service| service.admin().base().to_owned()).collect()
    }

    /// Kills a replica (SIGKILL), and starts it again; without Redis, with its files.
    fn restart_replica(self, position: usize) -> Self {
        let Self { mut world, mut others, redis, config } = self;
        match position.checked_sub(1).map(|other| &mut others[other]) {
            None if redis.is_none() => world.service = world.service.restart(),
            None => {
                world.service.kill();
                world.service = Service::start(&config);
            }
            Some(other) => {
                other.kill();
                *other = Service::start(&config);
            }
        }
        Self { world, others, redis, config }
    }

    /// Returns the lines of the operator's stream.
    fn operator_lines(&self) -> String {
        match &self.redis {
            Some(redis) => redis.command(&["XRANGE", "firmquote:operator", "-", "+"]),
            None => self.world.service.read_file("operator.jsonl"),
        }
    }

    /// Waits until every replica signs.
    async fn until_all_sign(&self) {
        for service in std::iter::once(&self.world.service).chain(&self.others) {
            self.sign(service, SELL, "input_amount=1000000000000000", self.world.wallet).await;
        }
    }

    /// Has a swap signed, as soon as the replica does.
    async fn sign(&self, replica: &Service, route: SwapRoute, amount: &str, recipient: Address) -> Signed {
        let Self { world, .. } = self;
        let terms =
            format!("destination_address={recipient}&sender_address={}&calldata=true&transmit=true", world.wallet);
        let query = format!("{}&{amount}&pool_address={}&{terms}", symbols(route), world.verified);
        let path = format!("/rfq/v2/quote-sign/{CHAIN_ID}");
        until("a swap is signed", async || match replica.get(&path, &query).await {
            answer if answer.status == 200 => Ok(Signed::from_response(&answer.body)),
            answer => {
                // A lost book is complete again at a block after the last of its swaps.
                sleep(Duration::from_secs(1)).await;
                world.node.mine(1).await;
                Err(answer.text)
            }
        })
        .await
    }

    /// Executes a swap.
    async fn swap(&self, route: SwapRoute, recipient: u64) {
        let Self { world, .. } = self;
        let amount =
            if route.tokens.0 == ETH { "input_amount=1300000000000000000" } else { "output_amount=900000000000000000" };
        let recipient = Address::from_word(U256::from(recipient + 1_000).into());
        let swap = self.sign(&world.service, route, amount, recipient).await;
        world.provide(world.token(route.tokens.0), world.wallet, swap.input).await;
        world.prepare(route, &swap).await;
        world.execute(&world.transaction(route, &swap)).await;
    }

    /// Returns what the pool holds of ETH beyond `target`, in base units.
    async fn excess(&self, target: U256) -> i128 {
        let book = self.world.node.book(self.world.verified, self.world.token(ETH)).await;
        i128::try_from(book).unwrap() - i128::try_from(target).unwrap()
    }
}

struct Hedger {
    directory: TempDir,
    process: Option<Process>,
    target: String,
    /// The admin listeners that it has been started with.
    admins: Vec<String>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Hedger {
    /// Starts it for a target in base units.
    fn start(deployment: &Deployment, target: U256) -> Self {
        let target = WholeTokens(target, Decimals::new(18).unwrap()).to_string();
        let mut hedger = Self { directory: tempfile::tempdir().unwrap(), process: None, target, admins: Vec::new() };
        hedger.restart(deployment);
        hedger
    }

    fn orders_file(&self) -> PathBuf {
        self.directory.path().join("orders.jsonl")
    }

    /// Kills the hedger, and starts it again with its journal.
    fn restart(&mut self, deployment: &Deployment) {
        self.process = None;
        self.admins = deployment.admins();
        let config = format!(
            r#"
[service]
admin = ["http://127.0.0.1:1", "{}"]
[pool]
chain_id = {CHAIN_ID}
address = "{}"
[venue]
name = "mock_venue:MockVenue"
[[asset]]
symbol = "ETH"
market = "ETH/USDC"
target = "{}"
band = "0"
lot = "0.1"
"#,
            self.admins.join("\", \""),
            deployment.world.verified,
            self.target,
        );
        fs::write(self.directory.path().join("hedger.toml"), config).unwrap();
        let (example, mock) = (repository().join("examples/hedger"), repository().join("tests/e2e/hedger"));
        let mut command = Command::new("python3");
        command.arg(example.join("hedger.py")).args(["hedger.toml", "--live", "--journal", "journal"]);
        command.current_dir(self.directory.path()).env("PYTHONPATH", mock).env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("MOCK_VENUE_ORDERS", self.orders_file()).env("FIRMQUOTE_ADMIN_TOKEN", ADMIN_TOKEN);
        self.process = Some(Process::start(command));
    }

    /// Starts it again if the venue killed it, and if no replica has an address any more that it knows.
    fn keep_running(&mut self, deployment: &Deployment) {
        let current = deployment.admins();
        let is_running = self.process.as_ref().is_some_and(Process::is_running);
        if !is_running || !self.admins.iter().any(|admin| current.contains(admin)) {
            self.restart(deployment);
        }
    }

    /// The orders of the venue: their ids, and what they changed of ETH in hundredths.
    fn orders(&self) -> Vec<(String, i64)> {
        let text = fs::read_to_string(self.orders_file()).unwrap_or_default();
        let order = |line: &str| {
            let order: Value = serde_json::from_str(line).unwrap();
            let quantity: f64 = order["quantity"].as_str().unwrap().parse().unwrap();
            #[expect(clippy::cast_possible_truncation, reason = "a small number of lots")]
            let hundredths = (quantity * 100.0).round() as i64;
            (order["id"].as_str().unwrap().to_owned(), hundredths)
        };
        text.lines().map(order).collect()
    }
}

/// Lets swaps, reorganizations and kills follow each other, and checks after each round that the pool is hedged within
/// a lot, and at the end that each order was sent and reported once.
async fn drill(mut deployment: Deployment) {
    let world = &deployment.world;
    let target = world.node.book(world.verified, world.token(ETH)).await;
    let rounds = env::var("FIRMQUOTE_HEDGER_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let (mut hedger, mut draw) = (Hedger::start(&deployment, target), generator(rounds));
    for round in 0..rounds {
        deployment.swap(if draw.random_ratio(1, 2) { SELL } else { BUY }, round).await;
        if draw.random_ratio(1, 3) {
            deployment.world.node.mine(1).await;
            deployment.world.node.reorganise(REORGANIZED).await;
        }
        sleep(Duration::from_millis(draw.random_range(0..200))).await;
        match &mut deployment.redis {
            Some(redis) if draw.random_ratio(1, 4) => {
                redis.restart();
                // A replica that is killed before could not restore the book.
                deployment.until_all_sign().await;
            }
            _ if draw.random_ratio(1, 3) => {
                let position = draw.random_range(0..=deployment.others.len());
                deployment = deployment.restart_replica(position);
            }
            _ => {}
        }
        if draw.random_ratio(1, 2) {
            hedger.restart(&deployment);
        }
        deployment.world.node.mine(REORGANIZED + 2).await;
        until("the pool is hedged within a lot", async || {
            hedger.keep_running(&deployment);
            // Not every block is read; those that are need others behind them.
            deployment.world.node.mine(1).await;
            sleep(Duration::from_millis(100)).await;
            let hedged: i64 = hedger.orders().iter().map(|(_, hundredths)| hundredths).sum();
            let excess = deployment.excess(target).await + i128::from(hedged) * i128::from(LOT / 10);
            if excess.unsigned_abs() < u128::from(LOT) { Ok(()) } else { Err(format!("{excess} in round {round}")) }
        })
        .await;
    }
    let orders = hedger.orders();
    let ids: BTreeSet<&String> = orders.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), orders.len(), "each order once: {orders:?}");
    // The last fill may be reported only by the next process.
    hedger.restart(&deployment);
    until("every order is reported", async || {
        let entries = deployment.operator_lines();
        let hedges: Vec<_> = entries.lines().filter_map(|line| hedge_of_line(line.as_bytes())).collect();
        let reported: BTreeSet<String> = hedges.iter().map(|(hedge, _)| hedge.id.to_string()).collect();
        assert_eq!(reported.len(), hedges.len(), "each hedge once");
        let expected: BTreeSet<String> = ids.iter().map(|id| format!("mock-{id}")).collect();
        if reported == expected { Ok(()) } else { Err(format!("{reported:?} of {expected:?}")) }
    })
    .await;
}

#[tokio::test]
async fn the_hedge_is_what_the_pool_is_off_its_target_and_no_order_is_doubled() {
    drill(Deployment::of_one_replica().await).await;
}

#[tokio::test]
async fn the_hedge_follows_three_replicas_through_kills_of_each_and_of_redis() {
    drill(Deployment::of_three_replicas().await).await;
}

#[test]
fn the_tests_of_the_example_pass() {
    let mut command = Command::new("python3");
    command.args(["-m", "unittest"]).current_dir(repository().join("examples/hedger"));
    let ended = command.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}
