//! A reader of Server-Sent Events.
#![expect(clippy::expect_used, clippy::panic, reason = "an unexpected response fails the test")]

use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use firmquote_test_servers::patience::PATIENCE;

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Its kind.
    pub kind: String,
    /// Its data.
    pub data: Value,
}

/// An open stream.
pub struct EventReader {
    response: reqwest::Response,
    text: String,
}

impl EventReader {
    /// Opens the stream of a path with a bearer token.
    ///
    /// # Panics
    /// If it cannot be opened.
    pub async fn open(base: &str, path: &str, token: &str) -> Self {
        let client = reqwest::Client::new();
        let response = client.get(format!("{base}{path}")).bearer_auth(token).send().await.expect("the server answers");
        assert_eq!(response.status(), 200, "{:?}", response);
        Self { response, text: String::new() }
    }

    /// Returns the next event of this kind, and skips others.
    ///
    /// # Panics
    /// If there is none in time.
    pub async fn next(&mut self, kind: &str) -> Event {
        loop {
            let event = self.next_of_any_kind().await;
            if event.kind == kind {
                return event;
            }
        }
    }

    /// Returns the next event.
    ///
    /// # Panics
    /// If there is none in time.
    pub async fn next_of_any_kind(&mut self) -> Event {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                let member = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                if let Some(kind) = member("event: ") {
                    let data = serde_json::from_str(&member("data: ").expect("data")).expect("JSON");
                    return Event { id: member("id: "), kind, data };
                }
                continue;
            }
            let chunk = timeout_at(deadline, self.response.chunk()).await;
            match chunk.expect("an event in time").expect("an open stream") {
                Some(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                None => panic!("the stream has ended"),
            }
        }
    }
}
