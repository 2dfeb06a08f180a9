//! Warnings about configurations that are valid but probably unintended.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    net::IpAddr,
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use firmquote_config::{Config, OtlpConfig, PoolConfig, ReservesConfig, StoreConfig};
use firmquote_desk::{PoolView, capped_discounts};
use firmquote_domain::{BasisPoints, FeeAdjustment, GoodUntilKind, Pair, PoolId, PoolSpec, Price, Symbol};
use firmquote_http::ClientCredential;

use super::development_accounts;
use crate::{Error, assembly::REPLAYABLE, environment::system_environment, error::Context as _, redis};

/// Minimum base fee without a warning for a verified pool, 1 basis point, in hundredths of a basis point.
const MIN_FEE_HUNDREDTHS: u32 = 100;
/// Factor below its target at which an asset's value looks like a misconfiguration: a wrong power of ten always exceeds
/// it for some asset.
const MAX_TARGET_RATIO: f64 = 10.0;
/// Maximum annual volatility of a pair, 5 %, whose two assets are meant to be worth the same.
const STABLE_VOLATILITY_STEPS: u32 = 5_000_000;
/// Minimum half-life without a warning, in seconds: a shorter one measures noise rather than volatility.
const MIN_HALF_LIFE_SECONDS: u32 = 60;

/// The suffix that is appended to the path of `otlp.endpoint`.
const TRACES_PATH: &str = "/v1/traces";

/// Collects all warnings about `config`, read from `file`, with these credentials; `views` are its pools in order, as far
/// as their state is known.
///
/// # Errors
/// When the permissions of a file cannot be read.
pub(super) fn warnings(
    config: &Config,
    credentials: &[ClientCredential],
    views: &[Option<PoolView>],
    file: &Path,
) -> Result<Vec<String>, Error> {
    let access = access_warnings(config, credentials.iter().filter(|credential| credential.is_enabled).count(), file);
    let mut warnings = access.with_context(|| format!("{}: its permissions", file.display()))?;
    warnings.extend(config.otlp.iter().filter_map(otlp_warning));
    warnings.extend(ledger_warning(&config.store));
    warnings.extend(state_dir_warning(&config.store));
    let demo_pools = Config::demo_pools(&system_environment())?;
    for (position, (pool, view)) in config.pools.iter().zip(views).enumerate() {
        let found = pool_warnings(config, pool, view.as_ref(), &demo_pools).into_iter();
        warnings.extend(found.map(|(key, text)| format!("pool[{position}].{key}: {text}")));
    }
    warnings.extend(terms_warnings(config, credentials));
    warnings.extend(discount_warnings(config, credentials));
    Ok(warnings)
}

/// Warns about discounts of clients that are cut to the least fee.
fn discount_warnings(config: &Config, credentials: &[ClientCredential]) -> Vec<String> {
    let enabled = credentials.iter().filter(|one| one.is_enabled);
    let adjustments: BTreeMap<&str, FeeAdjustment> =
        enabled.map(|one| (one.credential.client().as_str(), one.terms.fee_adjustment)).collect();
    let mut warnings = Vec::new();
    for (client, adjustment) in adjustments {
        for spec in config.pools.iter().map(|pool| pool.pool.spec()) {
            warnings.extend(capped_discounts(spec, adjustment).into_iter().map(|(pair, fee)| {
                let ([first, second], time) = (&pair.assets, spec.min_time_in_seconds);
                format!(
                    "credential of {client}: fee_adjust_bps {adjustment} is cut on {first}/{second} of {}: {fee} bp are left of the \
                     fee for {time} s",
                    spec.id
                )
            }));
        }
    }
    warnings
}

/// Warnings about access to the service and to the files.
fn access_warnings(config: &Config, credentials: usize, file: &Path) -> io::Result<Vec<String>> {
    let mut warnings = Vec::new();
    if config.limits.anonymous {
        warnings.push("limits.anonymous: quotes and signatures are given without credentials".to_owned());
    } else if credentials == 0 {
        warnings.push("credential: none, and limits.anonymous is false: no client can get a quote".to_owned());
    }
    if !is_inside(config.server.admin_bind.ip()) {
        warnings.push(format!(
            "server.admin_bind: {} may be reachable from outside; metrics should not be public",
            config.server.admin_bind
        ));
    }
    let has_hashes = !config.credentials.is_empty() || !config.operators.is_empty();
    for file in has_hashes.then_some(file).into_iter().chain(config.credentials_file.as_deref()) {
        let mode = fs::metadata(file)?.permissions().mode();
        if mode & 0o004 != 0 {
            warnings.push(format!(
                "{} can be read by others (mode {:o}); it holds hashes of credentials",
                file.display(),
                mode & 0o777
            ));
        }
    }
    Ok(warnings)
}

/// Warns when the record of signatures is lost at a restart.
fn ledger_warning(store: &StoreConfig) -> Option<String> {
    let memory = store.memory()?;
    memory.ledger_file.is_none().then(|| {
        "store.ledger_file: not set; the memory store keeps no record of signatures beyond this process, and no hedges"
            .to_owned()
    })
}

/// Warns when pauses end with the process.
fn state_dir_warning(store: &StoreConfig) -> Option<String> {
    let is_missing = store.memory()?.state_directory.is_none();
    is_missing
        .then(|| "store.state_dir: not set; with the memory store a restart ends every pause and revocation".to_owned())
}

/// Warns about terms of clients that name a chain, a pool or a pair that there is not.
fn terms_warnings(config: &Config, credentials: &[ClientCredential]) -> Vec<String> {
    let specs = || config.pools.iter().map(|pool| pool.pool.spec());
    let has_pair = |wanted: &[Symbol; 2]| {
        let is_wanted = |pair: &Pair| wanted.iter().all(|symbol| pair.assets.contains(symbol));
        specs().any(|spec| spec.pairs.iter().any(is_wanted))
    };
    let mut warnings = BTreeSet::new();
    for ClientCredential { credential, terms, .. } in credentials.iter().filter(|one| one.is_enabled) {
        let mut warn = |key: &str, name: String| {
            let client = credential.client().as_str();
            warnings.insert(format!("credential of {client}: {key} has {name}, which no [[pool]] has"));
        };
        for chain in terms.chains.iter().flatten().filter(|chain| specs().all(|spec| spec.id.chain_id != **chain)) {
            warn("chains", chain.to_string());
        }
        for pool in terms.pools.iter().flatten().filter(|pool| specs().all(|spec| spec.id.address != **pool)) {
            warn("pools", pool.to_string());
        }
        for [first, second] in terms.pairs.iter().flatten().filter(|pair| !has_pair(pair)) {
            warn("pairs", format!("{first}-{second}"));
        }
    }
    warnings.into_iter().collect()
}

/// Warns about a collector address that includes the signal path, as other exporters expect it.
fn otlp_warning(otlp: &OtlpConfig) -> Option<String> {
    let endpoint = otlp.traces.path().strip_suffix(TRACES_PATH)?;
    endpoint
        .ends_with(TRACES_PATH)
        .then(|| format!("otlp.endpoint: it ends with {TRACES_PATH}, which is appended automatically; omit it"))
}

/// Returns the warnings of one pool, as keys relative to the pool with their text.
fn pool_warnings(
    config: &Config,
    pool: &PoolConfig,
    view: Option<&PoolView>,
    demo_pools: &[PoolId],
) -> Vec<(String, String)> {
    let spec = pool.pool.spec();
    let mut found = Vec::new();
    let mut warn = |key: &str, text: String| found.push((key.to_owned(), text));
    if demo_pools.contains(&spec.id) {
        warn("address", "this is the address in the examples; use that of your own contract".to_owned());
    }
    if matches!(pool.reserves, ReservesConfig::Chain) && !pool.breakers.is_on() {
        let text = match &config.store {
            StoreConfig::Memory(memory) if memory.state_directory.is_none() => {
                "off: without store.state_dir a restart would end what they stop"
            }
            _ => "all are \"none\": nothing stops the pool when it loses value",
        };
        warn("breakers", text.to_owned());
    }
    market_warnings(config, pool, view, demo_pools, &mut warn);
    let account = pool.signer.signer.address();
    if development_accounts::is_public(account) {
        let text = format!(
            "the private key of {account} is public: development nodes (Anvil, Hardhat, Ganache) ship with it; anyone \
             can drain a pool that it signs for"
        );
        warn("signer", text);
    }
    let chain = config.chains.iter().find(|chain| chain.id == spec.id.chain_id);
    if let Some(chain) =
        chain.filter(|chain| spec.assets.iter().all(|asset| asset.address != chain.chain.wrapped_native))
    {
        warn(
            "asset",
            format!("wrapped {} is not listed: no swaps from or to the native coin", chain.chain.native_symbol),
        );
    }
    if spec.good_until == GoodUntilKind::Verified {
        verified_pool_warnings(spec, &mut warn);
    }
    if spec.max_improvement.is_none() {
        warn("max_improvement_bps", unbounded_text(view));
    }
    if spec.is_replayable() {
        warn("single_use", REPLAYABLE.to_owned());
    }
    if redis::is_book_per_master(config, spec) {
        let text = "a failover may lose which swaps are outstanding, and nothing but that keeps signatures of this pool from \
                    draining it: set store.wait_replicas to 1 or more, and min-replicas-to-write in Redis";
        warn("good_until", text.to_owned());
    }
    let fees = view.map_or(&[][..], |view| &view.fees);
    let fees = spec.pairs.iter().zip(fees).filter_map(|(pair, fee)| Some((pair, (*fee)?)));
    for (pair, fee) in fees.filter(|(_, fee)| spec.last_look_tolerance > *fee) {
        let [first, second] = &pair.assets;
        let tolerance: BasisPoints = spec.last_look_tolerance;
        warn(
            "last_look_tolerance_bps",
            format!("{tolerance} bp may be lost at signing, more than {first}/{second} earns ({fee} bp)"),
        );
    }
    let estimated = pool.volatilities.iter().enumerate().filter_map(|(position, rule)| Some((position, (*rule)?)));
    for (position, rule) in estimated.filter(|(_, rule)| rule.half_life_seconds < MIN_HALF_LIFE_SECONDS) {
        let text =
            format!("{} s hold few samples: the fee jumps, and quotes are refused at signing", rule.half_life_seconds);
        warn(&format!("pair[{position}].volatility_half_life_seconds"), text);
    }
    found
}

/// Warns about static prices and reserves, zero fees, and pool shares that suggest a wrong number of decimals.
fn market_warnings(
    config: &Config,
    pool: &PoolConfig,
    view: Option<&PoolView>,
    demo_pools: &[PoolId],
    warn: &mut impl FnMut(&str, String),
) {
    let spec = pool.pool.spec();
    for (position, asset) in spec.assets.iter().enumerate() {
        let pairs = || spec.pairs.iter().filter(|pair| pair.assets.contains(&asset.symbol));
        let is_calm = |pair: &Pair| pair.fee.annual_volatility.steps() <= STABLE_VOLATILITY_STEPS;
        let is_dollar = pool.prices.get(position).is_some_and(|price| price.steps() == Price::SCALE);
        if config.prices.is_from_file(&asset.symbol) && !is_dollar && pairs().next().is_some() && !pairs().any(is_calm)
        {
            let text = format!(
                "the price of {} is fixed in the file while its market price moves; add a [[price_source]]",
                asset.symbol
            );
            warn(&format!("asset[{position}].price_usd"), text);
        }
    }
    if matches!(pool.reserves, ReservesConfig::Static(..)) && !demo_pools.contains(&spec.id) {
        let text = "they are fixed in the file and do not follow the swaps of the pool; set \"chain\", with rpc_urls in the \
                    [[chain]]";
        warn("reserves", text.to_owned());
    }
    let Some(view) = view else { return };
    for (position, (pair, fee)) in spec.pairs.iter().zip(&view.fees).enumerate() {
        if fee.is_some_and(|fee| fee.hundredths() == 0) {
            let [first, second] = &pair.assets;
            warn(&format!("pair[{position}].base_fee_bps"), format!("{first}/{second} trades without a fee"));
        }
    }
    let values = view.assets.iter().map(|asset| asset.value_in_usd.zip(asset.target_value_in_usd));
    for (position, (values, asset)) in values.zip(&spec.assets).enumerate() {
        if let Some((value, target)) = values
            && value * MAX_TARGET_RATIO < target
        {
            let text = format!(
                "{} is worth {value:.2} USD in the pool and its weight targets {target:.2} USD: check its decimals, \
                 reserve and price",
                asset.symbol
            );
            warn(&format!("asset[{position}].decimals"), text);
        }
    }
}

/// Describes what a pool without a bound gives at present.
fn unbounded_text(view: Option<&PoolView>) -> String {
    let text = "not set; the farther the pool is from its target, the more than the prices it gives, without a bound";
    let best = view.and_then(|view| {
        let pairs = view.pool.spec().pairs.iter().zip(view.best_improvements_in_basis_points());
        pairs.filter_map(|(pair, best)| Some((pair, best?))).max_by(|(_, one), (_, other)| one.total_cmp(other))
    });
    best.map_or_else(|| text.to_owned(), |(pair, best)| format!("{text} ({pair} at best {best:+.2} bp at present)"))
}

/// Warns about settings with which a contract that checks the invariant refuses swaps.
fn verified_pool_warnings(spec: &PoolSpec, warn: &mut impl FnMut(&str, String)) {
    for (position, pair) in spec.pairs.iter().enumerate() {
        if pair.fee.base.hundredths() < MIN_FEE_HUNDREDTHS {
            warn(
                &format!("pair[{position}].base_fee_bps"),
                format!("{} bp is below 1 bp; with a fee this low the contract refuses many swaps", pair.fee.base),
            );
        }
    }
    if spec.min_trade < PoolSpec::DEFAULT_MIN_TRADE {
        let (min, least) = (spec.min_trade, PoolSpec::DEFAULT_MIN_TRADE);
        let text = format!("{min} USD is below {least} USD; the contract occasionally refuses tiny swaps");
        warn("min_trade_usd", text);
    }
}

/// Whether an address is loopback, link-local or of a private network.
fn is_inside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    }
}
