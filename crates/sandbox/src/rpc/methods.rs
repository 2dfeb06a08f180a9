//! The methods of the simulated node (Ethereum JSON-RPC, execution-apis), with quantities and data in hex.

use alloy_primitives::{Address, B256, Bytes, U256};
use firmquote_calldata::decode;
use firmquote_domain::ChainId;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    error::RpcError,
    view::{self, BASE_FEE, GAS, quantity},
};
use crate::{
    Fault, Sandbox,
    chain::{Block, EventLog, Revert, SentTransaction, SimulatedChain, Transaction, decode_transaction, revert_data},
    session::Session,
};

/// The balance of every account in the native coin, in wei: 1,000 whole coins.
const NATIVE_BALANCE: u128 = 1_000_000_000_000_000_000_000;
/// The tip that is suggested, in wei.
const PRIORITY_FEE: u64 = 1_000_000_000;

/// Who calls methods, on which chain.
pub(super) struct Caller<'s> {
    pub(super) sandbox: &'s Sandbox,
    pub(super) chain: &'s SimulatedChain,
    pub(super) chain_id: ChainId,
    pub(super) taker: &'s str,
    /// The fault of the next transaction.
    pub(super) fault: &'s dyn Fn() -> Option<Fault>,
}

/// The parameters of a call without a transaction.
#[derive(Deserialize)]
struct CallRequest {
    to: Option<Address>,
    data: Option<Bytes>,
    input: Option<Bytes>,
    value: Option<U256>,
}

/// The parameters of `eth_getLogs`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogFilter {
    #[serde(default)]
    address: Option<OneOrMany<Address>>,
    #[serde(default)]
    topics: Vec<Option<OneOrMany<B256>>>,
    from_block: Option<String>,
    to_block: Option<String>,
    block_hash: Option<B256>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T: PartialEq> OneOrMany<T> {
    fn contains(&self, value: &T) -> bool {
        match self {
            Self::One(one) => one == value,
            Self::Many(many) => many.contains(value),
        }
    }
}

impl LogFilter {
    fn matches(&self, log: &EventLog) -> bool {
        let has_topic = |(position, topic): (usize, &Option<OneOrMany<B256>>)| {
            topic.as_ref().is_none_or(|topic| log.topics.get(position).is_some_and(|actual| topic.contains(actual)))
        };
        self.address.as_ref().is_none_or(|address| address.contains(&log.address))
            && self.topics.iter().enumerate().all(has_topic)
    }
}

impl Caller<'_> {
    /// Returns the result of a method.
    ///
    /// # Errors
    /// [`RpcError`].
    pub(super) fn call(&self, method: &str, params: &[Value]) -> Result<Value, RpcError> {
        let (chain, chain_id) = (self.chain, self.chain_id);
        Ok(match method {
            "eth_chainId" => quantity(chain_id.get()),
            "net_version" => json!(chain_id.get().to_string()),
            "web3_clientVersion" => json!(concat!("firmquote-sandbox/", env!("CARGO_PKG_VERSION"))),
            "eth_blockNumber" => quantity(chain.number()),
            "eth_syncing" => json!(false),
            "eth_accounts" => json!([]),
            "eth_gasPrice" => quantity(BASE_FEE + PRIORITY_FEE),
            "eth_maxPriorityFeePerGas" => quantity(PRIORITY_FEE),
            "eth_getBalance" => {
                parameter::<Address>(params, 0)?;
                json!(format!("0x{NATIVE_BALANCE:x}"))
            }
            "eth_getCode" => {
                let has_code = chain.has_code(chain_id, parameter(params, 0)?);
                json!(if has_code { "0xfe" } else { "0x" })
            }
            "eth_getTransactionCount" => {
                let with_pending = params.get(1).and_then(Value::as_str) == Some("pending");
                quantity(chain.transaction_count(parameter(params, 0)?, with_pending))
            }
            "eth_call" => self.simulate(params).map(|data| json!(data))?,
            "eth_estimateGas" => {
                self.simulate(params)?;
                quantity(GAS)
            }
            "eth_sendRawTransaction" => json!(self.send(&parameter::<Bytes>(params, 0)?)?),
            "eth_getTransactionByHash" => self.transaction(params, view::transaction)?,
            "eth_getTransactionReceipt" => self.transaction(params, |hash, sent, block| match block {
                Some(block) => view::receipt(hash, sent, block),
                None => Value::Null,
            })?,
            "eth_getBlockByNumber" => {
                let number = self.block_number(params.first().and_then(Value::as_str))?;
                self.block(Some(number), params)
            }
            "eth_getBlockByHash" => self.block(chain.number_of(chain_id, parameter(params, 0)?), params),
            "eth_getLogs" => self.logs(&parameter(params, 0)?)?,
            other => return Err(RpcError::unknown_method(other)),
        })
    }

    fn simulate(&self, params: &[Value]) -> Result<Bytes, RpcError> {
        let CallRequest { to, data, input, value } = parameter(params, 0)?;
        let to = to.ok_or_else(|| RpcError::invalid_params("the sandbox creates no contracts"))?;
        let data = input.or(data).unwrap_or_default();
        let transaction = Transaction { to, data, value: value.unwrap_or_default() };
        self.chain.call(self.chain_id, &transaction).map_err(|error| RpcError {
            code: 3,
            data: Some(revert_data(&error).to_string()),
            message: error.to_string(),
        })
    }

    /// Sends a signed transaction, and records it in the session of the taker.
    fn send(&self, bytes: &[u8]) -> Result<B256, RpcError> {
        let rejected = |error: crate::chain::SendError| RpcError::rejected(error.to_string());
        let (envelope, from) = decode_transaction(bytes).map_err(rejected)?;
        let swap = decode(alloy_consensus::Transaction::input(&envelope)).ok();
        let fault = (self.fault)();
        let (hash, reverted) = self.chain.send_signed(self.chain_id, (envelope, from), fault).map_err(rejected)?;
        let Some(swap) = swap.filter(|_| fault != Some(Fault::Dropped)) else { return Ok(hash) };
        let record = |session: &mut Session| match reverted {
            None => session.record_executed_swap(Some(&swap.signature.r().to_string())),
            Some(Revert::Signer) => session.record_forged_transaction(),
            Some(_) => {}
        };
        self.sandbox.update_session(self.taker, record);
        Ok(hash)
    }

    fn transaction(
        &self,
        params: &[Value],
        read: impl FnOnce(B256, &SentTransaction, Option<&Block<'_>>) -> Value,
    ) -> Result<Value, RpcError> {
        let hash = parameter(params, 0)?;
        let found = self.chain.read_transaction(self.chain_id, hash, |sent, block| read(hash, sent, block));
        Ok(found.unwrap_or_default())
    }

    fn block(&self, number: Option<u64>, params: &[Value]) -> Value {
        let is_full = params.get(1).and_then(Value::as_bool) == Some(true);
        let number = number.filter(|number| *number <= self.chain.number());
        let found =
            number.and_then(|number| self.chain.read_block(self.chain_id, number, |block| view::block(block, is_full)));
        found.unwrap_or_default()
    }

    fn logs(&self, filter: &LogFilter) -> Result<Value, RpcError> {
        let (from, to) = match filter.block_hash {
            Some(hash) => {
                let number = self.chain.number_of(self.chain_id, hash);
                let number = number.ok_or_else(|| RpcError::rejected("unknown block".to_owned()))?;
                (number, number)
            }
            None => (self.block_number(filter.from_block.as_deref())?, self.block_number(filter.to_block.as_deref())?),
        };
        let mut logs = Vec::new();
        self.chain.read_blocks(self.chain_id, from, to, |block| {
            for (hash, sent) in &block.transactions {
                logs.extend(
                    sent.log.iter().filter(|log| filter.matches(log)).map(|log| view::log(*hash, sent, log, &block)),
                );
            }
        });
        Ok(Value::Array(logs))
    }

    /// Parses the number or the name of a block; the newest without one.
    fn block_number(&self, text: Option<&str>) -> Result<u64, RpcError> {
        match text {
            None | Some("latest" | "pending" | "safe" | "finalized") => Ok(self.chain.number()),
            Some("earliest") => Ok(0),
            Some(number) => number
                .strip_prefix("0x")
                .and_then(|digits| u64::from_str_radix(digits, 16).ok())
                .ok_or_else(|| RpcError::invalid_params(format!("invalid block number: {number}"))),
        }
    }
}

/// Returns the parameter at a position.
fn parameter<T: DeserializeOwned>(params: &[Value], position: usize) -> Result<T, RpcError> {
    let value = params.get(position).cloned();
    let value =
        value.ok_or_else(|| RpcError::invalid_params(format!("missing value for required argument {position}")))?;
    serde_json::from_value(value)
        .map_err(|error| RpcError::invalid_params(format!("invalid argument {position}: {error}")))
}
