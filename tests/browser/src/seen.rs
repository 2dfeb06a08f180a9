//! What a page did besides showing itself: its complaints on the console, and what it asked for.
#![expect(clippy::expect_used, reason = "a browser that keeps no log is a failed test")]

use std::sync::PoisonError;

use serde_json::Value;

use crate::Browser;

/// What was heard of the driver, which tells everything once.
#[derive(Default)]
pub(crate) struct Seen {
    errors: Vec<String>,
    requests: Vec<Request>,
}

/// A request that the page made, whether or not it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// In capitals.
    pub method: String,
    /// Whole.
    pub url: String,
}

impl Request {
    /// Whether it leaves the server whose address begins with `base`: all but what is in the page itself (`data:`, `blob:`).
    pub fn leaves(&self, base: &str) -> bool {
        !["data:", "blob:", "about:", base].iter().any(|start| self.url.starts_with(start))
    }
}

impl Browser {
    /// Every error on the console since the browser started: of scripts, of what did not load (answers from 400 on too), and
    /// of what the page's policy forbids.
    ///
    /// # Panics
    /// If the browser does not tell.
    pub async fn console_errors(&self) -> Vec<String> {
        let heard = self.session.get_log("browser").await.expect("a browser that keeps a log");
        let errors = heard.into_iter().filter(|entry| entry.level == "SEVERE").map(|entry| entry.message);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.errors.extend(errors);
        seen.errors.clone()
    }

    /// Every request since the browser started, in the order they were made.
    ///
    /// # Panics
    /// If the browser does not tell.
    pub async fn requests(&self) -> Vec<Request> {
        let heard = self.session.get_log("performance").await.expect("a browser that keeps a log");
        let requests = heard.iter().filter_map(|entry| request(&entry.message));
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.requests.extend(requests);
        seen.requests.clone()
    }
}

/// The request that an event of the DevTools protocol is about, if it is about one that is made.
fn request(event: &str) -> Option<Request> {
    let event: Value = serde_json::from_str(event).ok()?;
    let message = event.get("message")?;
    let is_request = message.get("method")?.as_str()? == "Network.requestWillBeSent";
    let text = |name| Some(message.pointer("/params/request")?.get(name)?.as_str()?.to_owned());
    if is_request { Some(Request { method: text("method")?, url: text("url")? }) } else { None }
}
