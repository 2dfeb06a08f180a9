//! The admin token, removed while a request with it is pending.

use firmquote_e2e::endpoint::ADMIN_TOKEN;
use serde_json::json;

use crate::operator::{HOLD, SIGN, enter_token, open_page, service};

#[tokio::test]
async fn responses_after_the_token_is_forgotten_are_discarded() {
    let service = service("");
    let browser = open_page(&service).await;
    service.get("/rfq/v2/quote-sign/1", SIGN).await.ok();
    browser.click("#access").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    browser.wait_for_text("#signatures tbody", "partner").await;
    browser.evaluate(&HOLD.replace("PART", "signatures/recent")).await;
    browser.wait_until("held.length > 0").await;
    browser.click("#access").await;
    browser.wait_for_text("#signatures", "the admin token is required").await;
    let observe = "(window.shown = 0, new MutationObserver(() => {
        window.shown += document.querySelectorAll('#signatures tbody').length;
    }).observe(document.getElementById('signatures'), {childList: true, subtree: true}), true)";
    browser.evaluate(observe).await;
    browser.evaluate("held.forEach((release) => release())").await;
    browser.wait_until("settled === held.length").await;
    assert_eq!(browser.evaluate("shown").await, json!(0));
}

#[tokio::test]
async fn a_token_cancelled_during_its_check_is_not_stored() {
    let service = service("");
    let browser = open_page(&service).await;
    browser.evaluate(&HOLD.replace("PART", "signatures/recent")).await;
    browser.click("#access").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    browser.wait_until("held.length === 1").await;
    browser.click("#token-form .close").await;
    browser.evaluate("held.forEach((release) => release())").await;
    browser.wait_until("settled === 1").await;
    assert_eq!(browser.text("#access").await, "Enter the admin token");
    browser.wait_for_text("#signatures", "the admin token is required").await;
}
