//! The operator's page with the real service: displayed data, buttons, and the secrecy of the token.

mod levels;
mod money;
mod page;
mod switches;
mod tokens;

use firmquote_browser_tests::Browser;
use firmquote_e2e::{
    endpoint::{ADMIN_TOKEN_SHA256, API_KEY_SHA256},
    service::Service,
};

const SIGN: &str = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1500000000000000000\
                    &destination_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const QUOTE: &str = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1500000000000000000";

/// Starts the service with the pool of `example.toml`, an admin token and a client; `more` is appended to the
/// configuration.
fn service(more: &str) -> Service {
    let token = format!("admin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\nservice_name");
    let file = include_str!("../../../../../bins/firmquote/example.toml").replacen("service_name", &token, 1);
    let client = format!("\n[[credential]]\nclient = \"partner\"\napi_key_sha256 = \"{API_KEY_SHA256}\"\n");
    Service::start(&format!("{file}{client}{more}"))
}

/// Opens the page of `service` in a browser and waits until it is complete.
async fn open_page(service: &Service) -> Browser {
    let browser = Browser::start().await;
    browser.open(&format!("{}/", service.admin().base())).await;
    browser.wait_for_text("#refresh-status", "As of").await;
    browser
}

async fn enter_token(browser: &Browser, token: &str) {
    browser.fill("#token", token).await;
    browser.click("#token-form [type=submit]").await;
}

/// Asserts that there are no console errors, and no requests to other servers.
async fn assert_clean(browser: &Browser, service: &Service) {
    assert_eq!(browser.console_errors().await, Vec::<String>::new());
    let requests = browser.requests().await;
    assert!(requests.iter().any(|request| request.url.ends_with("/overview")));
    let external: Vec<_> = requests.iter().filter(|request| request.leaves(service.admin().base())).collect();
    assert!(external.is_empty(), "{external:?}");
}

/// Holds back requests whose URL contains `PART` in the page's array `held` until they are released; `settled` counts
/// the responses that the page has processed.
const HOLD: &str = "(() => {
    const originalFetch = window.fetch;
    Object.assign(window, { held: [], settled: 0 });
    window.fetch = (path, options) => !path.includes('PART') ? originalFetch(path, options) : new Promise((resolve) => {
        held.push(async () => {
            const response = await originalFetch(path, { ...options, signal: undefined });
            const body = await response.json();
            resolve({ ok: response.ok, status: response.status, json: async () => { setTimeout(() => { settled += 1 }); return body } });
        });
    });
    return true;
})()";
