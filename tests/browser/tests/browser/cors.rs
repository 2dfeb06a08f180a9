//! A wallet in a page of another origin: it can quote and sign if the operator allows its origin.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_browser_tests::Browser;
use firmquote_e2e::endpoint::API_KEY;

use crate::setup::{page_server, service};

/// Serves an empty page for the duration of the test, and returns its origin.
fn wallet() -> String {
    page_server(vec![("/", "text/html", String::new())])
}

/// Requests a quote from a script of the page. Returns the parts of the response that the script can read, or the name
/// of its error.
async fn quote(browser: &Browser, base: &str) -> String {
    let url = format!(
        "{base}/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000"
    );
    let script = format!(
        "document.title = '', fetch('{url}', {{headers: {{'x-api-key': '{API_KEY}'}}}}).then(
            async (response) => response.status + ' ' + Boolean(response.headers.get('x-request-id'))
                + ' ' + Boolean((await response.json()).output_amount),
            (error) => error.name,
        ).then((text) => {{ document.title = text; }}), true"
    );
    browser.evaluate(&script).await;
    browser.wait_until("document.title !== ''").await;
    browser.evaluate("document.title").await.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_pages_of_allowed_origins_quote_with_a_key() {
    let (allowed, other, browser) = (wallet(), wallet(), Browser::start().await);
    let service = service(&[&allowed]);
    browser.open(&allowed).await;
    assert_eq!(quote(&browser, service.public().base()).await, "200 true true");
    browser.open(&other).await;
    assert_eq!(quote(&browser, service.public().base()).await, "TypeError");
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_reads_a_stream_as_documented() {
    const PAGE: &str = include_str!("../../../../docs/levels.md");
    let (allowed, browser) = (wallet(), Browser::start().await);
    let service = service(&[&allowed]);
    browser.open(&allowed).await;
    let program = PAGE.split_once("```js\n").unwrap().1.split_once("```").unwrap().0;
    let base = service.public().base();
    let script = format!(
        "window.messages = [], console.log = (n, type) => messages.push(n + ' ' + type),
        (async (base, key) => {{ {program} }})('{base}', '{API_KEY}'), true"
    );
    browser.evaluate(&script).await;
    browser.wait_until("messages.length > 3").await;
    let messages = browser.evaluate("messages.slice(0, 4).join(', ')").await;
    assert_eq!(messages.as_str().unwrap(), "1 hello, 2 book, 3 snapshot_end, 4 renew");
}
