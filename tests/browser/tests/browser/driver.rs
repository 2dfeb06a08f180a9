//! The browser executes commands, notices what a page does, and leaves nothing behind.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{fs, panic::AssertUnwindSafe, path::PathBuf};

use firmquote_browser_tests::{Browser, ColorScheme, Screen};
use firmquote_test_servers::patience::wait_until;
use tempfile::TempDir;

/// A page in a file of its own.
struct Page {
    _directory: TempDir,
    file: PathBuf,
}

impl Page {
    fn of(body: &str) -> Self {
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

/// The living processes of a group.
fn living(group: u32) -> Vec<String> {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    // After the name in parentheses: state, parent, group (proc_pid_stat(5)).
    let of_group = |stat: &String| {
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields.first() != Some(&"Z") && fields.get(2) == Some(&&*group.to_string())
    };
    processes.filter(of_group).collect()
}

#[tokio::test]
async fn pages_can_be_clicked_filled_and_read() {
    let page = Page::of(
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
    let page =
        Page::of("<script>console.error('mind this'); absent()</script><img src='http://elsewhere.example/x.png'>");
    let browser = Browser::start().await;
    browser.open(&page.url()).await;
    for _ in 0..2 {
        let errors = browser.console_errors().await;
        for part in ["mind this", "absent is not defined", "net::ERR_NAME_NOT_RESOLVED"] {
            assert!(errors.iter().any(|error| error.contains(part)), "{part}: {errors:?}");
        }
        let requests = browser.requests().await;
        let foreign: Vec<_> = requests.iter().filter(|request| request.leaves("file://")).collect();
        assert_eq!(foreign.len(), 1, "{requests:?}");
        assert_eq!((&*foreign[0].method, &*foreign[0].url), ("GET", "http://elsewhere.example/x.png"));
    }
}

#[tokio::test]
async fn pages_render_at_any_size_in_light_and_dark() {
    let page = Page::of("<body>here</body>");
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
    assert!(living(group).len() > 2, "{:?}", living(group));
    let panicked = std::panic::catch_unwind(AssertUnwindSafe(move || {
        let _browser = browser;
        panic!("as tests do");
    }));
    assert!(panicked.is_err());
    wait_until("its processes are gone", || match living(group).as_slice() {
        [] => Ok(()),
        left => Err(format!("{left:?}")),
    });
}
