//! `/metrics` of the market, with an exchange played by the test, and the page that documents all metrics.
#![expect(clippy::indexing_slicing, reason = "a test may panic outside its test functions too")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    net::TcpListener,
};

use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    prices::{Exchange, config},
    program::{ONE_ETH, Serving, configured, directory, firmquote, quote_request, set_mode},
};

/// Scrapes the metrics.
pub(crate) async fn scrape(client: &Client, serving: &Serving) -> String {
    client.get(format!("http://{}/metrics", serving.admin)).send().await.unwrap().text().await.unwrap()
}

/// Scrapes until all `lines` are present; fails with the last scrape after more polls than any test needs.
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
async fn prices_and_rule_violations_are_metrics() {
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
        "firmquote_price_rule{rule=\"max_move_bps_per_minute\",symbol=\"ETH\"} 500",
        "firmquote_price_rule{rule=\"max_deviation_bps\",symbol=\"ETH\"} 100",
        "firmquote_price_rule{rule=\"max_confidence_bps\",symbol=\"ETH\"} 50",
        &format!("firmquote_reserves_trusted{{{pool}}} 1"),
        &format!("firmquote_pair_annual_volatility_ratio{{{pair}}} 0.6"),
        &format!("firmquote_pair_volatility_estimated{{{pair}}} 0"),
    ];
    let scraped = until_shown(&client, &serving, &silent).await;
    assert!(!scraped.contains("firmquote_price_usd{") && !scraped.contains("hidden"), "{scraped}");
    assert!(!scraped.contains("firmquote_reserves_age_seconds{"), "those of the file have no age\n{scraped}");
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
    let scraped = until_shown(&client, &serving, &trusted).await;
    assert!(scraped.contains("firmquote_price_age_seconds{symbol=\"ETH\"} "), "{scraped}");
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
    let scraped = until_shown(&client, &serving, &jumped).await;
    assert!(!scraped.contains("firmquote_price_usd{"), "{scraped}");
    assert!(scraped.contains(&format!("firmquote_price_source_age_seconds{{{source}\"}} ")), "{scraped}");
}

/// Metrics that exist only with reserves from a node, an archive of a ledger in Redis, webhooks, or a revoked credential.
const OF_OTHERS: [&str; 8] = [
    "firmquote_credential_revoked",
    "firmquote_webhook_deliveries_total",
    "firmquote_webhook_lag_seconds",
    "firmquote_reserves_age_seconds",
    "firmquote_ledger_archive_lag_seconds",
    "firmquote_breaker_step",
    "firmquote_breaker_trips_total",
    "firmquote_pool_loss_bps",
];

/// Metrics that exist only after the first quote or signature.
const OF_CLIENTS: [&str; 7] = [
    "firmquote_client_edge_usd",
    "firmquote_client_lapsed_total",
    "firmquote_client_requests_total",
    "firmquote_client_settled_total",
    "firmquote_client_signatures_total",
    "firmquote_client_volume_usd_total",
    "firmquote_credential_last_used_timestamp_seconds",
];

/// The name, type and labels of a metric.
type Described = BTreeMap<String, (String, BTreeSet<String>)>;

/// Returns the metrics in the tables of the page.
fn documented() -> Described {
    let page = include_str!("../../../../docs/metrics.md");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let described = rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 6, "{row}");
        let labels = cells[2].split(", ").filter(|label| !label.is_empty()).map(|label| label.trim_matches('`'));
        (cells[0].trim_matches('`').to_owned(), (cells[1].to_owned(), labels.map(str::to_owned).collect()))
    });
    described.collect()
}

/// Returns the metric families of a response, each with its type and labels.
fn families_of(answer: &str) -> Described {
    let types = answer.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let mut families: Described =
        types.map(|(name, kind)| (name.to_owned(), (kind.to_owned(), BTreeSet::new()))).collect();
    for line in answer.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        let family = family.filter(|family| families.contains_key(*family)).unwrap_or(name);
        let labels = line.split_once('{').map_or("", |(_, rest)| rest.split_once('}').unwrap().0);
        let names = labels.split("\",").filter_map(|pair| pair.split_once("=\"")).map(|(name, _)| name.to_owned());
        families.get_mut(family).unwrap().1.extend(names.filter(|name| name != "le"));
    }
    families
}

#[tokio::test]
async fn requests_are_counted_by_client_and_pair() {
    let serving = Serving::start(firmquote(&["serve"]));
    let key = serving.wait_for_output("API key   ").split_whitespace().nth(2).unwrap().to_owned();
    let client = Client::builder().no_proxy().build().unwrap();
    let pools = client.get(format!("http://{}/rfq/v2/pool/1", serving.public)).header("x-api-key", &key);
    assert_eq!(pools.send().await.unwrap().status(), 200);
    let post = async |path: &str, body: Value| {
        let answer = client.post(format!("http://{}{path}", serving.public)).json(&body).send().await.unwrap();
        answer.json::<Value>().await.unwrap()
    };
    let body = quote_request(ONE_ETH);
    let quote = post("/rfq/quote", body.clone()).await;
    let terms = json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    for _ in 0..2 {
        assert_eq!(post("/rfq/sign", terms.clone()).await["input_amount"], body["input_amount"]);
    }
    let refused = body.to_string().replace("ETH", "NONE");
    post("/rfq/quote", refused.parse().unwrap()).await;
    let pair = r#"client="",input_asset="ETH",output_asset="USDC""#;
    let expected = [
        format!("firmquote_client_requests_total{{{pair},reason=\"ok\",route=\"/rfq/quote\"}} 1"),
        format!("firmquote_client_requests_total{{{pair},reason=\"ok\",route=\"/rfq/sign\"}} 2"),
        r#"firmquote_client_requests_total{client="",input_asset="",output_asset="",reason="unsupported_asset",route="/rfq/quote"} 1"#
            .to_owned(),
        format!("firmquote_client_signatures_total{{{pair}}} 1"),
        format!("firmquote_client_settled_total{{{pair}}} 0"),
        format!("firmquote_client_volume_usd_total{{{pair}}} 2080.527"),
    ];
    let answer = until_shown(&client, &serving, &expected.each_ref().map(String::as_str)).await;
    let edge = answer.lines().find_map(|line| line.strip_prefix(&format!("firmquote_client_edge_usd{{{pair}}} ")));
    let edge: f64 = edge.unwrap().parse().unwrap();
    // The fee is 8.63 bp, and the curve takes a little more.
    assert!((1.795..2.5).contains(&edge), "{edge}");
    let described = families_of(&answer);
    for name in OF_CLIENTS {
        assert_eq!(described[name], documented()[name], "{name}");
    }
}

#[tokio::test]
async fn the_metrics_page_and_a_response_list_the_same_metrics() {
    let (listener, directory) = (TcpListener::bind("127.0.0.1:0").unwrap(), directory());
    let certificate = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (cert, key) = (directory.path().join("tls.pem"), directory.path().join("tls-key.pem"));
    fs::write(&cert, certificate.cert.pem()).unwrap();
    fs::write(&key, certificate.signing_key.serialize_pem()).unwrap();
    set_mode(&key, 0o600);
    let tls = "[server]\ntls_certificate_file = \"tls.pem\"\ntls_key_file = \"tls-key.pem\"\n";
    let config = config(&listener).replacen("[server]\n", tls, 1) + "[tape]\ndirectory = \"tape\"\n";
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let client = Client::builder().no_proxy().build().unwrap();
    let mut exchange = Exchange::accept(&listener);
    exchange.tick("1999.9", "2000.1");
    let answer = until_shown(&client, &serving, &["firmquote_price_trusted{symbol=\"ETH\"} 1"]).await;
    let (mut documented, families) = (documented(), families_of(&answer));
    for name in OF_OTHERS.iter().chain(&OF_CLIENTS).copied() {
        assert!(documented.remove(name).is_some() && !families.contains_key(name), "{name}");
    }
    assert_eq!(documented, families);
    let expiry = "firmquote_tls_certificate_expiry_timestamp_seconds 67090118400";
    assert!(answer.lines().any(|line| line == expiry), "that of the year 4096\n{answer}");
    for line in answer.lines().filter(|line| line.starts_with("# HELP ")) {
        assert!(line.ends_with('.'), "{line}");
    }
}
