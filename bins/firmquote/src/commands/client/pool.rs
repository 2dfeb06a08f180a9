//! `firmquote pool`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use firmquote_domain::Symbol;
use firmquote_verify::PublishedAsset;

use crate::{
    cli::PoolArguments,
    client::{
        PoolListing,
        access::ConfiguredClient,
        failure::Failure,
        pool_sets::PoolSets,
        text_table::{Align, TextTable},
        whole_tokens::WholeTokens,
    },
    commands::output::Output,
};

/// Shows the pools of a chain.
pub(super) async fn run(arguments: &PoolArguments) -> Result<ExitCode, Failure> {
    let ConfiguredClient { client, has_api_key } = arguments.access.configured_client()?;
    if !has_api_key {
        return Err(Failure::usage("pool data requires an API key: use --api-key-file, or set FIRMQUOTE_API_KEY"));
    }
    let (sets, _) = PoolSets::fetch_or_explain(&client, &arguments.pools.request()).await?;
    let mut out = Output::lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &sets).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        for (position, listing) in sets.listings()?.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            show(&mut out, listing)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut impl Write, listing: &PoolListing) -> io::Result<()> {
    let PoolListing { pool, swaps_enabled, unquoted, .. } = listing;
    let state = if *swaps_enabled { "swaps enabled" } else { "swaps disabled" };
    writeln!(
        out,
        "pool {} on chain {}: k {}, worth {:.2} USD, {state}\n",
        pool.id.address,
        pool.id.chain_id,
        pool.k,
        listing.value_in_usd()
    )?;
    write!(out, "{}", assets(listing))?;
    let mut pairs = TextTable::new([Align::Left, Align::Right]);
    pairs.row(["pair", &format!("fee in basis points for {} s", pool.time_in_seconds)]);
    for pair in &pool.pairs {
        let [first, second] = &pair.assets;
        pairs.row([&format!("{first} / {second}"), &pair.fee.to_string()]);
    }
    write!(out, "\n{pairs}")?;
    if !unquoted.is_empty() {
        let names: Vec<_> = unquoted.iter().map(Symbol::as_str).collect();
        writeln!(out, "\nnot quoted at present: {}", names.join(", "))?;
    }
    Ok(())
}

/// Lists the reserves of the pool, with the actual and target share of each asset. Target shares are inversely
/// proportional to the weights.
fn assets(listing: &PoolListing) -> TextTable<8> {
    use Align::{Left, Right};
    let mut table = TextTable::new([Left, Right, Right, Right, Right, Right, Right, Left]);
    table.row(["asset", "price in USD", "balance", "share", "target", "weight", "decimals", "token"]);
    let share = |value: f64| format!("{:.2} %", 100.0 * value / listing.value_in_usd());
    let values = listing.values_in_usd.iter();
    for (PublishedAsset { asset, price, reserve, .. }, (value_in_usd, target)) in listing.pool.assets.iter().zip(values)
    {
        table.row([
            asset.symbol.to_string(),
            price.to_string(),
            WholeTokens(reserve.base_units(), asset.decimals).to_string(),
            share(*value_in_usd),
            target.map_or_else(|| "unknown".to_owned(), share),
            asset.weight.get().to_string(),
            asset.decimals.get().to_string(),
            asset.address.to_string(),
        ]);
    }
    table
}
