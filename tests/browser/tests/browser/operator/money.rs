//! What the page shows of earnings: what is missing, and the requests of an open tape.

use firmquote_e2e::endpoint::ADMIN_TOKEN;

use crate::operator::{QUOTE, assert_clean, enter_token, open_page, service};

#[tokio::test]
async fn requests_on_the_open_tape_are_shown_with_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let tape = format!("\n[tape]\ndirectory = \"{}\"\n", folder.path().display());
    let service = service(&tape);
    let browser = open_page(&service).await;
    browser.wait_for_text("#money", "the admin token is required").await;
    service.get("/rfq/v2/quote/1", QUOTE).await.ok();
    // Rows are written once a second, and the page shows a report for a minute.
    let is_written = |metrics: &str| metrics.contains("firmquote_tape_rows_total{table=\"requests\"} 1\n");
    while !is_written(&service.admin().text("/metrics").await.unwrap()) {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    browser.click("#money button").await;
    enter_token(&browser, ADMIN_TOKEN).await;
    let row = browser.wait_for_text("#money tbody", "partner").await;
    assert!(row.starts_with("partner ETH/USDC 1 0.00 % 0 0"), "{row}");
    assert!(browser.text("#money tbody tr:last-child").await.starts_with("all 1 0.00 %"));
    assert!(browser.text("#money .problems").await.contains("No ledger is kept"));
    browser.evaluate("Object.assign(document.querySelector('[name=day]'), { value: '2020-01-01' })").await;
    browser.evaluate("document.querySelector('[name=day]').dispatchEvent(new Event('change'))").await;
    browser.wait_for_text("#money", "No request and no swap, 2020-01-01 00:00 to 2020-01-02 00:00 UTC.").await;
    assert_clean(&browser, &service).await;
}
