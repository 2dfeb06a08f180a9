//! Compares a pool's configuration with its chain, once, before anything is signed.

use super::{
    ChainError, ChainQuery, ChainRpc, Head, Node, NodeFailure, NodeFault,
    config_mismatch::{Mismatch, PoolVerification},
    contract_call::{SwapPool, Token},
    contract_checks::{check_domain, check_good_until, check_single_use, check_symbols},
    logs::{self, LogCache, RequestedEvents},
};

use std::collections::BTreeMap;

use alloy_sol_types::SolCall;
use async_trait::async_trait;
use firmquote_domain::{Address, B256, MAX_REORG_DEPTH, Pool, PoolId};
use futures_util::future::join_all;

/// Compares `pool` with what its contract, its tokens and the nodes of `rpc` report, and `signer` with the contract's
/// designated signer. The order of the tokens may differ. The constant and the weights are not checked: a contract does
/// not expose them.
///
/// # Errors
/// [`ChainError`] if no node could be read, and none is known to be on another chain.
pub async fn verify_pool(rpc: &ChainRpc, pool: &Pool, signer: Address) -> Result<PoolVerification, ChainError> {
    let mut findings = PoolVerification { mismatches: wrong_chains(rpc).await, ..PoolVerification::default() };
    let query = |records_faults| VerificationQuery { pool, signer, records_faults };
    let result = match rpc.read(&query(false)).await {
        Err(error) if error.contract_fault().is_some() => rpc.read(&query(true)).await,
        result => result,
    };
    match result {
        Ok(PoolVerification { mismatches, inconclusive, reports_domain }) => {
            findings.mismatches.extend(mismatches);
            findings.inconclusive = inconclusive;
            findings.reports_domain = reports_domain;
        }
        Err(error) if findings.mismatches.is_empty() => return Err(error),
        Err(_) => {}
    }
    Ok(findings)
}

/// Returns the nodes that report another chain. Nodes that do not respond are checked when they are used.
async fn wrong_chains(rpc: &ChainRpc) -> Vec<Mismatch> {
    let configured = rpc.chain_id();
    let checks = rpc.nodes().iter().map(|node| async move {
        let actual = node.chain_id().await.ok().filter(|actual| *actual != configured.get())?;
        Some(Mismatch::Chain { node: node.to_string(), actual, configured })
    });
    join_all(checks).await.into_iter().flatten().collect()
}

/// Reads recent events of `pool` with this first topic from every node, as after a signature, and returns the failures.
///
/// # Errors
/// [`ChainError`] if no node returns them.
pub async fn verify_events(rpc: &ChainRpc, pool: PoolId, topic: B256) -> Result<Vec<NodeFailure>, ChainError> {
    let query = &EventsQuery { contract: pool.address, topic };
    let checks = rpc.nodes().iter().map(|node| async move {
        let fault = rpc.read_from(node, query).await.err()?;
        Some(NodeFailure { node: node.to_string(), fault })
    });
    let failures: Vec<_> = join_all(checks).await.into_iter().flatten().collect();
    if failures.len() == rpc.nodes().len() { Err(ChainError::from_failures(failures)) } else { Ok(failures) }
}

struct EventsQuery {
    contract: Address,
    topic: B256,
}

#[async_trait]
impl ChainQuery for EventsQuery {
    type Output = ();

    async fn read(&self, node: &Node, head: &Head) -> Result<(), NodeFault> {
        let from = head.number.saturating_sub(MAX_REORG_DEPTH);
        let requested = RequestedEvents { topic: self.topic, from, known: BTreeMap::new(), confirmed: None };
        logs::read(node, self.contract, &requested, head, &LogCache::default()).await.map(drop)
    }
}

/// The number of functions of a pool that are read to verify it.
const POOL_FUNCTIONS: usize = 3;

/// The fault of a node for which neither the pool nor any of its tokens exists.
const NO_CONTRACTS: &str = "it returns nothing for the pool and for every token: it lacks the state of its newest \
                            block, or none of these contracts is on this chain";

struct VerificationQuery<'a> {
    pool: &'a Pool,
    signer: Address,
    /// Whether a contract fault is recorded as a mismatch instead of a fault of the node: no node can read the
    /// contract.
    records_faults: bool,
}

#[async_trait]
impl ChainQuery for VerificationQuery<'_> {
    type Output = PoolVerification;

    async fn read(&self, node: &Node, head: &Head) -> Result<PoolVerification, NodeFault> {
        let spec = self.pool.spec();
        let reader = ContractReader { node, head, records_faults: self.records_faults };
        let mut findings = PoolVerification::default();
        let mismatches = &mut findings.mismatches;
        let pool = (spec.id.address, "the pool");
        if let Some(balances) = reader.read(pool, &SwapPool::allTokensBalanceCall {}, mismatches).await? {
            self.compare_tokens(&balances.tokens, mismatches);
        }
        if let Some(actual) = reader.read(pool, &SwapPool::DESIGNATED_SIGNERCall {}, mismatches).await? {
            mismatches.extend((actual != self.signer).then_some(Mismatch::Signer { actual, configured: self.signer }));
        }
        if let Some(actual) = reader.read(pool, &SwapPool::WRAPPER_CONTRACTCall {}, mismatches).await? {
            let configured = spec.chain.wrapped_native;
            mismatches.extend((actual != configured).then_some(Mismatch::WrappedNative { actual, configured }));
        }
        for asset in &spec.assets {
            let (token, configured) = (asset.address, asset.decimals.get());
            let actual = reader.read((token, asset.symbol.as_str()), &Token::decimalsCall {}, mismatches).await?;
            if let Some(actual) = actual.filter(|actual| *actual != configured) {
                mismatches.push(Mismatch::Decimals { symbol: asset.symbol.clone(), token, actual, configured });
            }
        }
        // The functions of the pool, and one of each token.
        if mismatches.iter().filter(|mismatch| matches!(mismatch, Mismatch::Contract { .. })).count()
            == POOL_FUNCTIONS + spec.assets.len()
        {
            return Err(NodeFault::Malformed(NO_CONTRACTS.to_owned()));
        }
        if mismatches.is_empty() {
            check_symbols(node, self.pool, head, &mut findings).await?;
            check_good_until(node, self.pool, head, &mut findings).await?;
            check_single_use(node, self.pool, head, &mut findings).await?;
            check_domain(node, self.pool, head, &mut findings).await?;
        }
        Ok(findings)
    }
}

impl VerificationQuery<'_> {
    fn compare_tokens(&self, actual: &[Address], mismatches: &mut Vec<Mismatch>) {
        let assets = &self.pool.spec().assets;
        let missing = assets.iter().filter(|asset| !actual.contains(&asset.address));
        let missing = missing.map(|asset| Mismatch::NotInPool { symbol: asset.symbol.clone(), token: asset.address });
        mismatches.extend(missing);
        let unknown = actual.iter().filter(|token| assets.iter().all(|asset| asset.address != **token));
        mismatches.extend(unknown.map(|token| Mismatch::NotConfigured { token: *token }));
    }
}

/// The node and the block of a query.
struct ContractReader<'a> {
    node: &'a Node,
    head: &'a Head,
    records_faults: bool,
}

impl ContractReader<'_> {
    /// Returns the result of a contract call, or records a failing contract as a mismatch if faults are recorded.
    async fn read<C: SolCall + Sync>(
        &self,
        (contract, role): (Address, &str),
        call: &C,
        mismatches: &mut Vec<Mismatch>,
    ) -> Result<Option<C::Return>, NodeFault> {
        match self.node.call_contract(contract, call, self.head).await {
            Ok(answer) => Ok(Some(answer)),
            Err(NodeFault::Contract(reason)) if self.records_faults => {
                mismatches.push(Mismatch::Contract { contract, role: role.to_owned(), reason });
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}
