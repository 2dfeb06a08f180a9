//! Calls of a swap, signed by the key of a pool and by strangers, for a simulation that shows whose signatures count.

use std::sync::Arc;

use firmquote_config::PoolConfig;
use firmquote_domain::{Address, B256, NativeSide, Terms};
use firmquote_market::chain::RecoveryProbe;
use firmquote_signer::{LocalSigner, PoolSigner, Signer, SignerError};

/// The calls for `pool`; `None` for a pool that has nothing to swap.
///
/// # Errors
/// [`SignerError`] when the key of the pool cannot be asked.
pub(crate) async fn build(pool: &PoolConfig) -> Result<Option<RecoveryProbe>, SignerError> {
    // An account that nobody has.
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
    Ok(ours.zip(one.zip(other)).map(|(ours, (one, other))| RecoveryProbe { ours, strangers: [one, other] }))
}

/// `swap`, which looks at the signature before anything that depends on balances.
const fn terms(destination: Address) -> Terms {
    Terms { destination, sender: destination, aux_data: B256::ZERO, native: NativeSide::Neither, transmit: false }
}
