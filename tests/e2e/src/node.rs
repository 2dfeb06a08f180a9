//! A chain node (anvil) for each test, and the JSON-RPC calls that tests use.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a node that does not answer is a failed test"
)]

use std::process::Command;

use alloy_primitives::hex;
use alloy_sol_types::{
    SolCall,
    private::{Bytes, keccak256},
};
use firmquote_domain::{Address, B256, U256};
use firmquote_test_servers::Process;
use reqwest::Client;
use serde_json::{Value, json};

use crate::{artifact::installed, evm::CHAIN_ID, interface::FirmquotePool, transaction::Transaction};

/// Gas limit of every transaction, more than any test needs.
const GAS_LIMIT: u64 = 10_000_000;

/// A node that mines every transaction immediately. Killed on drop.
pub struct Node {
    client: Client,
    url: String,
    process: Process,
}

/// The receipt of a mined transaction.
#[derive(Debug)]
pub struct Receipt {
    /// Whether the transaction succeeded.
    pub is_executed: bool,
    /// Gas cost of the sender in wei.
    pub gas_cost: U256,
    /// Timestamp of the block.
    pub unix_seconds: u64,
    /// Address, topics and data of each log.
    pub logs: Vec<(Address, Vec<B256>, Bytes)>,
}

/// A log of the current chain.
#[derive(Debug)]
pub struct MinedLog {
    /// Hash of the transaction.
    pub transaction_hash: B256,
    /// Position in the block.
    pub log_index: u64,
    /// Number of the block.
    pub block_number: u64,
    /// The topics.
    pub topics: Vec<B256>,
    /// The data.
    pub data: Bytes,
}

impl Node {
    /// Starts a node on a free port.
    ///
    /// # Panics
    /// With the command that installs anvil, if it is missing.
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

    /// Returns the HTTP URL of the node; the same address accepts WebSocket connections.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Suspends the node, like a machine that hangs, or resumes it.
    pub fn set_suspended(&mut self, is_suspended: bool) {
        if is_suspended { self.process.suspend() } else { self.process.resume() }
    }

    /// Returns the number and timestamp (Unix seconds) of the latest block.
    pub async fn newest(&self) -> (u64, u64) {
        let block = self.ask_node("eth_getBlockByNumber", json!(["latest", false])).await;
        (number(&block["number"]).to(), number(&block["timestamp"]).to())
    }

    /// Mines this many empty blocks.
    pub async fn mine(&self, blocks: u64) {
        self.ask_node("anvil_mine", json!([format!("{blocks:#x}")])).await;
    }

    /// Reorganizes the chain: replaces the latest blocks with as many empty ones.
    pub async fn reorganise(&self, blocks: u64) {
        self.ask_node("anvil_reorg", json!([blocks, []])).await;
    }

    /// Returns all logs of `contract`, oldest first.
    pub async fn logs(&self, contract: Address) -> Vec<MinedLog> {
        let filter = json!([{"fromBlock": "0x0", "toBlock": "latest", "address": contract.to_string()}]);
        let logs = self.ask_node("eth_getLogs", filter).await;
        let log = |log: &Value| MinedLog {
            transaction_hash: parsed(&log["transactionHash"]),
            log_index: number(&log["logIndex"]).to(),
            block_number: number(&log["blockNumber"]).to(),
            topics: log["topics"].as_array().expect("a list").iter().map(parsed).collect(),
            data: parsed(&log["data"]),
        };
        logs.as_array().expect("a list").iter().map(log).collect()
    }

    /// Returns the accounts that the node signs for.
    pub async fn accounts(&self) -> Vec<Address> {
        let accounts = self.ask_node("eth_accounts", json!([])).await;
        accounts.as_array().expect("a list").iter().map(parsed).collect()
    }

    /// Returns the number of transactions that `account` has sent.
    pub async fn nonce(&self, account: Address) -> u64 {
        let nonce = self.ask_node("eth_getTransactionCount", json!([account.to_string(), "latest"])).await;
        number(&nonce).to()
    }

    /// Returns the balance of `account` in wei.
    pub async fn native_balance(&self, account: Address) -> U256 {
        number(&self.ask_node("eth_getBalance", json!([account.to_string(), "latest"])).await)
    }

    /// Sends a transaction from one of the node's accounts and waits until it is mined, reverted or not.
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

    /// Simulates a transaction on the latest block and returns its revert data.
    ///
    /// # Panics
    /// If the transaction would succeed.
    pub async fn reason(&self, transaction: &Transaction) -> Bytes {
        match self.call("eth_call", json!([request(transaction), "latest"])).await {
            Err(error) => parsed(&error["data"]),
            Ok(answer) => panic!("the transaction would succeed: {answer}"),
        }
    }

    /// Calls a contract on the latest block and decodes the result.
    pub async fn ask<C: SolCall>(&self, contract: Address, call: &C) -> C::Return {
        let answer = self.read(&Transaction::calling(Address::ZERO, contract, call)).await;
        C::abi_decode_returns(&answer).expect("the declared return type")
    }

    /// Simulates a transaction on the latest block and returns its return data.
    pub async fn read(&self, question: &Transaction) -> Bytes {
        parsed(&self.ask_node("eth_call", json!([request(question), "latest"])).await)
    }

    /// Sets the timestamp of the next block.
    pub async fn set_next_time(&self, unix_seconds: u64) {
        self.ask_node("evm_setNextBlockTimestamp", json!([unix_seconds])).await;
    }

    /// Removes a function from the code of `contract`: its selector becomes one that nobody calls.
    ///
    /// # Panics
    /// If the code has no such function.
    pub async fn remove_function<C: SolCall>(&self, contract: Address) {
        const PUSH4: u8 = 0x63;
        let code = self.ask_node("eth_getCode", json!([contract, "latest"])).await;
        let mut code: Vec<u8> = parsed::<Bytes>(&code).to_vec();
        let entry = [&[PUSH4], C::SELECTOR.as_slice()].concat();
        let at = code.windows(entry.len()).position(|window| window == entry).expect("a function of the contract");
        code[at + 1..at + entry.len()].fill(0xff);
        self.ask_node("anvil_setCode", json!([contract, Bytes::from(code)])).await;
    }

    /// Makes `C`, a swap of `contract`, revert without a reason unless its input was delivered, before it checks anything
    /// else: the code moves to another address, and code that delegates to it takes its place.
    pub async fn check_input_first<C: SolCall>(&self, contract: Address) {
        let code = self.ask_node("eth_getCode", json!([contract, "latest"])).await;
        let implementation = Address::from_word(keccak256(contract));
        self.ask_node("anvil_setCode", json!([implementation, code])).await;
        let code = [
            // if (selector == C && IERC20(inputToken).balanceOf(address(this)) < inputAmount) revert();
            &hex!("60003560e01c63")[..],
            &C::SELECTOR,
            &hex!("1415603c576370a0823160e01b600052306004526020600060246000600435"),
            &hex!("5afa506044356000511015603c57600080fd"),
            // return implementation.delegatecall(msg.data);
            &hex!("5b3660006000376000600036600073"),
            implementation.as_slice(),
            &hex!("5af43d600060003e606e573d6000fd5b3d6000f3"),
        ]
        .concat();
        self.ask_node("anvil_setCode", json!([contract, Bytes::from(code)])).await;
    }

    /// Makes `contract` forget that it has executed the digest in `reason`, with which it has refused a signature: the
    /// entry of its mapping, in whichever slot that is, becomes zero.
    pub async fn forget_digest(&self, contract: Address, reason: &Bytes) {
        // An error with the digest as its only argument.
        let digest = &reason[4..36];
        for slot in 0_u64..32 {
            let entry = keccak256([digest, &U256::from(slot).to_be_bytes::<32>()].concat());
            self.ask_node("anvil_setStorageAt", json!([contract, entry, B256::ZERO])).await;
        }
    }

    /// Returns the book of `token` in a pool, in base units.
    pub async fn book(&self, pool: Address, token: Address) -> U256 {
        let slot = self.book_slot(pool, token).await;
        self.storage(pool, slot).await
    }

    /// Adds base units to the book of `token` in a pool, as no function of the contract does.
    pub async fn add_to_book(&self, pool: Address, token: Address, amount: U256) {
        let book = self.book(pool, token).await;
        self.set_book(pool, token, book + amount).await;
    }

    /// Sets the book of `token` in a pool, as no function of the contract does.
    pub async fn set_book(&self, pool: Address, token: Address, amount: U256) {
        let slot = self.book_slot(pool, token).await;
        self.ask_node("anvil_setStorageAt", json!([pool, slot, B256::from(amount)])).await;
    }

    /// Returns the slot of the book of `token`: of the entries of mappings by token, the only one that is the balance.
    async fn book_slot(&self, pool: Address, token: Address) -> B256 {
        let balances = self.ask(pool, &FirmquotePool::allTokensBalanceCall {}).await;
        let at = balances.tokens.iter().position(|listed| *listed == token).expect("a token of the pool");
        for position in 0_u64..32 {
            let key = [token.into_word().as_slice(), &U256::from(position).to_be_bytes::<32>()].concat();
            let slot = keccak256(key);
            if self.storage(pool, slot).await == balances.balances[at] {
                return slot;
            }
        }
        panic!("the contract has no book of {token}")
    }

    async fn storage(&self, contract: Address, slot: B256) -> U256 {
        parsed(&self.ask_node("eth_getStorageAt", json!([contract, slot, "latest"])).await)
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

/// Parses a value that the node encodes as a hex string.
fn parsed<T: std::str::FromStr>(value: &Value) -> T {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is of another kind"))
}

/// Parses a number that the node encodes as a hex string or a JSON number.
fn number(value: &Value) -> U256 {
    value.as_u64().map_or_else(|| parsed(value), U256::from)
}
