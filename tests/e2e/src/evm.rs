//! An in-memory chain: revm with the hard fork that the contracts are compiled for.
//!
//! No blocks are mined; tests set the time. Gas is free, and nonces are not checked.
#![expect(clippy::panic, clippy::expect_used, reason = "a transaction that cannot run at all is a failed test")]

use alloy_sol_types::{SolCall, private::Bytes};
use firmquote_domain::{Address, ChainId, U256};
use revm::{
    Context, DatabaseRef, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext, MainnetEvm,
    context::{TxEnv, result::ExecutionResult},
    database::{CacheDB, EmptyDB},
    handler::MainnetContext,
    primitives::{Log, TxKind, hardfork::SpecId},
    state::AccountInfo,
};

use crate::transaction::Transaction;

/// The chain ID of test chains, the default of development nodes.
pub const CHAIN_ID: u64 = 31_337;

/// Gas limit of every transaction: more than any test needs, less than the block gas limit.
const GAS_LIMIT: u64 = 15_000_000;

/// Returns [`CHAIN_ID`] as a [`ChainId`].
pub fn chain_id() -> ChainId {
    ChainId::new(CHAIN_ID).expect("a constant above zero")
}

/// The outcome of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The transaction succeeded.
    Executed {
        /// The return data of the call, or the code of the created contract.
        output: Bytes,
        /// The emitted logs, in order.
        logs: Vec<Log>,
    },
    /// The transaction reverted with this data.
    Reverted(Bytes),
}

impl Outcome {
    /// Returns the return data and the logs.
    ///
    /// # Panics
    /// With the revert data, if the transaction reverted.
    #[track_caller]
    pub fn executed(self) -> (Bytes, Vec<Log>) {
        match self {
            Self::Executed { output, logs } => (output, logs),
            Self::Reverted(data) => panic!("reverted with {data}"),
        }
    }

    /// Whether the transaction succeeded.
    pub const fn is_executed(&self) -> bool {
        matches!(self, Self::Executed { .. })
    }
}

/// The state of a [`Chain`] after one of its transactions.
#[derive(Clone, Debug)]
pub struct ChainState(CacheDB<EmptyDB>);

/// An in-memory chain.
pub struct Chain {
    evm: MainnetEvm<MainnetContext<CacheDB<EmptyDB>>>,
}

impl Chain {
    /// Creates an empty chain whose next block has this timestamp.
    pub fn at(unix_seconds: u32) -> Self {
        let context = Context::mainnet()
            .with_db(CacheDB::<EmptyDB>::default())
            .modify_cfg_chained(|cfg| {
                cfg.set_spec_and_mainnet_gas_params(SpecId::PRAGUE);
                cfg.chain_id = CHAIN_ID;
                cfg.disable_nonce_check = true;
            })
            .modify_block_chained(|block| block.timestamp = U256::from(unix_seconds));
        Self { evm: context.build_mainnet() }
    }

    /// Sets the timestamp of the next block, forward or backward.
    pub fn set_time(&mut self, unix_seconds: u32) {
        self.evm.ctx.block.timestamp = U256::from(unix_seconds);
    }

    /// Returns what a reorganization may lead back to.
    pub fn state(&self) -> ChainState {
        ChainState(self.evm.ctx.journaled_state.database.clone())
    }

    /// Undoes every transaction since `state`; the time stays.
    pub fn reorganize(&mut self, ChainState(state): ChainState) {
        self.evm.ctx.journaled_state.database = state;
    }

    /// Sets the balance of `account` in wei, whatever it was; only for accounts that have sent no transaction.
    pub fn fund(&mut self, account: Address, wei: U256) {
        let info = AccountInfo::from_balance(wei);
        self.evm.ctx.journaled_state.database.insert_account_info(account, info);
    }

    /// Returns the balance of `account` in wei.
    pub fn native_balance(&self, account: Address) -> U256 {
        let info = self.evm.ctx.journaled_state.database.basic_ref(account).expect("memory does not fail");
        info.map_or(U256::ZERO, |info| info.balance)
    }

    /// Executes a transaction and commits its changes.
    pub fn send(&mut self, transaction: &Transaction) -> Outcome {
        outcome(self.evm.transact_commit(environment(transaction)).expect("a valid transaction"))
    }

    /// Executes a transaction and discards its changes.
    pub fn attempt(&mut self, transaction: &Transaction) -> Outcome {
        outcome(self.evm.transact(environment(transaction)).expect("a valid transaction").result)
    }

    /// Calls a contract without a transaction and returns the result; `None` if the call reverts.
    pub fn ask<C: SolCall>(&mut self, contract: Address, call: &C) -> Option<C::Return> {
        match self.attempt(&Transaction::calling(Address::ZERO, contract, call)) {
            Outcome::Executed { output, .. } => Some(C::abi_decode_returns(&output).expect("the declared return type")),
            Outcome::Reverted(_) => None,
        }
    }
}

fn environment(transaction: &Transaction) -> TxEnv {
    let kind = transaction.to.map_or(TxKind::Create, TxKind::Call);
    TxEnv {
        caller: transaction.from,
        kind,
        value: transaction.value,
        data: transaction.data.clone().into(),
        gas_limit: GAS_LIMIT,
        gas_price: 0,
        chain_id: Some(CHAIN_ID),
        ..TxEnv::default()
    }
}

fn outcome(result: ExecutionResult) -> Outcome {
    match result {
        ExecutionResult::Success { output, logs, .. } => Outcome::Executed { output: output.into_data(), logs },
        ExecutionResult::Revert { output, .. } => Outcome::Reverted(output),
        ExecutionResult::Halt { reason, .. } => panic!("the machine halted: {reason:?}"),
    }
}
