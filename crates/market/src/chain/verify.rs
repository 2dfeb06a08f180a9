//! Compares a pool's configuration with its chain, once, before anything is signed.

use super::{
    ChainError, ChainRpc, Head, Node, NodeFault, Reading,
    abi::{SwapPool, Token},
    kind::{check_domain, check_kind},
    mismatch::{Doubt, Mismatch},
};

use alloy_sol_types::SolCall;
use async_trait::async_trait;
use firmquote_domain::{Address, Pool};
use futures_util::future::join_all;

/// The result of comparing a pool with its configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The differences; empty for a pool that matches its configuration.
    pub mismatches: Vec<Mismatch>,
    /// What could not be determined.
    pub doubts: Vec<Doubt>,
}

/// Compares `pool` with what its contract, its tokens and the nodes of `rpc` report, and `signer` with the contract's
/// designated signer. The order of the tokens may differ. The constant and the weights are not checked: a contract does
/// not expose them.
///
/// # Errors
/// [`ChainError`] if no node could be read, and none is known to be on another chain.
pub async fn verify_pool(rpc: &ChainRpc, pool: &Pool, signer: Address) -> Result<Verified, ChainError> {
    let mut verified = Verified { mismatches: chains(rpc).await, doubts: Vec::new() };
    match rpc.read(&Verification { pool, signer }).await {
        Ok(found) => {
            verified.mismatches.extend(found.mismatches);
            verified.doubts.extend(found.doubts);
        }
        Err(error) if verified.mismatches.is_empty() => return Err(error),
        Err(_) => {}
    }
    Ok(verified)
}

/// Returns the nodes that report another chain. Nodes that do not respond are checked when they are used.
async fn chains(rpc: &ChainRpc) -> Vec<Mismatch> {
    let configured = rpc.chain_id();
    let asked = rpc.nodes().iter().map(|node| async move {
        let says = node.chain_id().await.ok().filter(|says| *says != configured.get())?;
        Some(Mismatch::Chain { node: node.to_string(), says, configured })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

struct Verification<'a> {
    pool: &'a Pool,
    signer: Address,
}

#[async_trait]
impl Reading for Verification<'_> {
    type Answer = Verified;

    async fn read(&self, node: &Node, head: &Head) -> Result<Verified, NodeFault> {
        let spec = self.pool.spec();
        let asking = PoolQuery { node, head };
        let mut found = Vec::new();
        let pool = (spec.id.address, "the pool");
        if let Some(books) = asking.ask(pool, &SwapPool::allTokensBalanceCall {}, &mut found).await? {
            self.compare_tokens(&books.tokens, &mut found);
        }
        if let Some(says) = asking.ask(pool, &SwapPool::DESIGNATED_SIGNERCall {}, &mut found).await? {
            found.extend((says != self.signer).then_some(Mismatch::Signer { says, configured: self.signer }));
        }
        if let Some(says) = asking.ask(pool, &SwapPool::WRAPPER_CONTRACTCall {}, &mut found).await? {
            let configured = spec.wrapped_native;
            found.extend((says != configured).then_some(Mismatch::WrappedNative { says, configured }));
        }
        for asset in &spec.assets {
            let (token, configured) = (asset.address, asset.decimals.get());
            let says = asking.ask((token, asset.symbol.as_str()), &Token::decimalsCall {}, &mut found).await?;
            if let Some(says) = says.filter(|says| *says != configured) {
                found.push(Mismatch::Decimals { symbol: asset.symbol.clone(), token, says, configured });
            }
        }
        let mut doubts = Vec::new();
        if found.is_empty() {
            check_kind(node, self.pool, head, &mut found, &mut doubts).await?;
            check_domain(node, self.pool, head, &mut found).await?;
        }
        Ok(Verified { mismatches: found, doubts })
    }
}

impl Verification<'_> {
    fn compare_tokens(&self, says: &[Address], found: &mut Vec<Mismatch>) {
        let assets = &self.pool.spec().assets;
        let missing = assets.iter().filter(|asset| !says.contains(&asset.address));
        found.extend(missing.map(|asset| Mismatch::NotInPool { symbol: asset.symbol.clone(), token: asset.address }));
        let unknown = says.iter().filter(|token| assets.iter().all(|asset| asset.address != **token));
        found.extend(unknown.map(|token| Mismatch::NotConfigured { token: *token }));
    }
}

/// The node and the block of a query.
struct PoolQuery<'a> {
    node: &'a Node,
    head: &'a Head,
}

impl PoolQuery<'_> {
    /// Returns the result of a contract call, or records a failing contract as a mismatch.
    async fn ask<C: SolCall + Sync>(
        &self,
        (contract, role): (Address, &str),
        call: &C,
        found: &mut Vec<Mismatch>,
    ) -> Result<Option<C::Return>, NodeFault> {
        match self.node.read(contract, call, self.head).await {
            Ok(answer) => Ok(Some(answer)),
            Err(NodeFault::Contract(reason)) => {
                found.push(Mismatch::Contract { contract, role: role.to_owned(), reason });
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}
