//! The configured price as one of several sources: a bound for the others.

use std::net::TcpListener;

use reqwest::Client;

use crate::{
    metrics::until_shown,
    prices::{Exchange, config, until},
    program::{Serving, configured, directory, run},
};

const STATIC: &str = "
[[price_source]]
kind = \"static\"
[[price_source.asset]]
symbol = \"ETH\"
[[price_source]]
kind";

#[tokio::test]
async fn the_file_price_bounds_a_live_one_and_does_not_replace_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let both = config(&listener).replace("per_second = 100\n", "per_second = 5000\n");
    let both = format!("{both}{}", STATIC.trim_end_matches("[[price_source]]\nkind"));
    let serving = Serving::start(configured(&directory, &["serve"], &both));
    let client = Client::builder().no_proxy().build().unwrap();
    let mut exchange = Exchange::accept(&listener);
    let (status, body) = crate::prices::quote(&client, &serving).await;
    assert_eq!(
        (status, &body["errorMessage"]),
        (503, &"ETH is currently not quoted: no update was received yet".into())
    );
    exchange.tick("2089.9", "2090.1");
    until(&client, &serving, |status, body| status == 200 && body["input_value_in_usd"] == 2090.0).await;
    let expected = [
        r#"firmquote_price_source_usd{position="1",source="static",symbol="ETH"} 2080.527"#,
        r#"firmquote_price_source_trusted{position="1",source="static",symbol="ETH"} 1"#,
        r#"firmquote_price_usd{symbol="ETH"} 2090"#,
    ];
    let expected = until_shown(&client, &serving, &expected).await;
    assert!(!expected.contains(r#"firmquote_price_source_age_seconds{position="1""#), "it has no age\n{expected}");
    let refused = |reason: &'static str| {
        move |status, body: &serde_json::Value| {
            status == 503 && body["errorMessage"].as_str().is_some_and(|message| message.contains(reason))
        }
    };
    exchange.tick("2104.9", "2105.1");
    until(&client, &serving, refused("sources are 117.63 bp apart, at most 100 bp is allowed")).await;
    exchange.tick("0", "2000");
    until(&client, &serving, refused("the last update is not a valid price")).await;
}

#[tokio::test]
async fn alone_the_file_price_is_used() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let config = config(&listener);
    let (before, _) = config.split_once("[[price_source]]").unwrap();
    let alone = format!("{before}{}", STATIC.trim_end_matches("[[price_source]]\nkind"));
    let serving = Serving::start(configured(&directory, &["serve"], &alone));
    let client = Client::builder().no_proxy().build().unwrap();
    let (status, body) = crate::prices::quote(&client, &serving).await;
    assert_eq!((status, &body["input_value_in_usd"]), (200, &serde_json::json!(2080.527)));
}

#[test]
fn one_file_price_applies_to_all_pools() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let both = config(&listener).replacen("[[price_source]]\nkind", STATIC, 1);
    let pool = both.get(both.find("[[pool]]").unwrap()..both.find("[[price_source]]").unwrap()).unwrap();
    let other =
        pool.replace("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "0x655eDCE464CC797526600a462A8154650EEe4B77");
    let twice = format!("{both}\n{}", other.replace("2080.527", "2081"));
    let ended = run(configured(&directory, &["check"], &twice));
    let mistake =
        "price_source[0].asset[0].symbol is \"ETH\", allowed: an asset with the same price_usd in every [[pool]]";
    assert!(ended.stderr.contains(mistake), "{}", ended.stderr);
}
