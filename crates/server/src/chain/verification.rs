//! Verification of pools against the nodes of their chain.

use std::{sync::Arc, time::Duration};

use firmquote_calldata::{SWAPPED_TOPIC, encode};
use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::{PoolId, PoolSpec, Terms};
use firmquote_market::chain::{
    ChainError, ChainRpc, InconclusiveCheck, PoolVerification, RecoveryOutcome, RecoveryProbe, verify_events,
    verify_pool, verify_recovery,
};
use firmquote_signer::{LocalSigner, PoolSigner, Signer, SignerError};
use futures_util::future::join_all;
use tokio::time::timeout;

use super::Chains;
use crate::Error;

/// How long to wait for the nodes to verify a pool with static reserves.
const STATIC_VERIFY_TIMEOUT: Duration = Duration::from_secs(5);

/// Verifies the pools with static reserves against their chain, where it has nodes, except those that are unchanged
/// from the `active` ones. An unresponsive node is not queried again: such a pool is quoted anyway.
///
/// # Errors
/// With all mismatches between a pool's configuration and its chain.
pub(crate) async fn verify_static(config: &Config, chains: &Chains, active: &[PoolConfig]) -> Result<(), Error> {
    let is_new = |pool: &&PoolConfig| {
        matches!(pool.reserves, ReservesConfig::Static(..))
            && !active.iter().any(|active| verified_facts(active) == verified_facts(pool))
    };
    let verify = async |pool: &PoolConfig| {
        let Some(rpc) = chains.rpc(pool.id().chain_id) else { return Ok(()) };
        let unverified = match timeout(STATIC_VERIFY_TIMEOUT, verify(rpc, pool)).await {
            Ok(verified) => verified?.unwrap_or_else(|error| vec![unknown(&error.to_string())]),
            Err(_) => vec![unknown("no node responded in time")],
        };
        log_inconclusive(pool.id(), &unverified);
        Ok(())
    };
    join_all(config.pools.iter().filter(is_new).map(verify)).await.into_iter().collect()
}

/// Returns everything about a pool that is compared with its chain, and the order of its tokens.
pub(super) fn verified_facts(pool: &PoolConfig) -> impl PartialEq + use<'_> {
    let accepted = pool.accepted;
    let PoolSpec { id, domain, good_until, single_use, chain, assets, .. } = pool.pool.spec();
    let tokens: Vec<_> = assets.iter().map(|asset| (asset.address, asset.decimals)).collect();
    (id, domain, good_until, single_use, chain.wrapped_native, tokens, pool.signer.signer.address(), accepted)
}

/// Verifies a pool against its contract, its tokens and the nodes. Returns the inconclusive checks.
///
/// # Errors
/// With all mismatches between the configuration and the chain, and for what signatures rely on and the nodes do not
/// prove, unless the operator vouches for it. The inner error is for nodes that cannot be queried at the moment.
pub(super) async fn verify(rpc: &ChainRpc, pool: &PoolConfig) -> Result<Result<Vec<String>, ChainError>, Error> {
    let PoolVerification { mismatches, inconclusive: unverified, reports_domain } =
        match verify_pool(rpc, &pool.pool, pool.signer.signer.address()).await {
            Ok(verified) => verified,
            Err(error) => return Ok(Err(error)),
        };
    if !mismatches.is_empty() {
        let mismatches: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
        return Err(mismatch(pool, &mismatches.join("; ")));
    }
    let mut open: Vec<String> = unverified.iter().map(ToString::to_string).collect();
    if unverified.contains(&InconclusiveCheck::SingleUse) && !pool.accepted.single_use {
        return Err(unproved(pool, &InconclusiveCheck::SingleUse, "single_use"));
    }
    if matches!(pool.reserves, ReservesConfig::Chain) {
        match verify_events(rpc, pool.id(), SWAPPED_TOPIC).await {
            Ok(failures) => open.extend(failures.iter().map(|failure| format!("cannot read its events: {failure}"))),
            Err(error) => return Ok(Err(error)),
        }
    }
    // On a pool that does not verify packed expiries, the probe's offer would never expire.
    if !unverified.contains(&InconclusiveCheck::GoodUntil) {
        match verify_key(rpc, pool, reports_domain || pool.accepted.domain).await? {
            Ok(unverified) => open.extend(unverified),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(open))
}

/// Logs the inconclusive checks of a pool.
pub(super) fn log_inconclusive(pool: PoolId, checks: &[String]) {
    for check in checks {
        tracing::warn!(%pool, doubt = check, "the verification of the pool is incomplete");
    }
}

fn unknown(reason: &str) -> String {
    format!("cannot verify that the pool matches its configuration: {reason}")
}

/// Verifies the key of a pool against its contract. Returns the inconclusive checks; with `is_accepted`, the key need not
/// be proved.
async fn verify_key(
    rpc: &ChainRpc,
    pool: &PoolConfig,
    is_accepted: bool,
) -> Result<Result<Option<String>, ChainError>, Error> {
    let probe = match recovery_probe(pool).await {
        Ok(Some(probe)) => probe,
        Ok(None) => return Ok(Ok(None)),
        Err(error) => {
            return Ok(Ok(Some(format!("cannot verify that the pool honors the signatures of its key: {error}"))));
        }
    };
    match verify_recovery(rpc, pool.id().address, &probe).await {
        Ok(RecoveryOutcome::Proven) => Ok(Ok(None)),
        Ok(RecoveryOutcome::Inconclusive) if is_accepted => Ok(Ok(Some(InconclusiveCheck::Recovery.to_string()))),
        Ok(RecoveryOutcome::Inconclusive) => Err(unproved(pool, &InconclusiveCheck::Recovery, "domain")),
        Ok(RecoveryOutcome::AnySigner) => Err(mismatch(pool, "the pool honors signatures of any key")),
        Err(error) => Ok(Err(error)),
    }
}

/// The error for a pool of which the nodes do not prove what its signatures rely on.
fn unproved(pool: &PoolConfig, check: &InconclusiveCheck, accepted: &str) -> Error {
    Error::PoolMismatch(format!(
        "pool {}: {check}; if it does, say so with accept_unproved = [\"{accepted}\"] in its configuration",
        pool.id()
    ))
}

fn mismatch(pool: &PoolConfig, reason: &str) -> Error {
    Error::PoolMismatch(format!("pool {} does not match its configuration: {reason}", pool.id()))
}

/// Builds the probe calls for `pool`; `None` for a pool that has nothing to swap.
///
/// # Errors
/// [`SignerError`] when the signer of the pool is unavailable.
async fn recovery_probe(pool: &PoolConfig) -> Result<Option<RecoveryProbe>, SignerError> {
    // An account without an owner: its random key is dropped.
    let destination = LocalSigner::random()?.address();
    let [input, output, ..] = pool.pool.spec().assets.as_slice() else { return Ok(None) };
    let tokens = [input.address, output.address];
    let call = async |signer: Arc<dyn Signer>| {
        let signed = PoolSigner::new(Arc::clone(&pool.pool), signer).sign_probe(destination).await?;
        Ok::<_, SignerError>(
            // A plain `swap`, which checks the signature before anything that depends on balances.
            signed.map(|(offer, signature)| encode(&offer, &Terms::new(destination), &signature).into()),
        )
    };
    let ours = call(Arc::clone(&pool.signer.signer)).await?;
    let one = call(Arc::new(LocalSigner::random()?)).await?;
    let other = call(Arc::new(LocalSigner::random()?)).await?;
    let probe = |(configured, (one, other))| RecoveryProbe { configured, others: [one, other], tokens };
    Ok(ours.zip(one.zip(other)).map(probe))
}
