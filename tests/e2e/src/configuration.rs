//! The operator's file for pools that a test has opened.

use firmquote_domain::{Address, SigningDomain};

use crate::{evm::CHAIN_ID, exchange::Listing, service::API_KEY_SHA256};

/// Symbols of the tokens that [`demo`](crate::demo) describes, in its order.
pub const SYMBOLS: [&str; 3] = ["ETH", "USDC", "DAI"];

/// The file for these pools, each with its address and the kind of its `good_until`. They list the same `assets`, the
/// first of which is wrapped native, and trade every pair of them.
pub fn of(domain: &SigningDomain, assets: &[(Address, Listing)], pools: &[(Address, &str)]) -> String {
    let wrapped = assets.first().map(|(token, _)| *token).unwrap_or_default();
    let mut file = format!(
        r#"
[[credential]]
client = "partner"
api_key_sha256 = "{API_KEY_SHA256}"

[[chain]]
id = {CHAIN_ID}
name = "Test"
native_symbol = "ETH"
wrapped_native = "{wrapped}"

[[signer]]
name = "hot"
key_env = "FIRMQUOTE_SIGNER_KEY"
"#
    );
    for (address, kind) in pools {
        file.push_str(&pool(*address, kind, domain));
        for ((token, listing), symbol) in assets.iter().zip(SYMBOLS) {
            file.push_str(&asset(symbol, *token, listing));
        }
        for (position, first) in SYMBOLS.iter().enumerate() {
            for second in SYMBOLS.iter().skip(position + 1) {
                file.push_str(&pair(first, second));
            }
        }
    }
    file
}

fn pool(address: Address, kind: &str, SigningDomain { name, version }: &SigningDomain) -> String {
    format!(
        r#"
[[pool]]
chain_id = {CHAIN_ID}
address = "{address}"
signer = "hot"
domain = {{ name = "{name}", version = "{version}" }}
good_until = "{kind}"
k = 0.06
"#
    )
}

fn asset(symbol: &str, token: Address, Listing { decimals, weight, price, reserve }: &Listing) -> String {
    let (decimals, weight) = (decimals.get(), weight.get());
    format!(
        r#"
[[pool.asset]]
symbol = "{symbol}"
address = "{token}"
decimals = {decimals}
weight = {weight}
reserve = "{reserve}"
price_usd = {price}
"#
    )
}

fn pair(first: &str, second: &str) -> String {
    format!(
        r#"
[[pool.pair]]
assets = ["{first}", "{second}"]
base_fee_bps = 5
annual_volatility = 0.60
"#
    )
}
