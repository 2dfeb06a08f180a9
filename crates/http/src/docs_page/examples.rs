//! Inputs that the first pool accepts.

use alloy_primitives::U256;
use firmquote_desk::Desk;
use firmquote_domain::Asset;
use serde_json::{Map, Value, json};

/// Returns values of inputs by their names: of the first pair of the first pool, and one whole token of each.
pub(crate) fn examples(desk: &Desk) -> Map<String, Value> {
    let mut examples = Map::new();
    let Some(pool) = desk.pools.first().map(|pool| pool.signer().pool()) else { return examples };
    let spec = pool.spec();
    let pair = spec.pairs.first().map(|pair| pair.assets.each_ref().map(|symbol| pool.asset(symbol.as_str())));
    let Some([Some((_, input)), Some((_, output))]) = pair else { return examples };
    let amount = whole_token(input);
    let mut insert = |name: &str, value: Value| _ = examples.insert(name.to_owned(), value);
    insert("chain_id", json!(spec.id.chain_id.get()));
    insert("pool_address", json!(spec.id.address.to_string()));
    insert("input_asset_symbol", json!(input.symbol.as_str()));
    insert("output_asset_symbol", json!(output.symbol.as_str()));
    insert("input_asset_address", json!(input.address.to_string()));
    insert("output_asset_address", json!(output.address.to_string()));
    insert("input_amount", json!(amount));
    insert("output_amount", json!(whole_token(output)));
    insert("amounts", json!(format!("{amount},{amount}0")));
    insert("pairs", json!(format!("{0}-{1},{1}-{0}", input.symbol.as_str(), output.symbol.as_str())));
    examples
}

/// A whole token in base units.
fn whole_token(asset: &Asset) -> String {
    U256::from(10).pow(U256::from(asset.decimals.get())).to_string()
}
