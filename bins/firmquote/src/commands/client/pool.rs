//! `firmquote pool`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use firmquote_api::DisplayNumber;
use firmquote_client::{PoolAsset, PoolData};
use firmquote_domain::WholeTokens;

use crate::{
    cli::PoolArguments,
    client::{
        display::{Align, TextTable, compact},
        failure::Failure,
        pool_data,
    },
    commands::output::Output,
};

/// Shows the pools of a chain.
pub(super) async fn run(arguments: &PoolArguments) -> Result<ExitCode, Failure> {
    let client = arguments.access.client()?;
    if !client.has_api_key() {
        return Err(Failure::usage("pool data requires an API key: use --api-key-file, or set FIRMQUOTE_API_KEY"));
    }
    let chain = arguments.pools.chain_of_service(&client).await?;
    let pools = pool_data::fetch(&client, &arguments.pools.request(chain)).await?;
    let mut out = Output::lock();
    if arguments.json {
        writeln!(out, "{}", compact(&pools.text))?;
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

fn show(out: &mut impl Write, PoolData { pool, assets, pairs, .. }: &PoolData) -> io::Result<()> {
    let value_in_usd = assets.iter().filter_map(|asset| asset.value_in_usd).map(|value| *value).sum();
    let state = if pool.swaps_enabled { "swaps enabled" } else { "swaps disabled" };
    writeln!(
        out,
        "pool {} on chain {}: k {}, worth {value_in_usd:.2} USD, {state}\n",
        pool.address, pool.chain_id, pool.k
    )?;
    write!(out, "{}", asset_table(assets, value_in_usd))?;
    let mut fees = TextTable::new([Align::Left, Align::Right]);
    fees.row(["pair", &format!("fee in basis points for {} s", pool.time_in_seconds)]);
    for pair in pairs {
        let [first, second] = &*pair.assets;
        fees.row([&format!("{first} / {second}"), &pair.fee_in_basis_points.to_string()]);
    }
    write!(out, "\n{fees}")?;
    let is_unquoted = |asset: &&PoolAsset| asset.price_in_usd.is_none() || asset.balance.is_none();
    let unquoted = assets.iter().filter(is_unquoted).map(|asset| asset.name.as_str());
    let unquoted: Vec<_> = unquoted.collect();
    if !unquoted.is_empty() {
        writeln!(out, "\nnot quoted at present: {}", unquoted.join(", "))?;
    }
    Ok(())
}

/// Lists the reserves of the pool, with the actual and target share of each asset. Target shares are inversely
/// proportional to the weights.
fn asset_table(assets: &[PoolAsset], pool_in_usd: f64) -> TextTable {
    use Align::{Left, Right};
    let mut table = TextTable::new([Left, Right, Right, Right, Right, Right, Right, Left]);
    table.row(["asset", "price in USD", "balance", "share", "target", "weight", "decimals", "token"]);
    let share = |value: Option<DisplayNumber>| match value {
        Some(value) => format!("{:.2} %", 100.0 * *value / pool_in_usd),
        None => "unknown".to_owned(),
    };
    for asset in assets {
        let (Some(price), Some(balance)) = (asset.price_in_usd, asset.balance) else { continue };
        table.row([
            asset.name.to_string(),
            price.to_string(),
            WholeTokens(balance.base_units(), *asset.decimals).to_string(),
            share(asset.value_in_usd),
            share(asset.target_value_in_usd),
            asset.listing_weight.get().to_string(),
            asset.decimals.get().to_string(),
            asset.address.to_string(),
        ]);
    }
    table
}
