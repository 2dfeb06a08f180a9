//! A readable summary of a configuration. It contains no secrets.

use std::{
    fmt::Display,
    io::{self, Write},
};

use firmquote_config::{Config, OtlpConfig, PoolConfig, ReservesConfig, StoreConfig};
use firmquote_desk::{Limit, OutstandingPolicy, PairOutstandingLimits, PoolView, SigningPolicy};
use firmquote_domain::{Client, Price, Usd};
use firmquote_market::VolatilityParameters;

/// Writes the summary of a configuration. `credentials` is the number of credentials; `views` are the pools in the
/// order of the configuration, `None` where the state of a pool is unknown.
pub(super) fn write(
    out: &mut impl Write,
    config: &Config,
    credentials: usize,
    views: &[Option<PoolView>],
) -> io::Result<()> {
    let server = &config.server;
    let tls = if server.tls.is_some() { ", with TLS" } else { "" };
    match server.bind_v2 {
        None => writeln!(out, "server       {} (version 1 and 2){tls}", server.bind)?,
        Some(second) => writeln!(out, "server       {} (version 1), {second} (version 2){tls}", server.bind)?,
    }
    writeln!(out, "admin        {}", server.admin_bind)?;
    write_store(out, &config.store)?;
    let anonymous = if config.limits.anonymous { "accepts anonymous requests" } else { "requires credentials" };
    let basic = if config.basic.is_switched_off { "; Basic is disabled" } else { "" };
    writeln!(out, "credentials  {}{basic}; version 1 {anonymous}", credentials)?;
    let proxies: Vec<_> = server.trusted_proxies.iter().map(ToString::to_string).collect();
    if !proxies.is_empty() {
        writeln!(out, "proxies      {}: trusted to report client addresses", proxies.join(", "))?;
    }
    config.otlp.iter().try_for_each(|otlp| write_otlp(out, otlp))?;
    writeln!(out)?;
    config.pools.iter().zip(views).try_for_each(|(pool, view)| write_pool(out, config, pool, view.as_ref()))
}

/// Writes a title and a line for each item; nothing if there are no items.
pub(super) fn write_section(out: &mut impl Write, title: &str, items: &[impl Display]) -> io::Result<()> {
    if !items.is_empty() {
        writeln!(out, "{title}")?;
    }
    items.iter().try_for_each(|item| writeln!(out, "- {item}"))
}

fn write_store(out: &mut impl Write, store: &StoreConfig) -> io::Result<()> {
    match store {
        StoreConfig::Memory(memory) => {
            writeln!(out, "store        {store}, at most {} quotes", memory.max_quotes)?;
            if let Some(path) = &memory.ledger_file {
                writeln!(out, "  ledger     every signature, appended to {}", path.display())?;
            }
        }
        #[cfg(feature = "redis")]
        StoreConfig::Redis(redis) => {
            writeln!(out, "store        {store}")?;
            writeln!(
                out,
                "  keys       start with {}:, calls time out after {} ms",
                redis.prefix,
                redis.timeout.as_millis()
            )?;
            writeln!(
                out,
                "  records    kept for {} s after good_until, replicas that must acknowledge each: {}",
                redis.status_retention_seconds, redis.wait_replicas
            )?;
            writeln!(
                out,
                "  ledger     every signature, in the stream {}:signed for {} s",
                redis.prefix, redis.ledger_max_age_seconds
            )?;
        }
    }
    Ok(())
}

/// Writes the exporter settings without the endpoint's path, which contains credentials for some collectors.
fn write_otlp(out: &mut impl Write, otlp: &OtlpConfig) -> io::Result<()> {
    let (scheme, host) = (otlp.traces.scheme_str(), otlp.traces.authority());
    writeln!(
        out,
        "spans        to {}://{}, sampling {} of the traces started here; custom headers: {}",
        scheme.unwrap_or_default(),
        host.map_or("", |host| host.as_str()),
        otlp.sample_ratio,
        otlp.headers.len()
    )
}

fn write_pool(out: &mut impl Write, config: &Config, pool: &PoolConfig, view: Option<&PoolView>) -> io::Result<()> {
    let spec = pool.pool.spec();
    let kind = spec.good_until.name();
    let chain = config.chains.iter().find(|chain| chain.id == spec.id.chain_id);
    let chain = chain.map_or("unnamed", |chain| chain.chain.name.as_str());
    let swaps = if spec.swaps_enabled { "" } else { ", swaps disabled" };
    writeln!(out, "pool {} on {chain} ({}), {kind}{swaps}", spec.id.address, spec.id.chain_id)?;
    writeln!(out, "  signed by    {} ({})", pool.signer.signer.address(), pool.signer.name)?;
    writeln!(out, "  domain       {} {}", spec.domain.name, spec.domain.version)?;
    writeln!(
        out,
        "  quotes       accepted within {} s, valid for {} s more by default ({} to {})",
        spec.acceptance_window_seconds,
        spec.default_time_in_seconds,
        spec.min_time_in_seconds,
        spec.max_time_in_seconds
    )?;
    writeln!(
        out,
        "  curve        k {}{}, last look {} bp, trades from {} USD",
        spec.k,
        spec.max_improvement.map(|bound| format!(", at most {bound} bp over the prices")).unwrap_or_default(),
        spec.last_look_tolerance,
        spec.min_trade
    )?;
    writeln!(out, "  signs        {}", signing(&pool.policy, view.and_then(|view| view.value_in_usd)))?;
    writeln!(out, "  outstanding  {}", outstanding(&pool.policy.outstanding))?;
    let reserves = match pool.reserves {
        ReservesConfig::Static(..) => "from the configuration",
        ReservesConfig::Chain => "read from the chain",
    };
    writeln!(out, "  reserves     {reserves}")?;
    let Some(view) = view else { return writeln!(out) };
    writeln!(out, "  value        {:.2} USD", view.value_in_usd.unwrap_or_default())?;
    write_assets(out, view)?;
    write_pairs(out, pool, view)?;
    write_outstanding_limits(out, &pool.policy.outstanding, view)?;
    writeln!(out)
}

/// Describes the limits and rules of a signing policy for a pool of this value.
fn signing(policy: &SigningPolicy, value_in_usd: Option<f64>) -> String {
    let SigningPolicy {
        max_trade,
        max_per_minute,
        max_per_minute_of_client,
        max_per_minute_of_anonymous,
        outstanding: _,
        firm_levels: _,
        max_pool_value: _,
        pause_on_replay: _,
        is_unproved,
        destinations,
        senders,
    } = policy;
    let limits = [
        (max_trade, "per trade"),
        (max_per_minute, "per minute"),
        (max_per_minute_of_client, "per minute and client"),
        (max_per_minute_of_anonymous, "per minute for all anonymous clients"),
    ];
    let limits =
        limits.into_iter().filter_map(|(limit, of)| Some(format!("at most {} {of}", amount(*limit, value_in_usd)?)));
    let rules = [(destinations, "destinations"), (senders, "senders")].into_iter().flat_map(|(rule, of)| {
        let allowed = rule.allowed.as_ref().map(|accounts| format!("{} {of} allowed", accounts.len()));
        let denied = (!rule.denied.is_empty()).then(|| format!("{} {of} denied", rule.denied.len()));
        allowed.into_iter().chain(denied)
    });
    let unproved = is_unproved.then(|| "one at a time until the contract has executed one".to_owned());
    let all: Vec<_> = limits.chain(rules).chain(unproved).collect();
    if all.is_empty() { "every quote".to_owned() } else { all.join(", ") }
}

/// Describes the limits on outstanding swaps.
fn outstanding(policy: &OutstandingPolicy) -> String {
    let shares = [
        (policy.max_share, ""),
        (policy.max_share_of_client, " per client"),
        (policy.max_share_of_anonymous, " for all anonymous clients"),
    ];
    let shares = shares.into_iter().filter_map(|(share, of)| {
        Some(format!("at most {} % of the reserve{of}", f64::from(share?.hundredths()) / 10_000.0))
    });
    let shares: Vec<String> = shares.collect();
    if shares.is_empty() { "any amount".to_owned() } else { shares.join(", ") }
}

/// Describes a limit: in US dollars, or as a share of the pool's value with the current amount in US dollars.
fn amount(limit: Limit, value_in_usd: Option<f64>) -> Option<String> {
    match (limit, value_in_usd) {
        (Limit::None, _) => None,
        (Limit::Usd(limit), _) => Some(format!("{limit} USD")),
        (Limit::Share(share), value) => {
            let percent = f64::from(share.hundredths()) / 10_000.0;
            let at_present = value.map(|value| format!(" ({:.2} USD at present)", value * percent / 100.0));
            Some(format!("{percent} % of its value{}", at_present.unwrap_or_default()))
        }
    }
}

fn write_assets(out: &mut impl Write, view: &PoolView) -> io::Result<()> {
    let (spec, total) = (view.pool.spec(), view.value_in_usd.unwrap_or_default());
    let share = |value: f64| if total > 0.0 { 100.0 * value / total } else { 0.0 };
    let width = spec.assets.iter().map(|asset| asset.symbol.as_str().len()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "\n  {:<width$}  {:>6}  {:>20}  {:>18}  {:>8}  {:>8}",
        "asset", "weight", "price in USD", "value in USD", "share", "target"
    )?;
    for (asset, asset_view) in spec.assets.iter().zip(&view.assets) {
        let price = asset_view.price.map_or_else(|| "unknown".to_owned(), |price| price.to_string());
        let [value, target] = [asset_view.value_in_usd, asset_view.target_value_in_usd].map(Option::unwrap_or_default);
        writeln!(
            out,
            "  {:<width$}  {:>6}  {:>20}  {value:>18.2}  {:>6.2} %  {:>6.2} %",
            asset.symbol.as_str(),
            asset.weight.get(),
            price,
            share(value),
            share(target)
        )?;
    }
    Ok(())
}

fn write_pairs(out: &mut impl Write, pool: &PoolConfig, view: &PoolView) -> io::Result<()> {
    let spec = view.pool.spec();
    let names: Vec<_> = spec.pairs.iter().map(|pair| pair.to_string()).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max(5);
    let fee = format!("fee at {} s", view.time_in_seconds);
    writeln!(out, "\n  {:<width$}  {:>12}  {fee:>15}  {:>14}", "pair", "base fee", "best quote")?;
    let best = view.best_improvements_in_basis_points();
    let fees = spec.pairs.iter().zip(&view.fees).zip(&pool.volatilities).zip(best);
    for (name, (((pair, fee), rule), best)) in names.iter().zip(fees) {
        let unknown = || "unknown".to_owned();
        write!(
            out,
            "  {name:<width$}  {:>9} bp  {:>12} bp  {:>11} bp",
            pair.fee.base.to_string(),
            fee.map_or_else(unknown, |fee| fee.to_string()),
            best.map_or_else(unknown, |best| format!("{best:+.2}")),
        )?;
        if let Some(VolatilityParameters { half_life_seconds, floor, ceiling }) = rule {
            write!(out, "  until estimated (half-life {half_life_seconds} s, {floor} to {ceiling} a year)")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes what may be signed and not executed at a time, for each pair in both directions.
fn write_outstanding_limits(out: &mut impl Write, policy: &OutstandingPolicy, view: &PoolView) -> io::Result<()> {
    let clients = [Client::Named("".into()), Client::Anonymous];
    let [named, anonymous] = clients.map(|client| view.outstanding_limits(policy, &client));
    let names: Vec<_> = named.iter().map(|limits| format!("{} to {}", limits.input, limits.output)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max(18);
    let heads = ["first trade", "per client", "first, anon.", "all anon.", "all clients"];
    let [first, client, first_anonymous, all_anonymous, all] = heads;
    writeln!(
        out,
        "\n  {:<width$}  {first:>14}  {client:>14}  {first_anonymous:>14}  {all_anonymous:>14}  {all:>14}",
        "outstanding in USD"
    )?;
    // Whole dollars, rounded down.
    let text = |limit: Option<Usd>| {
        limit.map_or_else(|| "any".to_owned(), |limit| (limit.steps() / 10_u64.pow(Price::DECIMALS.into())).to_string())
    };
    for (name, (named, anonymous)) in names.iter().zip(named.iter().zip(&anonymous)) {
        let of = |limits: &PairOutstandingLimits| [limits.first_trade, limits.of_client].map(text);
        let ([first, client], [first_anonymous, all_anonymous]) = (of(named), of(anonymous));
        let all = text(named.of_pool);
        writeln!(
            out,
            "  {name:<width$}  {first:>14}  {client:>14}  {first_anonymous:>14}  {all_anonymous:>14}  {all:>14}"
        )?;
    }
    Ok(())
}
