//! The market in `/metrics`, while an exchange that the test plays speaks and lies.

use std::net::TcpListener;

use reqwest::Client;

use crate::{
    prices::{Exchange, config},
    program::{Serving, configured, directory},
};

/// What a scrape says.
pub(crate) async fn scrape(client: &Client, serving: &Serving) -> String {
    client.get(format!("http://{}/metrics", serving.admin)).send().await.unwrap().text().await.unwrap()
}

/// Scrapes until every one of `lines` is there; more often than any test needs, and then shows the last one.
#[expect(clippy::panic, reason = "a test fails by panicking")]
pub(crate) async fn until_shown(client: &Client, serving: &Serving, lines: &[&str]) -> String {
    let mut last = String::new();
    for _ in 0..5_000 {
        last = scrape(client, serving).await;
        if lines.iter().all(|line| last.lines().any(|written| written == *line)) {
            return last;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("{lines:#?}\n{last}");
}

#[tokio::test]
async fn prices_and_what_they_break_are_metrics() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let serving = Serving::start(configured(&directory, &["serve"], &config(&listener)));
    let client = Client::builder().no_proxy().build().unwrap();
    let mut exchange = Exchange::accept(&listener);
    let source = r#"position="0",source="binance 127.0.0.1",symbol="ETH"#;
    let broken = |rule: &str, number: u8| {
        [
            format!("firmquote_price_broken_rule{{rule=\"{rule}\",symbol=\"ETH\"}} {number}"),
            format!(
                r#"firmquote_price_source_broken_rule{{position="0",rule="{rule}",source="binance 127.0.0.1",symbol="ETH"}} {number}"#
            ),
        ]
    };
    let pool = r#"chain_id="1",pool="0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359""#;
    let pair = r#"chain_id="1",pair="ETH/USDC",pool="0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359""#;
    let [price, feed] = broken("silent", 1);
    let silent = [
        "firmquote_price_trusted{symbol=\"ETH\"} 0",
        &format!("firmquote_price_source_trusted{{{source}\"}} 0"),
        &price,
        &feed,
        "firmquote_price_rule{rule=\"max_age_ms\",symbol=\"ETH\"} 60000",
        "firmquote_price_rule{rule=\"max_jump_bps_per_second\",symbol=\"ETH\"} 100",
        "firmquote_price_rule{rule=\"max_deviation_bps\",symbol=\"ETH\"} 100",
        "firmquote_price_rule{rule=\"max_confidence_bps\",symbol=\"ETH\"} 50",
        &format!("firmquote_reserves_trusted{{{pool}}} 1"),
        &format!("firmquote_pair_annual_volatility_ratio{{{pair}}} 0.6"),
        &format!("firmquote_pair_volatility_estimated{{{pair}}} 0"),
    ];
    let shown = until_shown(&client, &serving, &silent).await;
    assert!(!shown.contains("firmquote_price_usd{") && !shown.contains("hidden"), "{shown}");
    assert!(!shown.contains("firmquote_reserves_age_seconds{"), "those of the file have no age\n{shown}");
    exchange.tick("1999.9", "2000.1");
    let [price, feed] = broken("silent", 0);
    let trusted = [
        "firmquote_price_usd{symbol=\"ETH\"} 2000",
        "firmquote_price_trusted{symbol=\"ETH\"} 1",
        &format!("firmquote_price_source_usd{{{source}\"}} 2000"),
        &format!("firmquote_price_source_trusted{{{source}\"}} 1"),
        &price,
        &feed,
    ];
    let shown = until_shown(&client, &serving, &trusted).await;
    assert!(shown.contains("firmquote_price_age_seconds{symbol=\"ETH\"} "), "{shown}");
    exchange.tick("999.9", "1000.1");
    exchange.tick("999.9", "1000.1");
    let [price, feed] = broken("jump", 1);
    let refusals = |rule: &str, count: u8| {
        format!(
            r#"firmquote_price_source_refusals_total{{position="0",rule="{rule}",source="binance 127.0.0.1",symbol="ETH"}} {count}"#
        )
    };
    let jumped = [
        "firmquote_price_trusted{symbol=\"ETH\"} 0",
        &format!("firmquote_price_source_usd{{{source}\"}} 1000"),
        &price,
        &feed,
        &refusals("jump", 2),
        &refusals("invalid", 0),
    ];
    let shown = until_shown(&client, &serving, &jumped).await;
    assert!(!shown.contains("firmquote_price_usd{"), "{shown}");
    assert!(shown.contains(&format!("firmquote_price_source_age_seconds{{{source}\"}} ")), "{shown}");
}
