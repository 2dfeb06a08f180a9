//! The displayed data, pausing and resuming, formats and screen sizes.

use std::path::Path;

use firmquote_browser_tests::{ColorScheme, Screen};
use firmquote_e2e::{endpoint::ADMIN_TOKEN, service::Service};
use firmquote_test_servers::redis::{Options, Server};
use serde_json::{Value, json};

use crate::operator::{QUOTE, SIGN, assert_clean, enter_token, open_page, service};

/// ETH prices come from the operator's backend, and stay valid longer than any test takes.
const PUSHED: &str = "\n[[price_source]]\nkind = \"push\"\n\n[[price_source.asset]]\nsymbol = \"ETH\"\n\n\
                      [[price_rule]]\nsymbol = \"ETH\"\nmax_age_ms = 3600000\nmax_jump_bps_per_second = 9000\n";

/// Whether the page is wider than the screen.
const IS_TOO_WIDE: &str = "document.documentElement.scrollWidth > innerWidth";

/// The number of tables that extend beyond their scroll area.
const CUT_TABLES: &str = "[...document.querySelectorAll('table')].filter((table) => {
    const { scrollWidth, offsetWidth } = table.closest('.scroll');
    return table.offsetWidth > Math.max(scrollWidth, offsetWidth);
}).length";

#[tokio::test]
async fn pools_prices_and_curves_are_shown_without_other_requests() {
    let service = service("");
    let browser = open_page(&service).await;
    let pool = browser.text("#pools section").await;
    for part in [
        "ClipperDirect 1.0.0 on Ethereum",
        "Open",
        "$1,978,682",
        "50.14 %\ntarget 50.12 %, 0.02 points above",
        "2,080.527",
        "file",
        "476.877882",
        "$992,157",
        "ETH / USDC",
        "8.63 bp",
    ] {
        assert!(pool.contains(part), "{part}: {pool}");
    }
    for (chart, part) in [(1, "ETH gives"), (2, "USDC, at a rate of 2,0"), (3, "s: fee")] {
        let value_text =
            format!("document.querySelectorAll('.chart svg')[{}].getAttribute('aria-valuetext')", chart - 1);
        assert!(browser.evaluate(&value_text).await.as_str().unwrap().contains(part), "chart {chart}");
    }
    assert_eq!(browser.evaluate("document.querySelectorAll('polyline').length").await, json!(4));
    assert_eq!(browser.evaluate("document.querySelectorAll('#curve tbody tr').length").await, json!(33 + 31));
    let unlabelled =
        "[...document.querySelectorAll('button, input, select, table, svg[role], section')].filter((element) =>
        !(element.labels?.length || element.textContent.trim() || element.getAttribute('aria-label'))).length";
    assert_eq!(browser.evaluate(unlabelled).await, json!(0));
    assert_clean(&browser, &service).await;
}

#[tokio::test]
async fn a_chart_is_operated_by_keyboard_and_a_pair_is_reversed() {
    let service = service("");
    let browser = open_page(&service).await;
    let key = |name: &str| {
        format!("document.querySelector('.chart svg').dispatchEvent(new KeyboardEvent('keydown', {{key: '{name}'}}))")
    };
    browser.evaluate(&key("Home")).await;
    browser.wait_for_text(".chart .readout", "0.0000481 ETH gives 0.0999 USDC").await;
    browser.evaluate(&key("ArrowRight")).await;
    browser.wait_until("document.querySelector('.chart svg').ariaValueNow === '1'").await;
    browser.click("#curve-form [name=swap]").await;
    browser.wait_for_text(".chart .readout", "USDC gives").await;
    assert_eq!(browser.evaluate("document.getElementById('curve-form').elements.input.value").await, json!("USDC"));
    browser.fill("#curve-form [name=time]", "601").await;
    browser.evaluate("document.activeElement.blur()").await;
    browser.wait_for_text("#curve-problem", "The pool does not allow this time.").await;
}

#[tokio::test]
async fn the_token_holder_pauses_and_resumes_quoting() {
    let service = service("");
    let browser = open_page(&service).await;
    let button = "#pools button[data-action]";
    assert_eq!(
        browser.evaluate(&format!("document.querySelector('{button}').ariaLabel")).await,
        json!("Pause ClipperDirect on Ethereum")
    );
    browser.click(button).await;
    enter_token(&browser, "not the token").await;
    browser.wait_for_text("#token-problem", "Invalid token.").await;
    assert_eq!(service.get("/rfq/v2/quote/1", QUOTE).await.status, 200, "a wrong token pauses nothing");
    enter_token(&browser, ADMIN_TOKEN).await;
    browser.wait_for_text("#notice", "The pool is paused. The pause applies to this process only").await;
    browser.wait_for_text("#pools .state", "Paused").await;
    assert_eq!(service.get("/rfq/v2/quote/1", QUOTE).await.body["errorMessage"], "the pool is paused");
    browser.wait_for_text("#curve-problem", "The pool is paused").await;
    browser.evaluate(&format!("document.querySelector('{button}').focus()")).await;
    browser.click(button).await;
    browser.click("#confirmation .yes").await;
    browser.wait_for_text("#pools .state", "Open").await;
    assert_eq!(service.get("/rfq/v2/quote/1", QUOTE).await.status, 200);
    assert_eq!(browser.evaluate("document.activeElement.textContent").await, json!("Pause"), "the same button");
    let places = "JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])";
    assert_eq!(browser.evaluate(places).await, json!("[\"\",{},{}]"), "the token is not stored");
    assert!(browser.requests().await.iter().all(|request| !request.url.contains(ADMIN_TOKEN)));
    browser.click("#access").await;
    browser.wait_for_text("#signatures", "the admin token is required").await;
}

#[tokio::test]
async fn new_signatures_appear_and_are_rendered_as_text() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.click("#signatures button").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    browser.wait_for_text("#signatures", "No signatures yet.").await;
    let signed = service.get("/rfq/v2/quote-sign/1", SIGN).await.ok();
    let row = browser.wait_for_text("#signatures tbody", "partner").await;
    let id = signed["id"].as_str().unwrap().split('-').next().unwrap().to_owned();
    let signatures = browser.text("#signatures").await;
    for part in ["1.5 ETH", "3,117.47 USDC", "$3,120.79", "0x5aAe…eAed", &id] {
        assert!(signatures.contains(part), "{part}: {signatures}");
    }
    assert!(row.contains("partner ETH → USDC 1 0 1 0 0 $3,120.79"), "{row}");
    assert_clean(&browser, &service).await;
}

#[tokio::test]
async fn an_untrusted_price_shows_its_reason_until_trusted() {
    let service = service(PUSHED);
    let browser = open_page(&service).await;
    browser.wait_for_text("#pools .problems", "ETH price: no update was received yet").await;
    browser.wait_for_text("#pools .state", "3 of 6 pairs open").await;
    browser.wait_for_text("#curve-problem", "ETH is currently not quoted: no update was received yet").await;
    let prices = json!({"prices": [{"symbol": "ETH", "price_usd": "2080.52700001"}]});
    assert_eq!(service.admin().put("/prices", ADMIN_TOKEN, &prices).await.unwrap().status, 200);
    browser.wait_for_text("#pools", "2,080.527").await;
    browser.wait_until("document.querySelector('.problems') === null").await;
    browser.wait_for_text("#pools .state", "Open").await;
    browser.wait_for_text("#pools summary", "Price sources (1)").await;
    browser.wait_until("document.querySelectorAll('polyline').length === 4").await;
}

#[tokio::test]
async fn an_unresponsive_service_is_reported() {
    let mut service = service("");
    let browser = open_page(&service).await;
    service.kill();
    browser.wait_for_text("#outage", "The service does not respond. Data as of").await;
    assert!(browser.text("#pools").await.contains("ClipperDirect"), "the last known data stays");
    assert_eq!(browser.text("#pools .state").await, "Unknown");
}

#[tokio::test]
async fn a_rejected_configuration_is_shown_until_it_is_corrected() {
    let mut service = service("");
    let browser = open_page(&service).await;
    browser.wait_for_text("#replica", env!("CARGO_PKG_VERSION")).await;
    service.edit(|file| file.replacen("base_fee_bps", "base_fee_bpss", 1));
    browser.wait_for_text("#rejected", "configuration: ").await;
    assert!(browser.text("#rejected").await.contains("base_fee_bpss is not a key"));
    service.edit(|file| file.replacen("base_fee_bpss", "base_fee_bps", 1));
    browser.wait_until("document.querySelector('#rejected').hidden").await;
}

#[tokio::test]
async fn an_unready_service_is_not_open_and_shows_why() {
    let mut redis = Server::start(Options::default());
    let store = format!("[store]\nkind = \"redis\"\nurl = \"{}\"\ntimeout_ms = 500\n", redis.url());
    let file = include_str!("../../../../../bins/firmquote/example.toml");
    let (before, rest) = file.split_once("[store]\n").unwrap();
    let (_, after) = rest.split_once("\n\n[").unwrap();
    let service = Service::start(&format!("{before}{store}\n[{after}"));
    let browser = open_page(&service).await;
    browser.wait_for_text("#pools .state", "Open").await;
    redis.kill();
    browser.wait_for_text("#unready", "Not ready, so nothing is quoted or signed").await;
    assert_eq!(browser.text("#pools .state").await, "Not quoting");
    redis.restart();
    browser.wait_for_text("#pools .state", "Open").await;
}

#[tokio::test]
async fn without_a_configured_token_the_page_explains_how_to_create_one() {
    let service = Service::start(include_str!("../../../../../bins/firmquote/example.toml"));
    let browser = open_page(&service).await;
    browser.wait_for_text("#signatures", "none is configured").await;
    browser.click("#pools button[data-action]").await;
    browser.wait_for_text("#token-dialog", "firmquote credential new-admin-token").await;
    assert_clean(&browser, &service).await;
}

#[tokio::test]
async fn a_refresh_preserves_focus_scrolling_and_open_sections() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.show_on(Screen::PHONE).await;
    browser.click("#curve details summary").await;
    browser.evaluate("(document.querySelector('#pools button').focus(), scrollTo(0, 300), window.kept = document.activeElement, true)").await;
    let before = browser.text("#refresh-status").await;
    browser.wait_until(&format!("document.getElementById('refresh-status').textContent !== {}", json!(before))).await;
    browser.wait_until("document.activeElement === window.kept && scrollY === 300 && document.querySelector('#curve details').open").await;
}

#[tokio::test]
async fn every_screen_size_shows_the_whole_page_in_light_and_dark() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.click("#signatures button").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    service.get("/rfq/v2/quote-sign/1", SIGN).await.ok();
    browser.wait_for_text("#signatures tbody", "partner").await;
    let mut backgrounds = Vec::new();
    for (screen, name, height) in [(Screen::DESKTOP, "desktop", 1_700), (Screen::PHONE, "phone", 3_600)] {
        for (scheme, shade) in [(ColorScheme::Light, "light"), (ColorScheme::Dark, "dark")] {
            browser.show_on(Screen { height, ..screen }).await;
            browser.prefer(scheme).await;
            browser.wait_until(&format!("innerWidth === {} && !({IS_TOO_WIDE})", screen.width)).await;
            backgrounds.push(browser.evaluate("getComputedStyle(document.body).backgroundColor").await);
            assert_eq!(browser.evaluate(CUT_TABLES).await, json!(0), "{name}");
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("operator-{name}-{shade}.png"));
            browser.screenshot(&file).await;
        }
    }
    assert!(
        backgrounds[0] == backgrounds[2] && backgrounds[1] == backgrounds[3] && backgrounds[0] != backgrounds[1],
        "{backgrounds:?}"
    );
}

#[tokio::test]
async fn numbers_are_formatted_from_their_digits() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.evaluate("(import('/operator/numbers.js').then((numbers) => { window.numbers = numbers }), true)").await;
    browser.wait_until("window.numbers !== undefined").await;
    let cases: [(&str, Value); 17] = [
        ("wholeTokens('1500000', 6)", json!("1.5")),
        ("wholeTokens('1', 18)", json!("0.000000000000000001")),
        ("wholeTokens('0', 18)", json!("0")),
        ("wholeTokens('12', 0)", json!("12")),
        (
            "wholeTokens('115792089237316195423570985008687907853269984665640564039457584007913129639935', 18)",
            json!("115792089237316195423570985008687907853269984665640564039457.584007913129639935"),
        ),
        ("amount('9007199254740993000000', 6)", json!("9,007,199,254,740,993")),
        ("amount('476877882758190421102', 18, 9)", json!("476.877882")),
        ("amount('999999999', 6)", json!("999.999")),
        ("readable('0.00000001234567')", json!("0.0000000123456")),
        ("readable('0.1999999999')", json!("0.199999")),
        ("readable('1234567.891')", json!("1,234,567")),
        ("usd(null)", json!("unknown")),
        ("usd(1978682.4964)", json!("$1,978,682")),
        ("usd(0.1)", json!("$0.10")),
        ("age(999) + age(5021) + age(7199999) + age(86400000)", json!("999 ms5.0 s119 min24 h")),
        ("decimal(-0.0001)", json!("0")),
        ("percent(0.5)", json!("50.00 %")),
    ];
    for (expression, expected) in cases {
        assert_eq!(
            browser.evaluate(&format!("numbers.{}", expression.replace(" + age", " + numbers.age"))).await,
            expected,
            "{expression}"
        );
    }
}
