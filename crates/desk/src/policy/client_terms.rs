//! What single clients may trade, and within which limits, beside the policy of each pool.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use arc_swap::ArcSwap;
use firmquote_domain::{
    Address, BasisPoints, ChainId, Client, FeeAdjustment, GoodUntilKind, Pair, PoolId, PoolSpec, Symbol, Usd,
};
use firmquote_pricing::fee;

/// The terms of a client; the default restricts nothing. A limit counts where it is lower than that of the pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientTerms {
    /// The chains that it may trade on; all if absent.
    pub chains: Option<BTreeSet<ChainId>>,
    /// The pools that it may trade with, by their addresses; all if absent.
    pub pools: Option<BTreeSet<Address>>,
    /// The pairs that it may trade, in both directions; all if absent.
    pub pairs: Option<BTreeSet<[Symbol; 2]>>,
    /// How the fees of its quotes are adjusted.
    pub fee_adjustment: FeeAdjustment,
    /// The largest single trade.
    pub max_trade: Option<Usd>,
    /// The largest total signed per minute.
    pub max_per_minute: Option<Usd>,
    /// The largest share of the reserve of an output token that is outstanding.
    pub max_outstanding: Option<BasisPoints>,
}

impl ClientTerms {
    /// Whether the client may trade these assets of a pool.
    pub(crate) fn allows(&self, pool: PoolId, assets: [&Symbol; 2]) -> bool {
        let is_pair = |pair: &[Symbol; 2]| pair.iter().all(|symbol| assets.contains(&symbol));
        self.chains.as_ref().is_none_or(|chains| chains.contains(&pool.chain_id))
            && self.pools.as_ref().is_none_or(|pools| pools.contains(&pool.address))
            && self.pairs.as_ref().is_none_or(|pairs| pairs.iter().any(is_pair))
    }
}

/// Returns the least fee that the discount of a client leaves on a pool: 1 basis point if its contract checks the signed
/// amounts against its curve or balances, and 0.01 otherwise.
pub(crate) fn min_discounted_fee(spec: &PoolSpec) -> BasisPoints {
    let hundredths = if spec.good_until == GoodUntilKind::Verified { 100 } else { 1 };
    BasisPoints::from_hundredths(hundredths).unwrap_or_default()
}

/// Returns the pairs of a pool on which quotes of the shortest time have less of a discount than `adjustment`, each with
/// the fee of such a quote.
pub fn capped_discounts(spec: &PoolSpec, adjustment: FeeAdjustment) -> Vec<(&Pair, BasisPoints)> {
    let least = min_discounted_fee(spec);
    let fee_of = |pair: &Pair| fee(&pair.fee, spec.acceptance_window_seconds, spec.min_time_in_seconds);
    let is_cut = |fee: BasisPoints| {
        adjustment.is_discount() && fee.hundredths() < least.hundredths().saturating_add(adjustment.size().hundredths())
    };
    let fees = spec.pairs.iter().map(|pair| (pair, fee_of(pair)));
    fees.filter(|(_, fee)| is_cut(*fee)).map(|(pair, fee)| (pair, adjustment.apply(fee, least))).collect()
}

/// The terms of all clients that have any, replaced as a whole. Reading takes no lock.
#[derive(Debug, Default)]
pub(crate) struct ClientTermsTable(ArcSwap<HashMap<Arc<str>, Arc<ClientTerms>>>);

impl ClientTermsTable {
    /// Replaces all terms.
    pub(crate) fn replace(&self, terms: &HashMap<Arc<str>, ClientTerms>) {
        let terms = terms.iter().map(|(client, terms)| (Arc::clone(client), Arc::new(terms.clone())));
        self.0.store(Arc::new(terms.collect()));
    }

    /// Returns the terms of a client; `None` if it has none of its own.
    pub(crate) fn find(&self, client: &Client) -> Option<Arc<ClientTerms>> {
        self.0.load().get(client.name()?).cloned()
    }
}
