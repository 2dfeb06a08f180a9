//! A real chain node (anvil), and what the tests ask it to do.

use std::{path::Path, process::Command};

use alloy_primitives::hex;
use alloy_sol_types::SolCall;
use firmquote_domain::{Address, ChainId, Timestamp};
use firmquote_test_servers::Process;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

pub(crate) const CHAIN_ID: u64 = 31_337;

/// The time of the first block: no test waits for the time of day.
const START: u32 = 1_800_000_000;

/// A node that mines every transaction at once. Its process ends with this value.
pub(crate) struct Anvil {
    address: String,
    pub(crate) owner: Address,
    _process: Process,
}

impl Anvil {
    /// Starts one on a free port.
    pub(crate) async fn start() -> Self {
        const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/e2e/contracts/node_modules/.bin/anvil");
        assert!(Path::new(PROGRAM).exists(), "anvil is not installed, run: npm ci --prefix tests/e2e/contracts");
        let mut command = Command::new(PROGRAM);
        let (chain, start) = (CHAIN_ID.to_string(), START.to_string());
        command.args(["--port", "0", "--chain-id", &chain, "--hardfork", "prague", "--timestamp", &start]);
        let mut process = Process::start(command);
        let line = process.wait_for("Listening on ");
        let address = line.trim().trim_start_matches("Listening on ").to_owned();
        let mut anvil = Self { address, owner: Address::ZERO, _process: process };
        anvil.owner = anvil.ask("eth_accounts", json!([])).await[0].as_str().unwrap().parse().unwrap();
        anvil
    }

    pub(crate) fn chain_id() -> ChainId {
        ChainId::new(CHAIN_ID).unwrap()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Number and time of the newest block.
    pub(crate) async fn newest(&self) -> (u64, Timestamp) {
        let block = self.ask("eth_getBlockByNumber", json!(["latest", false])).await;
        let number =
            |name: &str| u64::from_str_radix(block[name].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
        (number("number"), Timestamp::from_micros(number("timestamp") * 1_000_000))
    }

    /// Creates a contract and returns where it is.
    pub(crate) async fn create(&self, code: &[u8]) -> Address {
        let receipt = self.send(json!({"from": self.owner.to_string(), "data": hex::encode_prefixed(code)})).await;
        receipt["contractAddress"].as_str().unwrap().parse().unwrap()
    }

    /// Calls a function of a contract in a transaction of its own.
    pub(crate) async fn call<C: SolCall>(&self, contract: Address, call: &C) {
        let data = hex::encode_prefixed(call.abi_encode());
        self.send(json!({"from": self.owner.to_string(), "to": contract.to_string(), "data": data})).await;
    }

    async fn send(&self, transaction: Value) -> Value {
        let receipt = self.ask("eth_sendTransactionSync", json!([transaction])).await;
        assert_eq!(receipt["status"], "0x1", "{receipt}");
        receipt
    }

    /// The answer to any call.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut answer: Value = serde_json::from_str(body).unwrap();
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }
}
