//! The example hedger keeps a pool on a real chain hedged through reorganizations and kills.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    demo::ETH,
    draw::generator,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256},
    evm::CHAIN_ID,
    world::{SwapRoute, TestEnvironment},
};
use firmquote_store::hedge_of_line;
use firmquote_test_servers::Process;
use rand::RngExt as _;
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::live::setup::{BUY, SELL, live_world_with_tables, until, until_quoted};

/// Rounds of swaps, of which some are reorganized, and some end with a kill. `FIRMQUOTE_HEDGER_ROUNDS` sets another number.
const ROUNDS: u64 = 6;
/// The blocks that a reorganization replaces, fewer than the hedger waits for.
const REORGANIZED: u64 = 3;
/// A lot in base units of ETH.
const LOT: u64 = 100_000_000_000_000_000;

struct Hedger {
    directory: TempDir,
    process: Option<Process>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Hedger {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap(), process: None }
    }

    fn orders_file(&self) -> PathBuf {
        self.directory.path().join("orders.jsonl")
    }

    /// Kills the hedger, and starts it again with its journal.
    fn restart(&mut self, world: &TestEnvironment, target: &str) {
        self.process = None;
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
target = "{target}"
band = "0"
lot = "0.1"
"#,
            world.service.admin().base(),
            world.verified,
        );
        fs::write(self.directory.path().join("hedger.toml"), config).unwrap();
        let (example, mock) = (repository().join("examples/hedger"), repository().join("tests/e2e/hedger"));
        let mut command = Command::new("python3");
        command.arg(example.join("hedger.py")).args(["hedger.toml", "--live", "--journal", "journal"]);
        command.current_dir(self.directory.path()).env("PYTHONPATH", mock).env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("MOCK_VENUE_ORDERS", self.orders_file()).env("FIRMQUOTE_ADMIN_TOKEN", ADMIN_TOKEN);
        self.process = Some(Process::start(command));
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

/// What the pool holds of ETH beyond `target`, in base units.
async fn excess(world: &TestEnvironment, target: U256) -> i128 {
    let book = world.node.book(world.verified, world.token(ETH)).await;
    i128::try_from(book).unwrap() - i128::try_from(target).unwrap()
}

async fn swap(world: &TestEnvironment, route: SwapRoute, recipient: u64) {
    let amount =
        if route.tokens.0 == ETH { "input_amount=1300000000000000000" } else { "output_amount=900000000000000000" };
    let recipient = Address::from_word(U256::from(recipient + 1_000).into());
    let swap = world.sign(world.verified, route, amount, recipient).await;
    world.provide(world.token(route.tokens.0), world.wallet, swap.input).await;
    world.prepare(route, &swap).await;
    world.execute(&world.transaction(route, &swap)).await;
}

#[tokio::test]
async fn the_hedge_is_what_the_pool_is_off_its_target_and_no_order_is_doubled() {
    let tables = format!(
        "[[operator]]\nname = \"hedger\"\nroles = [\"viewer\", \"hedger\"]\ntoken_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"
    );
    let pool = format!("settlement = \"price\"\nconfirmations = {}\n", REORGANIZED + 1);
    let (mut world, _feed) = live_world_with_tables(&pool, &tables).await;
    until_quoted(&world, SELL).await;
    let target = world.node.book(world.verified, world.token(ETH)).await;
    let whole_target = firmquote_domain::WholeTokens(target, firmquote_domain::Decimals::new(18).unwrap()).to_string();
    let rounds = env::var("FIRMQUOTE_HEDGER_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let (mut hedger, mut draw) = (Hedger::new(), generator(rounds));
    hedger.restart(&world, &whole_target);
    for round in 0..rounds {
        swap(&world, if draw.random_ratio(1, 2) { SELL } else { BUY }, round).await;
        if draw.random_ratio(1, 3) {
            world.node.mine(1).await;
            world.node.reorganise(REORGANIZED).await;
        }
        sleep(Duration::from_millis(draw.random_range(0..200))).await;
        if draw.random_ratio(1, 5) {
            world.service = world.service.restart();
            until_quoted(&world, SELL).await;
            hedger.restart(&world, &whole_target);
        } else if draw.random_ratio(1, 2) {
            hedger.restart(&world, &whole_target);
        }
        world.node.mine(REORGANIZED + 2).await;
        until("the pool is hedged within a lot", async || {
            if hedger.process.as_mut().is_none_or(|process| !process.is_running()) {
                // The venue killed it.
                hedger.restart(&world, &whole_target);
            }
            // Not every block is read; those that are need others behind them.
            world.node.mine(1).await;
            sleep(Duration::from_millis(100)).await;
            let hedged: i64 = hedger.orders().iter().map(|(_, hundredths)| hundredths).sum();
            let excess = excess(&world, target).await + i128::from(hedged) * i128::from(LOT / 10);
            if excess.unsigned_abs() < u128::from(LOT) { Ok(()) } else { Err(format!("{excess} in round {round}")) }
        })
        .await;
    }
    let orders = hedger.orders();
    let ids: BTreeSet<&String> = orders.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), orders.len(), "each order once: {orders:?}");
    // The last fill may be reported only by the next process.
    hedger.restart(&world, &whole_target);
    let operator = "operator.jsonl";
    until("every order is reported", async || {
        let entries = world.service.read_file(operator);
        let hedges: Vec<_> = entries.lines().filter_map(|line| hedge_of_line(line.as_bytes())).collect();
        let reported: BTreeSet<String> = hedges.iter().map(|(hedge, _)| hedge.id.to_string()).collect();
        assert_eq!(reported.len(), hedges.len(), "each hedge once");
        let expected: BTreeSet<String> = ids.iter().map(|id| format!("mock-{id}")).collect();
        if reported == expected { Ok(()) } else { Err(format!("{reported:?} of {expected:?}")) }
    })
    .await;
}

#[test]
fn the_tests_of_the_example_pass() {
    let mut command = Command::new("python3");
    command.args(["-m", "unittest"]).current_dir(repository().join("examples/hedger"));
    let ended = command.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}
