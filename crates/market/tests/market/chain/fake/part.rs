//! The scripted state of a fake node, and its responses.

use std::collections::HashMap;

use firmquote_domain::{Address, B256};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use super::{CHAIN_ID, contracts};

/// The time of every block, unless a test says otherwise.
pub(crate) const TIME: u64 = 1_800_000_000;

/// The name of the only subscription.
pub(super) const SUBSCRIPTION: &str = "0x9cef478923ff08bf67fde6c64013158d";

/// The most blocks that are announced at once.
const MAX_NEWS: usize = 1 << 12;

/// What a node answers.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Result(Value),
    /// An error of JSON-RPC, over HTTP with status 200.
    Error(i64, &'static str),
    /// These bytes, and then nothing: the connection stays open. Over a WebSocket one message.
    Raw(String),
    /// One message of bytes; over HTTP like `Raw`.
    Binary(Vec<u8>),
    /// Nothing: the connection stays open.
    Silence,
    /// Nothing: the connection is closed.
    Close,
    /// The right answer to another question.
    OtherId,
}

/// The newest block of a node: blocks up from `left` are those of the branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) number: u64,
    pub(crate) branch: u8,
    pub(crate) left: u64,
    pub(crate) time: u64,
}

impl Block {
    pub(crate) const fn at(number: u64) -> Self {
        Self { number, branch: 0, left: 0, time: TIME }
    }

    fn hash(self, number: u64) -> B256 {
        let mut hash = B256::with_last_byte(if number >= self.left { self.branch } else { 0 });
        hash[..8].copy_from_slice(&number.to_be_bytes());
        hash
    }

    /// The only event of the block at this height.
    fn event(self, number: u64) -> Value {
        json!({
            "blockNumber": format!("{number:#x}"),
            "blockHash": self.hash(number).to_string(),
            "blockTimestamp": format!("{:#x}", self.time),
            "transactionHash": B256::with_last_byte(1).to_string(),
            "logIndex": "0x0",
            "topics": [],
            "data": "0x",
        })
    }

    /// As nodes tell it.
    pub(super) fn to_json(self) -> Value {
        json!({
            "number": format!("{:#x}", self.number),
            "hash": self.hash(self.number).to_string(),
            "parentHash": self.hash(self.number - 1).to_string(),
            "timestamp": format!("{:#x}", self.time),
            "transactions": [],
        })
    }
}

type Fault = Box<dyn Fn(&str) -> Option<Reply> + Send>;

/// The scripted state of a node.
pub(crate) struct Part {
    pub(crate) chain_id: u64,
    pub(crate) newest: Block,
    /// What it does instead of answering.
    pub(crate) fault: Option<Fault>,
    /// Its answer to a request for the events of more blocks than this.
    pub(crate) event_limit: Option<(u64, Reply)>,
    /// The first and the last block of each range whose events it was asked for.
    pub(crate) ranges: Vec<(u64, u64)>,
    /// What it answers to a handshake instead of shaking hands.
    pub(crate) handshake: Option<String>,
    /// The methods that it was asked.
    pub(crate) asked: Vec<String>,
    /// How many connections are open.
    pub(crate) open: usize,
    /// How many connections were ever taken.
    pub(crate) taken: usize,
    /// What contracts answer at the newest block, by contract and selector.
    pub(super) contracts: HashMap<(Address, [u8; 4]), Reply>,
    /// Told as the supply of the pool's tokens, so that whoever reads knows from whom.
    pub(super) name: u64,
    /// Tells whoever has subscribed.
    pub(super) news: broadcast::Sender<Block>,
}

impl Part {
    pub(super) fn new(name: u64) -> Self {
        Self {
            chain_id: CHAIN_ID,
            newest: Block::at(100),
            fault: None,
            event_limit: None,
            ranges: Vec::new(),
            handshake: None,
            asked: Vec::new(),
            open: 0,
            taken: 0,
            contracts: HashMap::new(),
            name,
            news: broadcast::Sender::new(MAX_NEWS),
        }
    }

    /// Has another newest block, and tells whoever has subscribed.
    pub(crate) fn announce(&mut self, block: Block) {
        self.newest = block;
        // There may be no subscriber.
        drop(self.news.send(block));
    }

    /// One event in each block of a range, or none in a block by its hash.
    fn events(&mut self, filter: &Value) -> Reply {
        let number = |name: &str| u64::from_str_radix(filter[name].as_str()?.trim_start_matches("0x"), 16).ok();
        let (Some(first), Some(last)) = (number("fromBlock"), number("toBlock")) else {
            return Reply::Result(json!([]));
        };
        self.ranges.push((first, last));
        match &self.event_limit {
            Some((blocks, refusal)) if last - first >= *blocks => refusal.clone(),
            _ => Reply::Result((first..=last).map(|number| self.newest.event(number)).collect()),
        }
    }

    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Reply {
        self.asked.push(method.to_owned());
        if let Some(reply) = self.fault.as_ref().and_then(|fault| fault(method)) {
            return reply;
        }
        let newest = self.newest.to_json();
        match method {
            "eth_chainId" => Reply::Result(json!(format!("{:#x}", self.chain_id))),
            "eth_call" if params[1]["blockHash"] == newest["hash"] => contracts::answer(self, &params[0]),
            "eth_call" => Reply::Error(-32_000, "header not found"),
            "eth_getLogs" => self.events(&params[0]),
            "eth_getBlockByNumber" => Reply::Result(newest),
            "eth_subscribe" if *params == json!(["newHeads"]) => Reply::Result(json!(SUBSCRIPTION)),
            _ => Reply::Error(-32_601, "the method does not exist"),
        }
    }
}
