//! A client's view of a stream of price levels; every message is validated against the AsyncAPI document.

use std::{sync::Arc, time::Duration};

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tokio::{task::AbortHandle, time::timeout};

use super::Rig;

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Publishes the levels of a rig until dropped.
pub(crate) struct Publisher(AbortHandle);

impl Publisher {
    pub(crate) fn start(rig: &Rig) -> Self {
        let live = Arc::clone(&rig.live);
        Self(tokio::spawn(async move { match live.publish().await {} }).abort_handle())
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The AsyncAPI document.
struct AsyncApi(Value);

impl AsyncApi {
    async fn read(rig: &Rig) -> Self {
        let document = rig.get("/asyncapi.json").await.success();
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        Self(document)
    }

    /// Validates a message against the schema of its type.
    fn check(&self, message: &Value) {
        let kind = message["type"].as_str().unwrap();
        let mut schema = self.0["components"]["messages"][kind]["payload"].clone();
        schema["components"] = self.0["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator.iter_errors(message).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {message}");
    }
}

/// A stream of Server-Sent Events, parsed as by `EventSource`.
pub(crate) struct LevelEvents {
    response: reqwest::Response,
    text: String,
    last_number: u64,
    epoch: String,
    document: AsyncApi,
}

impl LevelEvents {
    pub(crate) async fn open(rig: &Rig, query: &str) -> Self {
        let path = format!("/rfq/v2/levels/1/stream?{query}");
        let request = rig.request(Method::GET, &path).header("x-api-key", rig.acme_key.reveal());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let mut events = Self {
            response,
            text: String::new(),
            last_number: 0,
            epoch: String::new(),
            document: AsyncApi::read(rig).await,
        };
        let hello = events.next().await.unwrap();
        assert_eq!((hello["type"].as_str(), hello["protocol"].as_str()), (Some("hello"), Some("firmquote-levels/1")));
        assert_eq!((hello["chain_id"].as_u64(), hello["min_interval_ms"].as_u64()), (Some(1), Some(100)));
        assert_eq!(hello["epoch"], events.epoch.as_str());
        events
    }

    /// Returns the next message, `None` after the end. Its number must follow the previous one.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let end = loop {
            match self.text.find("\n\n") {
                Some(end) => break end,
                None => {
                    let chunk = timeout(PATIENCE, self.response.chunk()).await.expect("a message").unwrap()?;
                    self.text.push_str(std::str::from_utf8(&chunk).unwrap());
                }
            }
        };
        let event: String = self.text.drain(..end + 2).collect();
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap();
        let message: Value = serde_json::from_str(field("data")).unwrap();
        assert_eq!(message["type"], field("event"));
        self.document.check(&message);
        self.last_number += 1;
        assert_eq!(message["n"], self.last_number);
        let (epoch, number) = field("id").split_once('-').unwrap();
        assert_eq!(number, self.last_number.to_string());
        self.epoch = epoch.to_owned();
        Some(message)
    }

    /// Returns the next message other than a heartbeat, which must have this type.
    pub(crate) async fn expect(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.expect("a message before the end");
            if message["type"] != "heartbeat" {
                assert_eq!(message["type"], kind, "{message}");
                return message;
            }
        }
    }
}
