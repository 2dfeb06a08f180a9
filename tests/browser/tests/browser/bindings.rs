//! The package for TypeScript in a page of another origin: a quote, its recomputation, and levels as they change.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{path::Path, process::Command};

use firmquote_browser_tests::Browser;
use firmquote_e2e::endpoint::API_KEY;

use crate::cors::{page_server, service};

/// The page of the package with its bundle, made now.
fn bundled() -> [(&'static str, &'static str, String); 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/typescript");
    let output = tempfile::tempdir().unwrap();
    let target = format!("--outdir={}", output.path().display());
    let mut command = Command::new("npm");
    command.current_dir(&folder).args(["run", "--silent", "build:browser", "--", &target]);
    assert!(command.status().unwrap().success(), "scripts/install-bindings installs what is missing");
    let read = |name: &str| std::fs::read_to_string(output.path().join(name)).unwrap();
    [("/", "text/html", read("index.html")), ("/page.js", "text/javascript", read("page.js"))]
}

#[tokio::test]
async fn a_page_quotes_recomputes_follows_levels_and_warns_about_its_key_once() {
    let (page, browser) = (page_server(bundled().into()), Browser::start().await);
    let service = service(&[&page]);
    for (allow, warnings) in [(false, "1"), (true, "0")] {
        browser.open(&format!("{page}/?service={}&key={API_KEY}&allow={allow}", service.public().base())).await;
        browser
            .wait_until(
                "['done', 'failed'].some((end) => document.querySelector('#status').textContent.startsWith(end))",
            )
            .await;
        assert_eq!(browser.text("#status").await, "done");
        assert!(browser.text("#checks").await.contains("amounts ok"));
        assert!(browser.text("#books").await.contains(": 20"), "the output for one ETH");
        assert_eq!(browser.text("#warnings").await, warnings);
    }
}
