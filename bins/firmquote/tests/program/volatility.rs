//! A volatility estimated from live prices, in pool data and quotes.

use std::net::TcpListener;

use reqwest::Client;
use serde_json::Value;

use crate::{
    metrics::until_shown,
    prices::{Exchange, config, quote, until},
    program::{CONFIG, Serving, configured, directory, run},
};

/// The only volatility estimated with these settings.
const ONE: &str = "annual_volatility = 0.60
volatility_half_life_seconds = 1
volatility_floor = 1
volatility_ceiling = 1";

#[tokio::test]
async fn quotes_are_priced_with_the_estimated_fee_shown_by_the_pool() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let estimating = config(&listener).replace("annual_volatility = 0.60", ONE);
    let serving = Serving::start(configured(&directory, &["serve"], &estimating));
    let client = Client::builder().no_proxy().build().unwrap();
    let mut exchange = Exchange::accept(&listener);
    exchange.tick("1999.9", "2000.1");
    until(&client, &serving, |status, _| status == 200).await;
    let pair = r#"chain_id="1",pair="ETH/USDC",pool="0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359""#;
    let estimated = [
        &*format!("firmquote_pair_volatility_estimated{{{pair}}} 1"),
        &format!("firmquote_pair_annual_volatility_ratio{{{pair}}} 1"),
    ];
    until_shown(&client, &serving, &estimated).await;
    // 5 + 4000 * 1 * sqrt(72 / 31536000), rounded up.
    assert_eq!(shown_fee(&client, &serving).await, 11.05);
    let written = CONFIG.replace("annual_volatility = 0.60", "annual_volatility = 1").replace("2080.527", "2000");
    let other = Serving::start(configured(&directory, &["serve"], &written));
    let [(_, live), (_, written)] = [quote(&client, &serving).await, quote(&client, &other).await];
    assert_eq!((&live["output_amount"], live["output_amount"].is_string()), (&written["output_amount"], true));
}

async fn shown_fee(client: &Client, serving: &Serving) -> f64 {
    let url = format!("http://{}/rfq/v2/pool/1?fieldset=offchain-data", serving.public);
    let pool: Value = client.get(url).header("x-api-key", "test").send().await.unwrap().json().await.unwrap();
    pool.pointer("/pools/0/pairs/0/fee_in_basis_points").and_then(Value::as_f64).unwrap()
}

#[test]
fn an_estimate_from_few_samples_is_shown_with_a_warning() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let ended = run(configured(&directory, &["check"], &config(&listener).replace("annual_volatility = 0.60", ONE)));
    let shown = "5 bp          8.63 bp        -7.43 bp  until estimated (half-life 1 s, 1 to 1 a year)";
    assert!(ended.stdout.contains(shown), "{}", ended.stdout);
    let warning = "- pool[0].pair[0].volatility_half_life_seconds: 1 s hold few samples: the fee jumps";
    assert!(ended.stdout.contains(warning), "{}", ended.stdout);
}
