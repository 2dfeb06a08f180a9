//! `firmquote pool`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use firmquote_domain::Symbol;

use crate::{
    cli::PoolArguments,
    client::{
        access::Caller,
        failure::Failure,
        pool_sets::PoolSets,
        published::{PublishedAsset, PublishedPool},
        text_table::{Align, TextTable},
        whole_tokens::WholeTokens,
    },
    commands::output::Output,
};

/// Shows the pools of a chain.
pub(super) async fn run(arguments: &PoolArguments) -> Result<ExitCode, Failure> {
    let Caller { client, has_api_key } = arguments.access.caller()?;
    if !has_api_key {
        return Err(Failure::usage("pool data takes an API key: give --api-key-file, or set FIRMQUOTE_API_KEY"));
    }
    let (sets, pools) = PoolSets::fetch_or_explain(&client, &arguments.pools.request()).await?;
    let mut out = Output::lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &sets).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        for (position, pool) in pools.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            show(&mut out, pool)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut impl Write, pool: &PublishedPool) -> io::Result<()> {
    let state = if pool.swaps_enabled { "swaps enabled" } else { "swaps disabled" };
    writeln!(
        out,
        "pool {} on chain {}: k {}, worth {:.2} USD, {state}\n",
        pool.id.address, pool.id.chain_id, pool.k, pool.value_in_usd
    )?;
    write!(out, "{}", assets(pool))?;
    let mut pairs = TextTable::new([Align::Left, Align::Right]);
    pairs.row(["pair", &format!("fee in basis points for {} s", pool.time_in_seconds)]);
    for pair in &pool.pairs {
        let [first, second] = &pair.assets;
        pairs.row([&format!("{first} / {second}"), &pair.fee_in_basis_points.to_string()]);
    }
    write!(out, "\n{pairs}")?;
    if !pool.unquoted.is_empty() {
        let names: Vec<_> = pool.unquoted.iter().map(Symbol::as_str).collect();
        writeln!(out, "\nnot quoted at present: {}", names.join(", "))?;
    }
    Ok(())
}

/// What the pool holds, and how that stands to where it rests: its value split in proportion to one over the weight.
fn assets(pool: &PublishedPool) -> TextTable<8> {
    use Align::{Left, Right};
    let mut table = TextTable::new([Left, Right, Right, Right, Right, Right, Right, Left]);
    table.row(["asset", "price in USD", "balance", "share", "target", "weight", "decimals", "token"]);
    let share = |value: f64| format!("{:.2} %", 100.0 * value / pool.value_in_usd);
    for PublishedAsset { asset, price, reserve, value_in_usd, target_value_in_usd } in &pool.assets {
        table.row([
            asset.symbol.to_string(),
            price.to_string(),
            WholeTokens(reserve.base_units(), asset.decimals).to_string(),
            share(*value_in_usd),
            target_value_in_usd.map_or_else(|| "unknown".to_owned(), share),
            asset.weight.get().to_string(),
            asset.decimals.get().to_string(),
            asset.address.to_string(),
        ]);
    }
    table
}
