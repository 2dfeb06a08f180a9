//! The nodes of the configured chains, and the verification of pools against them.

pub(crate) mod reserves;

use std::sync::Arc;

use firmquote_calldata::SWAPPED_TOPIC;
use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::{Address, B256, ChainId, Clock, NativeSide, Terms};
use firmquote_market::chain::{
    ChainError, ChainRpc, InconclusiveCheck, PoolVerification, RecoveryOutcome, RecoveryProbe, verify_events,
    verify_pool, verify_recovery,
};
use firmquote_signer::{LocalSigner, PoolSigner, Signer, SignerError};

use crate::{Error, error::Context as _};

/// The nodes of each chain with `rpc_urls`.
pub(crate) struct Chains(Vec<Arc<ChainRpc>>);

/// Creates the clients of the configured nodes. Sends no request yet.
///
/// # Errors
/// For unusable addresses and certificates.
pub(crate) fn open(config: &Config, clock: &Arc<dyn Clock>) -> Result<Chains, Error> {
    let chains = config.chains.iter().enumerate();
    let nodes = chains.filter_map(|(position, chain)| chain.nodes.as_ref().map(|nodes| (position, nodes)));
    let open = |(position, nodes): (usize, &firmquote_config::NodesConfig)| {
        let rpc = ChainRpc::new(nodes.access.clone(), Arc::clone(clock));
        rpc.map(Arc::new).with_context(|| format!("chain[{position}].rpc_urls"))
    };
    Ok(Chains(nodes.map(open).collect::<Result<_, _>>()?))
}

impl Chains {
    /// Returns the nodes of a chain, if any.
    pub(crate) fn rpc(&self, chain: ChainId) -> Option<&Arc<ChainRpc>> {
        self.0.iter().find(|rpc| rpc.chain_id() == chain)
    }
}

/// Verifies a pool against its contract, its tokens and the nodes. Returns the inconclusive checks.
///
/// # Errors
/// With all mismatches between the configuration and the chain. The inner error is for nodes that cannot be queried at
/// the moment.
pub(crate) async fn verify(rpc: &ChainRpc, pool: &PoolConfig) -> Result<Result<Vec<String>, ChainError>, Error> {
    let PoolVerification { mismatches, inconclusive: unverified } =
        match verify_pool(rpc, &pool.pool, pool.signer.signer.address()).await {
            Ok(verified) => verified,
            Err(error) => return Ok(Err(error)),
        };
    if !mismatches.is_empty() {
        let mismatches: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
        return Err(mismatch(pool, &mismatches.join("; ")));
    }
    let mut open: Vec<String> = unverified.iter().map(ToString::to_string).collect();
    if matches!(pool.reserves, ReservesConfig::Chain) {
        match verify_events(rpc, pool.id(), SWAPPED_TOPIC).await {
            Ok(failures) => open.extend(failures.iter().map(|failure| format!("cannot read its events: {failure}"))),
            Err(error) => return Ok(Err(error)),
        }
    }
    // On a pool that does not verify packed expiries, the probe's offer would never expire.
    if !unverified.contains(&InconclusiveCheck::GoodUntil) {
        match verify_key(rpc, pool).await? {
            Ok(unverified) => open.extend(unverified),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(open))
}

/// Verifies the key of a pool against its contract. Returns the inconclusive checks.
async fn verify_key(rpc: &ChainRpc, pool: &PoolConfig) -> Result<Result<Option<String>, ChainError>, Error> {
    let probe = match recovery_probe(pool).await {
        Ok(Some(probe)) => probe,
        Ok(None) => return Ok(Ok(None)),
        Err(error) => {
            return Ok(Ok(Some(format!("cannot verify that the pool honors the signatures of its key: {error}"))));
        }
    };
    match verify_recovery(rpc, pool.id().address, &probe).await {
        Ok(RecoveryOutcome::Proven) => Ok(Ok(None)),
        Ok(RecoveryOutcome::Inconclusive) => Ok(Ok(Some(InconclusiveCheck::Recovery.to_string()))),
        Ok(RecoveryOutcome::AnySigner) => Err(mismatch(pool, "the pool honors signatures of any key")),
        Err(error) => Ok(Err(error)),
    }
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
    let call = async |signer: Arc<dyn Signer>| {
        let signed = PoolSigner::new(Arc::clone(&pool.pool), signer).sign_probe(destination).await?;
        Ok::<_, SignerError>(
            signed.map(|(offer, signature)| firmquote_calldata::encode(&offer, &terms(destination), &signature).into()),
        )
    };
    let ours = call(Arc::clone(&pool.signer.signer)).await?;
    let one = call(Arc::new(LocalSigner::random()?)).await?;
    let other = call(Arc::new(LocalSigner::random()?)).await?;
    Ok(ours.zip(one.zip(other)).map(|(configured, (one, other))| RecoveryProbe { configured, others: [one, other] }))
}

/// Terms of a plain `swap`, which checks the signature before anything that depends on balances.
const fn terms(destination: Address) -> Terms {
    Terms {
        destination,
        sender: destination,
        aux_data: B256::ZERO,
        native: NativeSide::Neither,
        transmit: false,
        guarantee: false,
    }
}
