//! The operator's page and its data: access, headers and values.

use firmquote_desk::SigningPolicy;
use firmquote_market::{Rejection, Snapshot};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{ETH, POOL, Rig, Start, TestResponse, USDC, demo_pool, demo_state};

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                           img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async fn admin(rig: &Rig, path: &str) -> TestResponse {
    rig.send(rig.http.get(format!("{}{path}", rig.admin))).await
}

async fn curve(rig: &Rig, query: &str) -> TestResponse {
    admin(rig, &format!("/pools/{POOL}/curve?{query}")).await
}

/// Requests the recent signatures with the admin token.
async fn recent(rig: &Rig) -> Value {
    let request = rig.http.get(format!("{}/signatures/recent", rig.admin));
    rig.send(request.bearer_auth(rig.admin_token.reveal())).await.success()
}

const ETH_USDC: &str = "input_asset_symbol=ETH&output_asset_symbol=USDC";

#[tokio::test]
async fn the_page_and_its_assets_are_served_on_the_admin_listener_only() {
    let rig = Rig::start().await;
    let page = admin(&rig, "/").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("content-security-policy"), Some(PAGE_POLICY));
    let named = |start: &str, end: char| {
        let found = page.text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap().to_owned());
        found.collect::<Vec<_>>()
    };
    assert_eq!(named("<script type=\"module\" src=\"", '"'), ["operator/main.js"]);
    assert_eq!(named("<link rel=\"stylesheet\" href=\"", '"'), ["operator/style.css"]);
    for inline in ["<style", "style=", " onclick", "http://", "https://"] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    let mut scripts = vec!["main".to_owned()];
    let mut at = 0;
    while let Some(name) = scripts.get(at).cloned() {
        let script = admin(&rig, &format!("/operator/{name}.js")).await;
        assert_eq!(
            (script.status, script.header("content-type")),
            (200, Some("text/javascript; charset=utf-8")),
            "{name}"
        );
        assert_eq!(script.header("cache-control"), Some("no-cache"));
        let imported =
            script.text.split("from \"./").skip(1).map(|rest| rest.split(".js\"").next().unwrap().to_owned());
        scripts.extend(imported.filter(|name| !scripts.contains(name)).collect::<Vec<_>>());
        at += 1;
    }
    assert!(scripts.len() > 8, "{scripts:?}");
    let style = admin(&rig, "/operator/style.css").await;
    assert_eq!((style.status, style.header("content-type")), (200, Some("text/css; charset=utf-8")));
    for path in ["/", "/operator/main.js", "/operator/style.css", "/overview", "/signatures/recent"] {
        let head = rig.send(rig.http.head(format!("{}{path}", rig.admin))).await;
        assert_eq!(head.status == 401, path == "/signatures/recent", "{path}");
        // The root of a public listener redirects to its own page.
        if path != "/" {
            assert_eq!(rig.send(rig.http.get(format!("{}{path}", rig.base))).await.status, 404, "{path}");
        }
        assert_eq!(rig.send(rig.http.post(format!("{}{path}", rig.admin))).await.error().0, 405, "{path}");
    }
    for name in ["x", "..%2fmain", "index.html"] {
        assert_eq!(admin(&rig, &format!("/operator/{name}.js")).await.error().0, 404, "{name}");
    }
}

#[tokio::test]
async fn the_overview_compares_pools_with_their_targets() {
    let rig = Rig::start().await;
    let answer = admin(&rig, "/overview").await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let body = answer.success();
    let service = (&body["service_name"], &body["ready"], &body["reasons"], &body["pools"][0]["chain_name"]);
    assert_eq!(service, (&json!("Firmquote"), &json!(true), &json!([]), &json!("Ethereum")));
    assert_eq!((&body["admin_token_configured"], &body["pauses_shared"]), (&json!(true), &json!(false)));
    let pool = &body["pools"][0];
    assert_eq!(
        (&pool["chain_id"], &pool["pool_address"], &pool["name"]),
        (&json!(1), &json!(POOL), &json!("ClipperDirect"))
    );
    assert_eq!(pool["signer_address"], rig.signer.address().to_string());
    assert_eq!((&pool["paused"], &pool["swaps_enabled"], &pool["k"]), (&json!(false), &json!(true), &json!(0.06)));
    let eth = &pool["assets"][0];
    assert_eq!((&eth["name"], &eth["address"], &eth["listing_weight"]), (&json!("ETH"), &json!(ETH), &json!(79)));
    assert_eq!(eth["price"], json!({"price_usd": "2080.527", "age_ms": null, "distrust": null}));
    assert_eq!(eth["reserve"], json!({"balance": "476877882758190421102", "age_ms": null, "distrust": null}));
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() / expected - 1.0).abs() < 1e-9;
    assert!(near(&pool["value_in_usd"], 1_978_682.496_424_432));
    assert!(near(&eth["value_in_usd"], 992_157.310_781_249_7) && near(&eth["share"], 0.501_423_200_7));
    assert!(near(&eth["target_value_in_usd"], 991_706.885_949_575_2) && near(&eth["target_share"], 0.501_195_561_9));
    let best = pool["pairs"][0]["best_improvement_bps"].clone();
    assert!(near(&best, -7.431_799_533_562_655));
    let pair = json!({"assets": ["ETH", "USDC"], "fee_in_basis_points": 8.63, "annual_volatility": 0.6,
        "volatility_estimated": false, "best_improvement_bps": best});
    assert_eq!((pool["pairs"].as_array().unwrap().len(), &pool["pairs"][0]), (6, &pair));
}

#[tokio::test]
async fn an_untrusted_price_has_a_reason() {
    let rig = Rig::start_with(Start { has_admin_token: false, ..Start::default() }).await;
    let mut doubted = demo_state("2080.527");
    doubted.assets[0].price = Err(Rejection::Old { age_ms: 7_000, max_age_ms: 5_000 });
    rig.market.replace(Snapshot::default().with(demo_pool().id, doubted));
    let body = admin(&rig, "/overview").await.success();
    assert_eq!(body["admin_token_configured"], false);
    let eth = &body["pools"][0]["assets"][0];
    let reason = "the last update is 7000 ms old, at most 5000 ms is allowed";
    assert_eq!(eth["price"], json!({"price_usd": null, "age_ms": null, "distrust": {"rule": "old", "reason": reason}}));
    assert_eq!((&eth["share"], &body["pools"][0]["value_in_usd"]), (&Value::Null, &Value::Null));
    assert!(body["pools"][0]["assets"][1]["value_in_usd"].is_number());
    let (status, kind, _, message) = curve(&rig, ETH_USDC).await.error();
    assert_eq!((status, kind.as_str()), (503, "ExternalServiceError"));
    assert_eq!(message, format!("ETH is currently not quoted: {reason}"));
    rig.market.replace(Snapshot::default());
    assert_eq!(
        admin(&rig, "/overview").await.success()["pools"][0]["assets"][3]["price"]["distrust"]["rule"],
        "silent"
    );
}

#[tokio::test]
async fn every_point_of_a_curve_matches_a_quote() {
    let rig = Rig::start().await;
    let body = curve(&rig, &format!("{ETH_USDC}&time_in_seconds=600&chain_id=1")).await.success();
    assert_eq!(body["input_asset"], json!({"name": "ETH", "address": ETH, "decimals": 18}));
    assert_eq!(body["output_asset"], json!({"name": "USDC", "address": USDC, "decimals": 6}));
    let sizes = body["sizes"].as_array().unwrap();
    assert_eq!((sizes.len(), body["fees"].as_array().unwrap().len()), (33, 31));
    for size in sizes.iter().step_by(8) {
        let amount = size["input_amount"].as_str().unwrap();
        let query = format!("{ETH_USDC}&time_in_seconds=600&input_amount={amount}");
        let quote = rig.get(&format!("/rfq/v2/quote/1?{query}")).await.success();
        assert_eq!((&quote["output_amount"], &quote["rate"]), (&size["output_amount"], &size["rate"]));
        let worth = |side: &str| quote[format!("{side}_value_in_usd")].as_f64().unwrap();
        let cost = 10_000.0 * (1.0 - worth("output") / worth("input"));
        assert!((size["cost_in_basis_points"].as_f64().unwrap() - cost).abs() < 1e-6);
    }
    assert_eq!(body["fees"][30], json!({"time_in_seconds": 600, "fee_in_basis_points": 15.58}));
}

#[tokio::test]
async fn a_missing_curve_states_the_reason() {
    let rig = Rig::start().await;
    assert_eq!(
        curve(&rig, "time_in_seconds=0").await.invalid(),
        ["missing input_asset_symbol", "missing output_asset_symbol", "out_of_range time_in_seconds"]
    );
    assert_eq!(
        curve(&rig, &format!("{ETH_USDC}&time_in_seconds=601")).await.invalid(),
        ["out_of_range time_in_seconds"]
    );
    assert_eq!(admin(&rig, &format!("/pools/0x12/curve?{ETH_USDC}")).await.invalid(), ["address_parsing pool_address"]);
    for (query, message) in [
        ("input_asset_symbol=ETH&output_asset_symbol=ETH", "pair: ETH/ETH is not supported".to_owned()),
        ("input_asset_symbol=WBTC&output_asset_symbol=ETH", "input_asset_symbol: WBTC is not supported".to_owned()),
        ("input_asset_symbol=ETH&output_asset_symbol=USDC&chain_id=5", "chain_id: 5 is not supported".to_owned()),
    ] {
        assert_eq!(curve(&rig, query).await.error(), (400, "BadData".into(), None, message));
    }
    let stranger = admin(&rig, &format!("/pools/{USDC}/curve?{ETH_USDC}")).await;
    assert_eq!(stranger.error().3, format!("pool_address: {USDC} is not supported"));
}

#[tokio::test]
async fn a_pause_is_shown_and_the_curve_continues() {
    let rig = Rig::start().await;
    let pause = rig.http.post(format!("{}/pools/{POOL}/pause", rig.admin)).bearer_auth(rig.admin_token.reveal());
    rig.send(pause).await.success();
    assert_eq!(admin(&rig, "/overview").await.success()["pools"][0]["paused"], true);
    curve(&rig, ETH_USDC).await.success();
    let mut disabled = demo_pool();
    disabled.swaps_enabled = false;
    let rig = Rig::start_with(Start { pools: vec![disabled], ..Start::default() }).await;
    assert_eq!(admin(&rig, "/overview").await.success()["pools"][0]["swaps_enabled"], false);
    assert_eq!(curve(&rig, ETH_USDC).await.error().3, "swaps are disabled for this pool");
}

#[tokio::test]
async fn recent_signatures_require_the_token() {
    let rig = Rig::start().await;
    assert_eq!(recent(&rig).await, json!({"remembered": 100, "signatures": [], "clients": []}));
    let swap = format!("{ETH_USDC}&input_amount=1000000000000000000&destination_address={POOL}");
    assert_eq!(rig.get(&format!("/rfq/v2/quote-sign/1?{swap}")).await.status, 400, "refused: the pool as destination");
    let destination = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let signed = rig.get(&format!("/rfq/v2/quote-sign/1?{}", swap.replace(POOL, destination))).await.success();
    let listed = recent(&rig).await;
    let expected = json!([{
        "signed_at": "2023-10-13 22:24:08.932560+00:00",
        "client": "acme",
        "quote_id": signed["id"],
        "chain_id": 1,
        "pool_address": POOL,
        "input_asset": {"name": "ETH", "address": ETH, "decimals": 18},
        "input_amount": "1000000000000000000",
        "output_asset": {"name": "USDC", "address": USDC, "decimals": 6},
        "output_amount": "2078539413",
        "input_value_in_usd": 2080.527,
        "destination_address": destination,
        "good_until": 1_697_235_920,
    }]);
    assert_eq!(listed["signatures"], expected);
    let usage = |errors: u64| {
        json!([{"client": "acme", "input_asset": "ETH", "output_asset": "USDC", "requests": 1 + errors, "errors": errors,
            "signatures": 1, "value_in_usd": 2080.527, "settled": 0, "lapsed": 0}])
    };
    assert_eq!(listed["clients"], usage(1));
    let url = format!("{}/signatures/recent", rig.admin);
    let without = rig.send(rig.http.get(&url)).await;
    assert_eq!((without.error().0, without.header("www-authenticate")), (401, Some("Bearer realm=\"Firmquote\"")));
    assert_eq!(rig.send(rig.http.get(&url).bearer_auth("guess")).await.error().0, 403);
    let query = rig.http.get(format!("{url}?token={}", rig.admin_token.reveal()));
    assert_eq!(rig.send(query).await.error().0, 401, "a token in an address is none");
    let rig =
        Rig::start_with(Start { has_admin_token: false, policy: SigningPolicy::default(), ..Start::default() }).await;
    let (status, .., message) = admin(&rig, "/signatures/recent").await.error();
    assert_eq!(status, 403);
    assert!(message.contains("admin_token_sha256"), "{message}");
}

#[tokio::test]
async fn cross_origin_pages_are_refused() {
    let rig = Rig::start().await;
    let host = rig.admin.trim_start_matches("http://").to_owned();
    let origin = rig.admin.clone();
    let port = host.rsplit(':').next().unwrap().to_owned();
    let rebound = format!("evil.example:{port}");
    let overview = format!("{}/overview", rig.admin);
    for (name, value, is_answered) in [
        ("host", rebound.as_str(), false),
        ("host", &format!("localhost:{port}"), true),
        ("origin", &origin, true),
        ("origin", "http://evil.example", false),
        ("origin", "null", false),
        ("sec-fetch-site", "same-origin", true),
        ("sec-fetch-site", "none", true),
        ("sec-fetch-site", "same-site", false),
        ("sec-fetch-site", "cross-site", false),
    ] {
        let answer = rig.send(rig.http.get(&overview).header(name, value)).await;
        assert_eq!(answer.status, if is_answered { 200 } else { 403 }, "{name}: {value}");
        let recent = rig.http.get(format!("{}/signatures/recent", rig.admin)).bearer_auth(rig.admin_token.reveal());
        assert_eq!(rig.send(recent.header(name, value)).await.status == 200, is_answered, "{name}: {value}");
        let drawn = rig.http.get(format!("{}/pools/{POOL}/curve?{ETH_USDC}", rig.admin));
        assert_eq!(rig.send(drawn.header(name, value)).await.status == 200, is_answered, "{name}: {value}");
    }
    let page = |name: &str, value: &str| rig.http.request(Method::GET, format!("{}/", rig.admin)).header(name, value);
    assert_eq!(rig.send(page("host", &rebound)).await.error().1, "Forbidden");
    assert_eq!(rig.send(page("sec-fetch-site", "cross-site")).await.status, 200, "a link may lead here");
    let metrics = admin(&rig, "/metrics").await.text;
    assert!(metrics.contains("firmquote_rejections_total{reason=\"foreign_site\"} 16"), "{metrics}");
}
