//! A complete response.

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

    /// Returns status, `errorType`, `errorCode` and `errorMessage` of an error object, which has no other members but
    /// `data` and those of a conflict or of a service that is not ready.
    pub(crate) fn error(&self) -> (u16, String, Option<u64>, String) {
        let body = self.json();
        let mut allowed = vec!["errorMessage", "errorType", "errorCode", "data"];
        if body["errorCode"] == 409 {
            allowed.extend(["reason", "moved_bps", "fresh_quote"]);
        }
        if body.get("ready").is_some() {
            allowed.extend(["ready", "parts"]);
        }
        assert!(body.as_object().unwrap().keys().all(|name| allowed.contains(&name.as_str())), "{body}");
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
