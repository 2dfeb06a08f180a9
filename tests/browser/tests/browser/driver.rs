//! The browser executes commands, records console errors and requests, and leaves nothing behind.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{fs, panic::AssertUnwindSafe, path::PathBuf};

use firmquote_browser_tests::{Browser, ColorScheme, Screen};
use firmquote_test_servers::patience::wait_until;
use tempfile::TempDir;

/// An HTML page in a file.
struct Page {
    _directory: TempDir,
    file: PathBuf,
}

impl Page {
    fn with_body(body: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("page.html");
        let head = "<!DOCTYPE html><meta name=viewport content='width=device-width'>";
        fs::write(&file, format!("{head}{body}")).unwrap();
        Self { _directory: directory, file }
    }

    fn url(&self) -> String {
        format!("file://{}", self.file.display())
    }
}

/// Returns the processes of a group that are not zombies.
fn running_processes(group: u32) -> Vec<String> {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    // After the name in parentheses: state, parent, group (proc_pid_stat(5)).
    let is_in_group = |stat: &String| {
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields.first() != Some(&"Z") && fields.get(2) == Some(&&*group.to_string())
    };
    processes.filter(is_in_group).collect()
}

#[tokio::test]
async fn pages_can_be_clicked_filled_and_read() {
    let page = Page::with_body(
        "<input value=old><button onclick='setTimeout(() => { p.textContent = document.querySelector(`input`).value }, 50)'>\
         show</button><p id=p>nothing</p><p>more</p>",
    );
    let browser = Browser::start().await;
    browser.open(&page.url()).await;
    assert_eq!(browser.text("#p").await, "nothing");
    browser.fill("input", "new").await;
    browser.click("button").await;
    assert_eq!(browser.wait_for_text("#p", "new").await, "new");
    assert_eq!(browser.texts("p").await, ["new", "more"]);
    assert_eq!(browser.evaluate("[document.title, 1 + 1]").await, serde_json::json!(["", 2]));
    assert_eq!(browser.console_errors().await, Vec::<String>::new());
}

#[tokio::test]
async fn console_errors_and_requests_are_recorded_and_no_request_leaves_the_machine() {
    let page = Page::with_body(
        "<script>console.error('mind this'); absent()</script><img src='http://elsewhere.example/x.png'>",
    );
    let browser = Browser::start().await;
    browser.open(&page.url()).await;
    for _ in 0..2 {
        let errors = browser.console_errors().await;
        for part in ["mind this", "absent is not defined", "net::ERR_NAME_NOT_RESOLVED"] {
            assert!(errors.iter().any(|error| error.contains(part)), "{part}: {errors:?}");
        }
        let requests = browser.requests().await;
        let external: Vec<_> = requests.iter().filter(|request| request.leaves("file://")).collect();
        assert_eq!(external.len(), 1, "{requests:?}");
        assert_eq!((&*external[0].method, &*external[0].url), ("GET", "http://elsewhere.example/x.png"));
    }
}

#[tokio::test]
async fn pages_render_at_any_size_in_light_and_dark() {
    let page = Page::with_body("<body>here</body>");
    let browser = Browser::start().await;
    browser.open(&page.url()).await;
    let is_dark = "matchMedia('(prefers-color-scheme: dark)').matches";
    assert_eq!(browser.evaluate(&format!("[innerWidth, {is_dark}]")).await, serde_json::json!([1280, false]));
    browser.show_on(Screen::PHONE).await;
    browser.prefer(ColorScheme::Dark).await;
    browser.wait_until("innerWidth === 390").await;
    browser.wait_until(is_dark).await;
    let file = page.file.with_extension("png");
    browser.screenshot(&file).await;
    assert!(fs::read(file).unwrap().starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn dropping_the_browser_leaves_nothing_behind_even_on_panic() {
    let browser = Browser::start().await;
    let group = browser.process_group();
    assert!(running_processes(group).len() > 2, "{:?}", running_processes(group));
    let result = std::panic::catch_unwind(AssertUnwindSafe(move || {
        let _browser = browser;
        panic!("a failed test");
    }));
    assert!(result.is_err());
    wait_until("its processes are gone", || match running_processes(group).as_slice() {
        [] => Ok(()),
        processes => Err(format!("{processes:?}")),
    });
}
