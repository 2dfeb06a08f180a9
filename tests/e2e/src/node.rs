//! A chain node of its own for every test (anvil), and the JSON-RPC calls that the tests make.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a node that does not answer is a failed test"
)]

use std::process::Command;

use alloy_sol_types::{SolCall, private::Bytes};
use firmquote_domain::{Address, B256, U256};
use firmquote_test_servers::Process;
use reqwest::Client;
use serde_json::{Value, json};

use crate::{artifact::installed, evm::CHAIN_ID, transaction::Transaction};

/// More than any test transaction needs.
const GAS_LIMIT: u64 = 10_000_000;

/// A node that mines every transaction at once. Its process ends with this value.
pub struct Node {
    client: Client,
    url: String,
    process: Process,
}

/// What came of a mined transaction.
#[derive(Debug)]
pub struct Receipt {
    /// Whether it ran to its end.
    pub is_executed: bool,
    /// Wei that the sender paid for gas.
    pub gas_cost: U256,
    /// Time of its block.
    pub unix_seconds: u64,
    /// Emitter, topics and data of each log.
    pub logs: Vec<(Address, Vec<B256>, Bytes)>,
}

impl Node {
    /// Starts a node on a free port.
    ///
    /// # Panics
    /// With the command that installs it, if it is not there.
    pub fn start() -> Self {
        let mut command = Command::new(installed(".bin/anvil"));
        let chain_id = CHAIN_ID.to_string();
        command.args(["--port", "0", "--chain-id", &chain_id, "--hardfork", "prague", "--balance", "1000000"]);
        let mut process = Process::start(command);
        let line = process.wait_for("Listening on ");
        let address = line.trim().trim_start_matches("Listening on ");
        let client = Client::builder().no_proxy().build().expect("a client without TLS");
        Self { client, url: format!("http://{address}"), process }
    }

    /// Where it is asked, over HTTP; the same address takes WebSockets.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Keeps it from running, as a machine that hangs, or has it go on.
    pub fn set_suspended(&mut self, is_suspended: bool) {
        if is_suspended { self.process.suspend() } else { self.process.resume() }
    }

    /// Number and time, in Unix seconds, of the newest block.
    pub async fn newest(&self) -> (u64, u64) {
        let block = self.ask_node("eth_getBlockByNumber", json!(["latest", false])).await;
        (number(&block["number"]).to(), number(&block["timestamp"]).to())
    }

    /// Mines so many blocks with nothing in them.
    pub async fn mine(&self, blocks: u64) {
        self.ask_node("anvil_mine", json!([format!("{blocks:#x}")])).await;
    }

    /// Puts as many other blocks, with nothing in them, in the place of the newest ones.
    pub async fn reorganise(&self, blocks: u64) {
        self.ask_node("anvil_reorg", json!([blocks, []])).await;
    }

    /// Accounts that the node signs for.
    pub async fn accounts(&self) -> Vec<Address> {
        let accounts = self.ask_node("eth_accounts", json!([])).await;
        accounts.as_array().expect("a list").iter().map(parsed).collect()
    }

    /// How many transactions `account` has sent.
    pub async fn nonce(&self, account: Address) -> u64 {
        let nonce = self.ask_node("eth_getTransactionCount", json!([account.to_string(), "latest"])).await;
        number(&nonce).to()
    }

    /// Native coin of `account`, in wei.
    pub async fn native_balance(&self, account: Address) -> U256 {
        number(&self.ask_node("eth_getBalance", json!([account.to_string(), "latest"])).await)
    }

    /// Sends a transaction of one of the node's accounts and waits until it is mined, reverted or not.
    pub async fn send(&self, transaction: &Transaction) -> Receipt {
        let receipt = self.ask_node("eth_sendTransactionSync", json!([request(transaction)])).await;
        let field = |name: &str| receipt.get(name).unwrap_or_else(|| panic!("no {name} in {receipt}"));
        let log = |log: &Value| {
            let topics = log["topics"].as_array().expect("a list").iter().map(parsed).collect();
            (parsed(&log["address"]), topics, parsed(&log["data"]))
        };
        Receipt {
            is_executed: number(field("status")) == U256::ONE,
            gas_cost: number(field("gasUsed")) * number(field("effectiveGasPrice")),
            unix_seconds: number(field("blockTimestamp")).to(),
            logs: field("logs").as_array().expect("a list").iter().map(log).collect(),
        }
    }

    /// The revert data of a transaction on top of the latest block.
    ///
    /// # Panics
    /// If it would execute.
    pub async fn reason(&self, transaction: &Transaction) -> Bytes {
        match self.call("eth_call", json!([request(transaction), "latest"])).await {
            Err(error) => parsed(&error["data"]),
            Ok(answer) => panic!("it would execute: {answer}"),
        }
    }

    /// The answer of a contract to `call`.
    pub async fn ask<C: SolCall>(&self, contract: Address, call: &C) -> C::Return {
        let answer = self.read(&Transaction::calling(Address::ZERO, contract, call)).await;
        C::abi_decode_returns(&answer).expect("the declared return type")
    }

    /// What a contract returns to a transaction that is not sent.
    pub async fn read(&self, question: &Transaction) -> Bytes {
        parsed(&self.ask_node("eth_call", json!([request(question), "latest"])).await)
    }

    /// Sets the time of the next block.
    pub async fn set_next_time(&self, unix_seconds: u64) {
        self.ask_node("evm_setNextBlockTimestamp", json!([unix_seconds])).await;
    }

    async fn ask_node(&self, method: &str, params: Value) -> Value {
        self.call(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    async fn call(&self, method: &str, params: Value) -> Result<Value, Value> {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = self.client.post(&self.url).json(&body).send().await.expect("the node answers");
        let mut answer: Value = answer.json().await.expect("the node answers in JSON");
        match answer.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(answer["result"].take()),
        }
    }
}

fn request(transaction: &Transaction) -> Value {
    let mut request = json!({
        "from": transaction.from.to_string(),
        "value": format!("{:#x}", transaction.value),
        "gas": format!("{GAS_LIMIT:#x}"),
        "data": Bytes::from(transaction.data.clone()).to_string(),
    });
    if let Some(to) = transaction.to {
        request["to"] = json!(to.to_string());
    }
    request
}

/// A value that the node writes as a hex text.
fn parsed<T: std::str::FromStr>(value: &Value) -> T {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is of another kind"))
}

/// A number, which the node writes as a hex text or as it is.
fn number(value: &Value) -> U256 {
    value.as_u64().map_or_else(|| parsed(value), U256::from)
}
