//! What pools show of themselves.

use std::sync::Arc;

use firmquote_domain::{Address, ChainId, Pair};
use firmquote_pricing::{Side, fee, target_values_in_usd, value_in_usd};
use firmquote_signer::PoolSigner;

use crate::{Desk, DeskError, PoolView, pairing::side, quote::allowed_time};

impl Desk {
    /// The chain's default pool: the first that is configured.
    ///
    /// # Errors
    /// Those of [`Self::pools`].
    pub fn default_pool(&self, chain_id: ChainId, time_in_seconds: Option<u32>) -> Result<PoolView, DeskError> {
        let pools = self.pools_of(chain_id, None)?;
        let first = pools.first().ok_or_else(|| DeskError::Internal("a chain without pools".into()))?;
        self.view(first, time_in_seconds)
    }

    /// The pools of a chain in configured order, or the one that is named. A pool that does not allow
    /// `time_in_seconds` is left out, unless none does.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] for a chain or pool that is not there, [`DeskError::NotAllowed`] for a
    /// `time_in_seconds` out of every pool's range, [`DeskError::Market`] when nothing is known of a pool's reserves.
    pub fn pools(
        &self,
        chain_id: ChainId,
        pool_address: Option<Address>,
        time_in_seconds: Option<u32>,
    ) -> Result<Vec<PoolView>, DeskError> {
        let (mut views, mut refusal) = (Vec::new(), None);
        for signer in self.pools_of(chain_id, pool_address)? {
            match self.view(signer, time_in_seconds) {
                Ok(view) => views.push(view),
                Err(error @ DeskError::NotAllowed { .. }) => refusal = Some(error),
                Err(error) => return Err(error),
            }
        }
        refusal.filter(|_| views.is_empty()).map_or(Ok(views), Err)
    }

    fn view(&self, signer: &PoolSigner, time_in_seconds: Option<u32>) -> Result<PoolView, DeskError> {
        let pool = signer.pool();
        let spec = pool.spec();
        let time_in_seconds = allowed_time(spec, time_in_seconds)?;
        let unknown = || DeskError::Market(spec.id);
        let state = Arc::clone(self.market.snapshot().pool(spec.id).ok_or_else(unknown)?);
        let sides: Option<Vec<Side>> = spec.assets.iter().enumerate().map(|asset| side(asset, &state)).collect();
        let sides = sides.ok_or_else(unknown)?;
        let values: Vec<f64> = sides.iter().map(|side| value_in_usd(side.reserve, side.price, side.decimals)).collect();
        let fee_of = |pair: &Pair| fee(&pair.fee, spec.acceptance_window_seconds, time_in_seconds);
        Ok(PoolView {
            fees: spec.pairs.iter().map(fee_of).collect(),
            value_in_usd: values.iter().sum(),
            values_in_usd: values,
            target_values_in_usd: target_values_in_usd(&sides),
            pool: Arc::clone(pool),
            state,
            time_in_seconds,
        })
    }
}
