//! Metrics of the desk: outstanding swaps and the age of this replica's copies of the books, the swaps of each client by
//! asset pair, broken promises of firm levels, revoked credentials, and the occupancy of a store in memory.

use std::sync::Arc;

use firmquote_desk::{FirmLevelsState, OperatorView, Pauses};
use firmquote_domain::{BasisPoints, Clock, Symbol, WholeTokens};
use firmquote_http::LiveService;
use firmquote_store::{Occupancy, Store};

use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float, set, set_age, set_value},
};

/// Metrics of the served pools: their reserves, fees and pauses, and their books.
pub(crate) struct PoolMetrics {
    pub(crate) live: Arc<LiveService>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl ScrapeMetrics for PoolMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let pool = &["chain_id", "pool"];
        let swaps = families.gauge(
            "firmquote_outstanding_swaps",
            "Swaps that are signed, not executed and not expired.",
            pool,
        )?;
        let age = families.gauge(
            "firmquote_book_age_seconds",
            "Time since this replica's copy of the book was complete.",
            pool,
        )?;
        let share = families.gauge(
            "firmquote_outstanding_share",
            "The part of the reserve that outstanding swaps may take out.",
            &["chain_id", "pool", "symbol"],
        )?;
        let limit = families.gauge(
            "firmquote_outstanding_share_limit",
            "The largest part of a reserve that may be outstanding; absent without a limit.",
            pool,
        )?;
        let token = &["chain_id", "pool", "symbol"];
        let reserve =
            families.gauge("firmquote_reserve_tokens", "The reserve of the token, in whole tokens.", token)?;
        let reserve_value = families.gauge(
            "firmquote_reserve_usd",
            "The value of the reserve at the last price of its asset.",
            token,
        )?;
        let target = families.gauge(
            "firmquote_reserve_target_usd",
            "The value of the token in the pool's target composition; absent unless all its assets have a price.",
            token,
        )?;
        let value = families.gauge("firmquote_pool_value_usd", "The value of all reserves of the pool.", pool)?;
        let paused = families.gauge("firmquote_pool_paused", "Whether the operator has paused the pool.", pool)?;
        let pair = &["chain_id", "pool", "pair"];
        let fee =
            families.gauge("firmquote_pair_fee_bps", "The fee of the pair for the default time_in_seconds.", pair)?;
        let best = families.gauge(
            "firmquote_pair_best_improvement_bps",
            "How much more than the value of its input the best quote of the pair gives; negative if it gives less.",
            pair,
        )?;
        let now = self.clock.now();
        for pool in self.live.desk().overview().pools {
            let spec = pool.pool.spec();
            let (chain_id, address) = (spec.id.chain_id.to_string(), spec.id.address.to_string());
            let labels = [chain_id.as_str(), address.as_str()];
            set(&swaps, &labels, float(pool.outstanding_swaps));
            set_age(&age, &labels, pool.book_updated_at, now);
            if let Some(max_share) = pool.max_outstanding_share {
                set(&limit, &labels, f64::from(max_share.hundredths()) / f64::from(BasisPoints::SCALE));
            }
            if let Some(is_paused) = pool.is_paused {
                set(&paused, &labels, f64::from(u8::from(is_paused)));
            }
            if let Some(usd) = pool.value_in_usd {
                set(&value, &labels, usd);
            }
            for (pair, overview) in spec.pairs.iter().zip(&pool.pairs) {
                let labels = [chain_id.as_str(), address.as_str(), &pair.to_string()];
                set(&fee, &labels, float(overview.fee));
                overview.best_improvement_in_basis_points.into_iter().for_each(|bps| set(&best, &labels, bps));
            }
            for (asset, overview) in spec.assets.iter().zip(&pool.assets) {
                let labels = [chain_id.as_str(), address.as_str(), asset.symbol.as_str()];
                if let Some(amount) = overview.reserve.value {
                    set(&reserve, &labels, float(WholeTokens(amount.base_units(), asset.decimals)));
                }
                if let Some(usd) = overview.value_in_usd {
                    set(&reserve_value, &labels, usd);
                }
                overview.target_value_in_usd.into_iter().for_each(|usd| set(&target, &labels, usd));
                overview.outstanding_share().into_iter().for_each(|part| set(&share, &labels, part));
            }
        }
        Ok(())
    }
}

/// The credentials that are revoked in the store.
pub(crate) struct RevocationMetrics(pub(crate) Arc<Pauses>);

impl ScrapeMetrics for RevocationMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let revoked = families.gauge(
            "firmquote_credential_revoked",
            "1 for each credential that is revoked on all replicas.",
            &["credential"],
        )?;
        self.0.revoked().iter().for_each(|id| set(&revoked, &[id], 1.0));
        Ok(())
    }
}

/// Metrics of the signatures recorded by the operator view, with their value.
pub(crate) struct VolumeMetrics(pub(crate) Arc<OperatorView>);

impl ScrapeMetrics for VolumeMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let mut counter = |name, help| families.counter(name, help, &["client", "input_asset", "output_asset"]);
        let signatures =
            counter("firmquote_client_signatures_total", "Signed swaps, each counted once, by client and pair.")?;
        let value = counter("firmquote_client_volume_usd_total", "Input value of signed swaps, in US dollars.")?;
        let settled =
            counter("firmquote_client_settled_total", "Settled swaps of all replicas, as seen by this replica.")?;
        let lapsed =
            counter("firmquote_client_lapsed_total", "Lapsed swaps of all replicas, as seen by this replica.")?;
        let edge = families.gauge(
            "firmquote_client_edge_usd",
            "Input value of signed swaps less their output value, at the prices of their quotes, in US dollars.",
            &["client", "input_asset", "output_asset"],
        )?;
        for volume in self.0.signatures.volumes() {
            let [input, output] = volume.symbols.each_ref().map(|symbol| symbol.as_ref().map_or("", Symbol::as_str));
            let labels = [volume.client.name().unwrap_or_default(), input, output];
            signatures.with_label_values(&labels).inc_by(float(volume.signatures));
            value.with_label_values(&labels).inc_by(volume.value_in_usd);
            set(&edge, &labels, volume.edge_in_usd);
            settled.with_label_values(&labels).inc_by(float(volume.settled));
            lapsed.with_label_values(&labels).inc_by(float(volume.lapsed));
        }
        Ok(())
    }
}

/// Metrics of the desk's counters of firm levels.
pub(crate) struct FirmLevelMetrics(pub(crate) Arc<FirmLevelsState>);

impl ScrapeMetrics for FirmLevelMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let breaches = families.counter(
            "firmquote_levels_breaches_total",
            "Refusals of quotes and signatures that live firm levels had promised.",
            &["reason"],
        )?;
        let failures = families.counter(
            "firmquote_levels_store_failures_total",
            "Failures of the store to hold firm levels or to release reserved inputs.",
            &[],
        )?;
        for (reason, count) in self.0.breaches() {
            breaches.with_label_values(&[reason.name()]).inc_by(float(count));
        }
        failures.with_label_values::<&str>(&[]).inc_by(float(self.0.store_failures()));
        Ok(())
    }
}

/// The number of live quotes and the capacity of a store; nothing for a remote store.
pub(crate) struct OccupancyMetrics(pub(crate) Arc<dyn Store>);

impl ScrapeMetrics for OccupancyMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let live =
            families.gauge("firmquote_store_quotes", "Live quotes in the memory store, signed ones included.", &[])?;
        let maximum = families.gauge(
            "firmquote_store_capacity_quotes",
            "Maximum number of live quotes in the memory store.",
            &[],
        )?;
        if let Some(Occupancy { quotes, capacity }) = self.0.occupancy() {
            set_value(&live, float(quotes));
            set_value(&maximum, float(capacity));
        }
        Ok(())
    }
}
