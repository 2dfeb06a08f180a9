//! A chain in memory: revm with the rules the contracts are compiled for.
//!
//! Blocks are not mined; the time is what a test sets. Gas costs nothing, nonces are not checked.
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

/// The chain id of test chains, the one that nodes for development use.
pub const CHAIN_ID: u64 = 31_337;

/// More than any test transaction needs, less than the limit of a block.
const GAS_LIMIT: u64 = 15_000_000;

/// [`CHAIN_ID`] as a value of the domain.
pub fn chain_id() -> ChainId {
    ChainId::new(CHAIN_ID).expect("a constant above zero")
}

/// What came of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to its end.
    Executed {
        /// What the call returned, or the code of the created contract.
        output: Bytes,
        /// What the contracts logged, in order.
        logs: Vec<Log>,
    },
    /// It reverted with this data and changed nothing.
    Reverted(Bytes),
}

impl Outcome {
    /// What the call returned and logged.
    ///
    /// # Panics
    /// With the revert data, if it reverted.
    #[track_caller]
    pub fn executed(self) -> (Bytes, Vec<Log>) {
        match self {
            Self::Executed { output, logs } => (output, logs),
            Self::Reverted(data) => panic!("reverted with {data}"),
        }
    }

    /// Whether it ran to its end.
    pub const fn is_executed(&self) -> bool {
        matches!(self, Self::Executed { .. })
    }
}

/// A chain in memory.
pub struct Chain {
    evm: MainnetEvm<MainnetContext<CacheDB<EmptyDB>>>,
}

impl Chain {
    /// An empty chain whose next block has this time.
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

    /// Sets the time of the next block, forward or backward.
    pub fn set_time(&mut self, unix_seconds: u32) {
        self.evm.ctx.block.timestamp = U256::from(unix_seconds);
    }

    /// Gives `account` this many wei, whatever it had; for accounts that have sent nothing yet.
    pub fn fund(&mut self, account: Address, wei: U256) {
        let info = AccountInfo::from_balance(wei);
        self.evm.ctx.journaled_state.database.insert_account_info(account, info);
    }

    /// The native coin of `account`, in wei.
    pub fn native_balance(&self, account: Address) -> U256 {
        let info = self.evm.ctx.journaled_state.database.basic_ref(account).expect("memory does not fail");
        info.map_or(U256::ZERO, |info| info.balance)
    }

    /// Runs a transaction and keeps what it changed.
    pub fn send(&mut self, transaction: &Transaction) -> Outcome {
        outcome(self.evm.transact_commit(environment(transaction)).expect("a valid transaction"))
    }

    /// Runs a transaction and forgets what it changed.
    pub fn attempt(&mut self, transaction: &Transaction) -> Outcome {
        outcome(self.evm.transact(environment(transaction)).expect("a valid transaction").result)
    }

    /// The answer of a contract to `call`, or `None` if it reverts.
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
