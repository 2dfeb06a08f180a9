//! What the best quote of a pair gives against the prices: the operator's measure of how far a pool is from its target.

use firmquote_domain::{BasisPoints, Pair, PoolSpec, Symbol};
use firmquote_pricing::{PairAsset, PairState, best_improvement_in_basis_points};

use super::display::PoolView;

impl PoolView {
    /// Returns how much more than the value of its input the best quote of each pair gives, in either direction and in
    /// basis points, negative if it gives less; `None` for a pair that is not currently quoted. For display only.
    pub fn best_improvements_in_basis_points(&self) -> Vec<Option<f64>> {
        let spec = self.pool.spec();
        let pairs = spec.pairs.iter().zip(&self.fees);
        pairs.map(|(pair, fee)| best_improvement(spec, pair, (*fee)?, |symbol| self.side(symbol))).collect()
    }

    /// Returns the asset as the curve has it, without what is outstanding; `None` while its state is not trusted.
    pub(super) fn side(&self, symbol: &Symbol) -> Option<PairAsset> {
        let (position, asset) = self.pool.asset(symbol.as_str())?;
        let view = self.assets.get(position)?;
        Some(PairAsset { reserve: view.reserve?, price: view.price?, weight: asset.weight, decimals: asset.decimals })
    }
}

/// See [`PoolView::best_improvements_in_basis_points`].
pub(super) fn best_improvement(
    spec: &PoolSpec,
    pair: &Pair,
    fee: BasisPoints,
    side: impl Fn(&Symbol) -> Option<PairAsset>,
) -> Option<f64> {
    let [first, second] = [side(&pair.assets[0])?, side(&pair.assets[1])?];
    let best = |input, output| {
        let (k, max_improvement) = (spec.k, spec.max_improvement);
        best_improvement_in_basis_points(&PairState { input, output, k, fee, max_improvement })
    };
    Some(best(first, second).max(best(second, first)))
}
