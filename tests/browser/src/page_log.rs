//! Side effects of a page: console errors and network requests.
#![expect(clippy::expect_used, reason = "a browser that keeps no log is a failed test")]

use std::sync::PoisonError;

use serde_json::Value;

use crate::Browser;

/// Accumulated log entries: the driver returns each entry only once.
#[derive(Default)]
pub(crate) struct PageLog {
    errors: Vec<String>,
    requests: Vec<Request>,
}

/// A request made by the page, whether or not it got a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method in upper case.
    pub method: String,
    /// The full URL.
    pub url: String,
}

impl Request {
    /// Whether the request goes to a server other than the one at `base`. URLs local to the page (`data:`, `blob:`,
    /// `about:`) do not count.
    pub fn leaves(&self, base: &str) -> bool {
        !["data:", "blob:", "about:", base].iter().any(|start| self.url.starts_with(start))
    }
}

impl Browser {
    /// Returns every console error since the browser started: script errors, failed loads (including HTTP statuses from
    /// 400), and violations of the Content-Security-Policy.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub async fn console_errors(&self) -> Vec<String> {
        let log_entries = self.session.get_log("browser").await.expect("a browser that keeps a log");
        let errors = log_entries.into_iter().filter(|entry| entry.level == "SEVERE").map(|entry| entry.message);
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.errors.extend(errors);
        log.errors.clone()
    }

    /// Returns every request since the browser started, in order.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub async fn requests(&self) -> Vec<Request> {
        let log_entries = self.session.get_log("performance").await.expect("a browser that keeps a log");
        let requests = log_entries.iter().filter_map(|entry| request(&entry.message));
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.requests.extend(requests);
        log.requests.clone()
    }
}

/// Returns the request of a DevTools protocol event, if the event reports one being sent.
fn request(event: &str) -> Option<Request> {
    let event: Value = serde_json::from_str(event).ok()?;
    let message = event.get("message")?;
    let is_request = message.get("method")?.as_str()? == "Network.requestWillBeSent";
    let text = |name| Some(message.pointer("/params/request")?.get(name)?.as_str()?.to_owned());
    if is_request { Some(Request { method: text("method")?, url: text("url")? }) } else { None }
}
