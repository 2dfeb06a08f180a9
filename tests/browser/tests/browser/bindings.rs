//! The TypeScript package in a page of another origin: a quote, its recomputation, and price levels.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{path::Path, process::Command};

use firmquote_browser_tests::Browser;
use firmquote_e2e::endpoint::API_KEY;

use crate::setup::{page_server, service};

/// Builds the package's example page and returns its files.
fn build_page() -> [(&'static str, &'static str, String); 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/typescript");
    let output = tempfile::tempdir().unwrap();
    let target = format!("--outdir={}", output.path().display());
    let mut command = Command::new("npm");
    command.current_dir(&folder).args(["run", "--silent", "build:browser", "--", &target]);
    assert!(command.status().unwrap().success(), "scripts/install-bindings installs the dependencies");
    let read = |name: &str| std::fs::read_to_string(output.path().join(name)).unwrap();
    [("/", "text/html", read("index.html")), ("/page.js", "text/javascript", read("page.js"))]
}

#[tokio::test]
async fn a_page_quotes_recomputes_follows_levels_and_warns_about_its_key_once() {
    let (page, browser) = (page_server(build_page().into()), Browser::start().await);
    let service = service(&[&page]);
    for (allow, warnings) in [(false, "1"), (true, "0")] {
        browser.open(&format!("{page}/?service={}&key={API_KEY}&allow={allow}", service.public().base())).await;
        browser
            .wait_until(
                "['done', 'failed'].some((status) => document.querySelector('#status').textContent.startsWith(status))",
            )
            .await;
        assert_eq!(browser.text("#status").await, "done");
        assert!(browser.text("#checks").await.contains("amounts ok"));
        assert!(browser.text("#books").await.contains(": 20"), "the output for one ETH");
        assert_eq!(browser.text("#warnings").await, warnings);
    }
}
