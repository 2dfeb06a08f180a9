//! The page at `/docs`, as an integrator uses it: with and without a key, on a phone, in dark mode.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use firmquote_browser_tests::{Browser, ColorScheme, Screen};
use firmquote_e2e::endpoint::API_KEY;
use reqwest::Client;
use serde_json::Value;

use crate::setup::{demo_on_chain, demo_service};

const QUOTE_V1: &str = "#operations-version_1-quote_v1";
const QUOTE_V2: &str = "#operations-version_2-quote_v2";

/// Part of the demo's response to the example request for a quote.
const ANSWER: &str = "\"output_amount\": \"2078539413\"";

/// Returns the file for a screenshot.
fn screenshot_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("docs-{name}.png"))
}

async fn get(url: &str) -> Vec<u8> {
    let client = Client::builder().no_proxy().build().unwrap();
    client.get(url).send().await.unwrap().error_for_status().unwrap().bytes().await.unwrap().to_vec()
}

/// Opens the page of `base` and waits until it shows every operation of the document.
async fn open(browser: &Browser, base: &str) {
    let document: Value = serde_json::from_slice(&get(&format!("{base}/openapi.json")).await).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let is_listed = |(method, operation): &(&String, &Value)| *method != "head" && operation["tags"][0] != "pages";
    let methods = |item: &Value| item.as_object().unwrap().iter().filter(is_listed).count();
    let operations: usize = items.map(methods).sum();
    browser.open(&format!("{base}/docs")).await;
    browser.wait_until(&format!("document.querySelectorAll('.opblock').length === {operations}")).await;
}

/// Sends the example request of an operation from the page, and returns the displayed response as soon as it contains
/// `part`.
async fn try_out(browser: &Browser, operation: &str, part: &str) -> String {
    browser.click(&format!("{operation} .opblock-summary-control")).await;
    browser.click(&format!("{operation} .try-out__btn")).await;
    browser.click(&format!("{operation} .execute")).await;
    browser.wait_for_text(&format!("{operation} .live-responses-table"), part).await
}

/// Asserts that there are no console errors, and no requests to servers other than `base`.
async fn assert_clean(browser: &Browser, base: &str) {
    assert_eq!(browser.console_errors().await, Vec::<String>::new());
    let external: Vec<_> = browser.requests().await.into_iter().filter(|request| request.leaves(base)).collect();
    assert!(external.is_empty(), "{external:?}");
}

#[tokio::test]
async fn every_operation_is_listed_and_a_quote_is_made_from_the_page() {
    let (service, browser) = (demo_service(""), Browser::start().await);
    let base = service.public().base();
    open(&browser, base).await;
    assert_eq!(browser.evaluate("document.title").await, "Firmquote API");
    browser.screenshot(&screenshot_file("desktop")).await;
    let response = try_out(&browser, QUOTE_V1, ANSWER).await;
    assert!(response.contains("must_accept_by") && response.contains("ratelimit-policy"), "{response}");
    browser.screenshot(&screenshot_file("quote")).await;
    assert_clean(&browser, base).await;
}

#[tokio::test]
async fn an_entered_key_is_sent_and_forgotten_with_the_page() {
    let (service, browser) = (demo_service(""), Browser::start().await);
    let base = service.public().base();
    open(&browser, base).await;
    browser.click(".scheme-container .authorize").await;
    browser.fill("#api_key_value", API_KEY).await;
    browser.screenshot(&screenshot_file("key")).await;
    browser.click(".auth-container .modal-btn.authorize").await;
    browser.click(".close-modal").await;
    try_out(&browser, QUOTE_V2, ANSWER).await;
    assert_clean(&browser, base).await;
    assert_eq!(browser.evaluate("localStorage.length + sessionStorage.length").await, 0);
    open(&browser, base).await;
    try_out(&browser, QUOTE_V2, "Credentials are required").await;
}

#[tokio::test]
async fn the_page_fits_a_phone_and_follows_the_dark_color_scheme() {
    let (service, browser) = (demo_service(""), Browser::start().await);
    let base = service.public().base();
    browser.show_on(Screen::PHONE).await;
    open(&browser, base).await;
    try_out(&browser, QUOTE_V1, ANSWER).await;
    let width = browser.evaluate("document.documentElement.scrollWidth").await;
    assert_eq!(width, Screen::PHONE.width, "the widest part of the page");
    browser.screenshot(&screenshot_file("phone")).await;
    let background = "getComputedStyle(document.documentElement).backgroundColor";
    let light = browser.evaluate(background).await;
    browser.prefer(ColorScheme::Dark).await;
    browser.wait_until("document.documentElement.classList.contains('dark-mode')").await;
    assert_ne!(browser.evaluate(background).await, light);
    browser.evaluate(&format!("document.querySelector('{QUOTE_V1} .live-responses-table').scrollIntoView()")).await;
    browser.screenshot(&screenshot_file("phone-dark")).await;
    assert_clean(&browser, base).await;
}

#[tokio::test]
async fn examples_are_those_of_the_pool_that_is_served() {
    let (service, browser) = (demo_on_chain(31_337), Browser::start().await);
    let base = service.public().base();
    open(&browser, base).await;
    let shown = browser.wait_for_text(".information-container", "Where to begin.").await;
    assert!(shown.contains("/rfq/v2/chains"), "{shown}");
    let response = try_out(&browser, QUOTE_V1, "\"chain_id\": 31337").await;
    assert!(response.contains("must_accept_by"), "{response}");
    assert_clean(&browser, base).await;
}

#[tokio::test]
async fn the_admin_listener_has_its_own_page() {
    let (service, browser) = (demo_service(""), Browser::start().await);
    let base = service.admin().base();
    open(&browser, base).await;
    try_out(&browser, "#operations-operator-health", "\"status\": \"ok\"").await;
    assert_clean(&browser, base).await;
}

/// When npm installed the package, it verified the checksum in `viewer/package-lock.json`.
#[tokio::test]
async fn the_served_package_is_the_locked_one() {
    let service = demo_service("");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("viewer");
    let package = folder.join("node_modules/swagger-ui-dist");
    let installed = "npm ci --prefix tests/browser/viewer --ignore-scripts, or scripts/test";
    let read = |file: PathBuf| fs::read(&file).unwrap_or_else(|error| panic!("{file:?}: {error}; run: {installed}"));
    let parsed = |file| serde_json::from_slice::<Value>(&read(file)).unwrap();
    let locked = parsed(folder.join("package-lock.json"))["packages"]["node_modules/swagger-ui-dist"].clone();
    assert_eq!(parsed(package.join("package.json"))["version"], locked["version"], "run: {installed}");
    assert!(locked["integrity"].as_str().unwrap().starts_with("sha512-"), "{locked}");
    for name in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt", "LICENSE", "NOTICE"] {
        let served = get(&format!("{}/docs/{name}", service.public().base())).await;
        assert!(served == read(package.join(name)), "{name} differs from that of the package");
    }
}
