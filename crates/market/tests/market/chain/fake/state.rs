//! The scripted state of a fake node, and its responses.

use std::collections::HashMap;

use firmquote_domain::{Address, B256};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use super::{CHAIN_ID, contracts};

/// The default time of blocks.
pub(crate) const TIME: u64 = 1_800_000_000;

/// The id of the only subscription.
pub(super) const SUBSCRIPTION: &str = "0x9cef478923ff08bf67fde6c64013158d";

/// The maximum number of announcements that a connection can lag behind.
const MAX_BUFFERED_HEADS: usize = 1 << 12;

/// The reply of a node to a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Result(Value),
    /// A JSON-RPC error; over HTTP with status 200.
    Error(i64, &'static str),
    /// This text on a connection that stays open; one message over a WebSocket.
    Raw(String),
    /// One binary message; over HTTP like `Raw`.
    Binary(Vec<u8>),
    /// No reply on a connection that stays open.
    Silence,
    /// The connection is closed.
    Close,
    /// A valid response to another request.
    OtherId,
}

impl Reply {
    /// Returns the JSON-RPC response to the request `id`; an empty text if the reply is none.
    pub(super) fn to_json_rpc(&self, id: &Value) -> String {
        let response = match self {
            Self::Result(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Self::OtherId => json!({"jsonrpc": "2.0", "id": 987_654, "result": "0x7"}),
            Self::Error(code, message) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
            Self::Raw(_) | Self::Binary(_) | Self::Silence | Self::Close => return String::new(),
        };
        response.to_string()
    }
}

/// The newest block of a node; blocks from `fork_height` upward are those of `branch`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) number: u64,
    pub(crate) branch: u8,
    pub(crate) fork_height: u64,
    pub(crate) time: u64,
}

impl Block {
    pub(crate) const fn at(number: u64) -> Self {
        Self { number, branch: 0, fork_height: 0, time: TIME }
    }

    pub(crate) fn hash(self, number: u64) -> B256 {
        let mut hash = B256::with_last_byte(if number >= self.fork_height { self.branch } else { 0 });
        hash[..8].copy_from_slice(&number.to_be_bytes());
        hash
    }

    /// Returns the only event of the block at this height, with `data_bytes` bytes of data.
    fn event(self, number: u64, filter: &Value, data_bytes: usize) -> Value {
        json!({
            "address": filter["address"],
            "blockNumber": format!("{number:#x}"),
            "blockHash": self.hash(number).to_string(),
            "transactionHash": B256::with_last_byte(1).to_string(),
            "logIndex": "0x0",
            "topics": filter["topics"],
            "removed": false,
            "data": format!("0x{}", "0".repeat(2 * data_bytes)),
        })
    }

    /// Returns the JSON of the block header.
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

/// Edits the events of a response, of a range or, if the flag is set, of a block by its hash.
type EventEdit = Box<dyn Fn(&mut Vec<Value>, bool) + Send>;

type Fault = Box<dyn Fn(&str) -> Option<Reply> + Send>;

/// The scripted state of a node.
pub(crate) struct NodeState {
    pub(crate) chain_id: u64,
    pub(crate) newest: Block,
    /// Replaces the reply to a method.
    pub(crate) fault: Option<Fault>,
    /// The maximum number of blocks in a request for events, and the reply to requests for more.
    pub(crate) event_limit: Option<(u64, Reply)>,
    /// The length of the data of the event of a block, in bytes; none by default.
    pub(crate) event_data_bytes: HashMap<u64, usize>,
    /// Changes the events that are returned for a range, or for a block by its hash.
    pub(crate) edit_events: Option<EventEdit>,
    /// The first and the last block of each requested range of events.
    pub(crate) event_ranges: Vec<(u64, u64)>,
    /// The response to WebSocket handshakes that rejects them.
    pub(crate) handshake_response: Option<String>,
    /// The requested methods, in order.
    pub(crate) methods: Vec<String>,
    pub(crate) open_connections: usize,
    pub(crate) accepted_connections: usize,
    /// The replies of contracts at the newest block, by contract and selector.
    pub(super) contracts: HashMap<(Address, [u8; 4]), Reply>,
    /// Identifies the node: reported as the number of pool tokens.
    pub(super) id: u64,
    /// The announcements to subscribers.
    pub(super) new_heads: broadcast::Sender<Block>,
}

impl NodeState {
    pub(super) fn new(id: u64) -> Self {
        Self {
            chain_id: CHAIN_ID,
            newest: Block::at(100),
            fault: None,
            event_limit: None,
            event_data_bytes: HashMap::new(),
            edit_events: None,
            event_ranges: Vec::new(),
            handshake_response: None,
            methods: Vec::new(),
            open_connections: 0,
            accepted_connections: 0,
            contracts: HashMap::new(),
            id,
            new_heads: broadcast::Sender::new(MAX_BUFFERED_HEADS),
        }
    }

    /// Replaces the newest block, and announces it to subscribers.
    pub(crate) fn announce(&mut self, block: Block) {
        self.newest = block;
        // There may be no subscriber.
        drop(self.new_heads.send(block));
    }

    /// Returns one event for each block of a range, or for a block by its hash if its event has data.
    fn events(&mut self, filter: &Value) -> Reply {
        let number = |name: &str| u64::from_str_radix(filter[name].as_str()?.trim_start_matches("0x"), 16).ok();
        let (Some(first), Some(last)) = (number("fromBlock"), number("toBlock")) else {
            let hash = filter["blockHash"].as_str().unwrap();
            let number = u64::from_str_radix(&hash[2..18], 16).unwrap();
            let known = self.newest.hash(number).to_string() == hash && number <= self.newest.number;
            let has_event = self.event_data_bytes.contains_key(&number) || number < self.newest.number;
            let mut events: Vec<_> = (known && has_event).then(|| self.event(number, filter)).into_iter().collect();
            self.edit_events.iter().for_each(|edit| edit(&mut events, true));
            return Reply::Result(events.into());
        };
        self.event_ranges.push((first, last));
        match &self.event_limit {
            Some((blocks, refusal)) if last - first >= *blocks => refusal.clone(),
            _ => {
                let mut events = (first..=last).map(|number| self.event(number, filter)).collect();
                self.edit_events.iter().for_each(|edit| edit(&mut events, false));
                Reply::Result(events.into())
            }
        }
    }

    fn event(&self, number: u64, filter: &Value) -> Value {
        self.newest.event(number, filter, self.event_data_bytes.get(&number).copied().unwrap_or_default())
    }

    /// Returns the header of a block by its number, or of the newest one.
    fn header(&self, number: &Value) -> Value {
        let number = number.as_str().and_then(|number| u64::from_str_radix(number.trim_start_matches("0x"), 16).ok());
        Block { number: number.unwrap_or(self.newest.number), ..self.newest }.to_json()
    }

    pub(super) fn reply(&mut self, method: &str, params: &Value) -> Reply {
        self.methods.push(method.to_owned());
        if let Some(reply) = self.fault.as_ref().and_then(|fault| fault(method)) {
            return reply;
        }
        let newest = self.newest.to_json();
        match method {
            "eth_chainId" => Reply::Result(json!(format!("{:#x}", self.chain_id))),
            "eth_call" if params[1]["blockHash"] == newest["hash"] => contracts::reply(self, &params[0]),
            "eth_call" => Reply::Error(-32_000, "header not found"),
            "eth_getLogs" => self.events(&params[0]),
            "eth_getBlockByNumber" => Reply::Result(self.header(&params[0])),
            "eth_subscribe" if *params == json!(["newHeads"]) => Reply::Result(json!(SUBSCRIPTION)),
            _ => Reply::Error(-32_601, "the method does not exist"),
        }
    }
}
