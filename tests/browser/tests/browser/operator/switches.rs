//! The pause button of a pool: double clicks, and clicks during a request.

use firmquote_e2e::endpoint::ADMIN_TOKEN;
use serde_json::json;

use crate::operator::{HOLD, QUOTE, enter_token, open_page, service};

const BUTTON: &str = "#pools button[data-action]";

#[tokio::test]
async fn a_double_click_pauses_and_does_not_resume() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.click("#access").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    browser.wait_for_text("#access", "Forget").await;
    browser.double_click(BUTTON).await;
    browser.wait_for_text("#pools .state", "Paused").await;
    // The second click of a double click, however late.
    let second_click = format!(
        "document.querySelector('{BUTTON}').dispatchEvent(new MouseEvent('click', {{bubbles: true, detail: 2}}))"
    );
    browser.evaluate(&second_click).await;
    assert_eq!(browser.evaluate("document.getElementById('confirmation').open").await, json!(false));
    browser.click(BUTTON).await;
    browser.wait_for_text("#confirmation", "Resume quoting and signing of ClipperDirect on Ethereum?").await;
    assert_eq!(browser.evaluate("document.activeElement.textContent").await, json!("Cancel"));
    browser.click("#confirmation .close").await;
    assert_eq!(service.get("/rfq/v2/quote/1", QUOTE).await.body["errorMessage"], "the pool is paused");
    browser.click(BUTTON).await;
    browser.click("#confirmation .yes").await;
    browser.wait_for_text("#pools .state", "Open").await;
    assert_eq!(service.get("/rfq/v2/quote/1", QUOTE).await.status, 200);
}

#[tokio::test]
async fn a_busy_button_ignores_clicks_even_when_redrawn() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.click("#access").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    browser.wait_for_text("#access", "Forget").await;
    browser.evaluate(&HOLD.replace("PART", "/pause?")).await;
    browser.click(BUTTON).await;
    browser.wait_until("held.length === 1").await;
    let before = browser.text("#refresh-status").await;
    browser.wait_until(&format!("document.getElementById('refresh-status').textContent !== {}", json!(before))).await;
    assert_eq!(
        browser.evaluate(&format!("document.querySelector('{BUTTON}').getAttribute('aria-busy')")).await,
        json!("true")
    );
    browser.click(BUTTON).await;
    browser.evaluate("held.forEach((release) => release())").await;
    browser.wait_for_text("#pools .state", "Paused").await;
    browser.wait_until(&format!("!document.querySelector('{BUTTON}').hasAttribute('aria-busy')")).await;
    assert_eq!(browser.evaluate("held.length").await, json!(1), "one request");
}
