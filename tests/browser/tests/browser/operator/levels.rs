//! Price levels on the operator's page: subscribed books and their breaches.

use firmquote_e2e::endpoint::API_KEY;

use crate::operator::{assert_clean, open_page, service};

/// Levels that are firm for half a minute, for 100 US dollars per client.
const FIRM: &str = "\n[pool.levels]\nfirm_ms = 30000\nfirm_margin_bps = 0.5\nfirm_budget_usd = 100\n";

#[tokio::test]
async fn subscribed_books_are_shown_with_their_firm_terms() {
    let service = service(FIRM);
    let browser = open_page(&service).await;
    browser.wait_for_text("#levels", "0 open streams. No firm level was breached since the start.").await;
    browser.wait_for_text("#levels", "No book is streamed on this replica.").await;

    let url = format!("{}/rfq/v2/levels/1/stream?pairs=ETH-USDC,USDC-ETH", service.public().base());
    let mut stream = reqwest::Client::new().get(url).header("x-api-key", API_KEY).send().await.unwrap();
    assert_eq!(stream.status(), 200);
    browser.wait_for_text("#levels", "1 open stream.").await;
    browser.wait_until("document.querySelectorAll('#levels tbody tr').length === 2").await;
    let row = browser.text("#levels tbody tr").await;
    for part in ["ETH → USDC", "0x655e…4B77", "firm", "live"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    assert!(stream.chunk().await.unwrap().is_some());
    drop(stream);
    browser.wait_for_text("#levels", "0 open streams.").await;
    assert_clean(&browser, &service).await;
}
