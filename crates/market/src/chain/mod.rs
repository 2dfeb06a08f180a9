//! The reserves of pools, read from the nodes of their chain: several addresses in order of preference, one queried at
//! a time, none trusted to be up to date.
//!
//! Every reading is taken at one block of one node, after that node was checked to be on the configured chain, not
//! behind the other nodes and not stalled. Nothing here signs or sends a transaction, and nothing proves that a node
//! reports its chain truthfully. Node addresses may contain API keys: only their host and port are shown.

mod call;
mod config_mismatch;
mod contract_call;
mod contract_checks;
mod error;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod head;
mod logs;
mod node;
mod node_fault;
mod node_health;
mod pool_verification;
mod reserves;
mod rpc;
mod signer_check;
mod transport;
mod url;

pub use crate::chain_rpc_config::ChainRpcConfig;
use call::Call;
pub use config_mismatch::{InconclusiveCheck, Mismatch, PoolVerification};
pub(crate) use contract_call::CallOutcome;
pub use error::ChainError;
pub(crate) use head::Head;
pub use logs::{ConfirmedBlocks, PoolEvent, PoolEvents, RequestedEvents};
pub(crate) use node::Node;
pub use node_fault::{NodeFailure, NodeFault};
pub use pool_verification::{verify_events, verify_pool};
pub use reserves::{PoolReserves, ReserveError, ReserveListener, ReserveSource, read_reserves};
pub(crate) use rpc::ChainQuery;
pub use rpc::ChainRpc;
pub use signer_check::{RecoveryOutcome, RecoveryProbe, verify_recovery};
