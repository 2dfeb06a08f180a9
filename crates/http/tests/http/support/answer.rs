//! A complete response.

use firmquote_api::{Reaction, Reason};
use serde_json::Value;

/// Status, headers and body of a response.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl TestResponse {
    pub(crate) async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, text: response.text().await.unwrap() }
    }

    /// Returns the body, after checking the content type.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_str(&self.text).unwrap()
    }

    /// Returns the body of a successful response.
    pub(crate) fn success(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns status, `errorType`, `errorCode` and `errorMessage` of an error object, whose other members are those of its
    /// reason.
    pub(crate) fn error(&self) -> (u16, String, Option<u64>, String) {
        let body = self.json();
        let reason: Reason = body["reason"].as_str().and_then(|reason| reason.parse().ok()).expect("a known reason");
        let (status, error_type) = reason.status();
        assert_eq!((self.status, body["errorType"].as_str()), (status, Some(error_type.name())), "{body}");
        assert_eq!(body.get("errorCode").and_then(Value::as_u64), reason.code().map(u64::from), "{body}");
        let mut allowed = vec!["errorMessage", "errorType", "errorCode", "reason"];
        allowed.extend(match reason {
            Reason::InvalidInput => &["data"][..],
            Reason::NotReady => &["ready", "parts"],
            Reason::TooLarge => &["field", "max_amount"],
            Reason::TooSmall => &["field", "min_amount"],
            Reason::TradeLimit => &["field", "max_amount", "largest_trade_in_usd"],
            Reason::OutstandingLimit => &["output_left"],
            Reason::UnsupportedChain | Reason::UnsupportedAsset | Reason::UnsupportedPair | Reason::UnsupportedPool => {
                &["field"]
            }
            reason if reason.is_conflict() => &["moved_bps", "fresh_quote"],
            _ => &[],
        });
        if matches!(reason.reaction(), Reaction::Retry | Reaction::RetryIfTold) {
            allowed.push("retry_after_ms");
        }
        assert!(body.as_object().unwrap().keys().all(|name| allowed.contains(&name.as_str())), "{body}");
        let seconds = body.get("retry_after_ms").map(|millis| millis.as_u64().unwrap().div_ceil(1_000).to_string());
        assert_eq!(self.header("retry-after"), seconds.as_deref(), "{body}");
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        (self.status, text("errorType"), body.get("errorCode").map(|code| code.as_u64().unwrap()), text("errorMessage"))
    }

    /// Returns `<type> <path>` of every item of `data` of a 422 error, in order; no path for the body as a whole.
    pub(crate) fn invalid(&self) -> Vec<String> {
        let (status, error_type, code, message) = self.error();
        assert_eq!((status, error_type.as_str(), code), (400, "BadData", Some(422)), "{self:?}");
        assert_eq!(message, "Invalid input data");
        let body = self.json();
        let item = |item: &Value| {
            let mut names: Vec<_> = item.as_object().unwrap().keys().cloned().collect();
            names.sort_unstable();
            assert_eq!(names, ["input", "loc", "msg", "type", "url"]);
            let loc = item["loc"].as_array().unwrap();
            assert!(!item["msg"].as_str().unwrap().is_empty());
            let step = |step: &Value| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
            let path = loc.iter().map(step).collect::<Vec<_>>().join(".");
            format!("{} {path}", item["type"].as_str().unwrap()).trim().to_owned()
        };
        body["data"].as_array().unwrap().iter().map(item).collect()
    }
}
