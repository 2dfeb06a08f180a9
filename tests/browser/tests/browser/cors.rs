//! A wallet in a browser, on a page of another origin: it quotes and signs where the operator names its origin.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
};

use firmquote_browser_tests::Browser;
use firmquote_e2e::{
    endpoint::{API_KEY, API_KEY_SHA256},
    service::Service,
};

const DEMO: &str = include_str!("../../../../crates/config/demo.toml");

/// Serves an empty page for as long as the test runs, and returns its origin.
fn wallet() -> String {
    page_server(vec![("/", "text/html", String::new())])
}

/// Serves files, each with its path and its type, for as long as the test runs, and returns their origin.
pub(crate) fn page_server(files: Vec<(&'static str, &'static str, String)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut head = BufReader::new(&stream).lines().map_while(Result::ok);
            let path = head.next().and_then(|line| Some(line.split([' ', '?']).nth(1)?.to_owned()));
            head.take_while(|line| !line.is_empty()).for_each(drop);
            let file = files.iter().find(|(known, _, _)| path.as_deref() == Some(*known));
            let (kind, text) = file.map_or(("text/plain", ""), |(_, kind, text)| (*kind, text.as_str()));
            let length = text.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\ncontent-type: {kind}\r\n\r\n"
            );
            // A browser that opened a connection in advance may have closed it.
            let _is_sent = (&stream).write_all(head.as_bytes()).and_then(|()| (&stream).write_all(text.as_bytes()));
        }
    });
    origin
}

/// The demo, with a client who has an API key, for pages of `origins`.
pub(crate) fn service(origins: &[&str]) -> Service {
    let demo = DEMO.replace("name = \"demo\"", "name = \"demo\"\nkey_env = \"FIRMQUOTE_SIGNER_KEY\"");
    let client = format!("\n[[credential]]\nclient = \"wallet\"\napi_key_sha256 = \"{API_KEY_SHA256}\"\n");
    Service::start(&format!("[server]\ncors_origins = {origins:?}\n{demo}{client}"))
}

/// What a script of the page reads of the answer to a quote, or the name of its error.
async fn quote(browser: &Browser, base: &str) -> String {
    let url = format!(
        "{base}/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000"
    );
    let script = format!(
        "document.title = '', fetch('{url}', {{headers: {{'x-api-key': '{API_KEY}'}}}}).then(
            async (answer) => answer.status + ' ' + Boolean(answer.headers.get('x-request-id'))
                + ' ' + Boolean((await answer.json()).output_amount),
            (error) => error.name,
        ).then((text) => {{ document.title = text; }}), true"
    );
    browser.evaluate(&script).await;
    browser.wait_until("document.title !== ''").await;
    browser.evaluate("document.title").await.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_pages_of_allowed_origins_quote_with_a_key() {
    let (named, other, browser) = (wallet(), wallet(), Browser::start().await);
    let service = service(&[&named]);
    browser.open(&named).await;
    assert_eq!(quote(&browser, service.public().base()).await, "200 true true");
    browser.open(&other).await;
    assert_eq!(quote(&browser, service.public().base()).await, "TypeError");
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_reads_a_stream_as_documented() {
    const PAGE: &str = include_str!("../../../../docs/levels.md");
    let (named, browser) = (wallet(), Browser::start().await);
    let service = service(&[&named]);
    browser.open(&named).await;
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
