//! A request of a webhook, signed as the Standard Webhooks specify (version 1.0.0, symmetric signatures).

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use firmquote_config::WebhookConfig;
use firmquote_domain::Timestamp;
use firmquote_outbound::{HttpClient, HttpClientConfig, InvalidTls, NOT_PUBLIC, Retry, read_body};
use http_body_util::Full;
use hyper::{Method, Request, body::Bytes, header::CONTENT_TYPE};
use ring::hmac;
use tokio::time::timeout;
use zeroize::Zeroizing;

/// The time limit of a request, connection included.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// The most of a response that is read; its contents do not matter.
const MAX_RESPONSE_BYTES: usize = 4 << 10;

const USER_AGENT: &str = concat!("firmquote/", env!("CARGO_PKG_VERSION"));

/// The id and the body of a request, equal in every attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The id of its last event.
    pub(super) id: String,
    pub(super) body: String,
}

/// Posts signed messages to one URL.
pub(super) struct WebhookClient {
    client: HttpClient,
    config: WebhookConfig,
}

impl Message {
    /// Creates the message of events, each in JSON.
    pub(super) fn new(id: String, events: &[String], created_at: Timestamp) -> Self {
        let seconds = created_at.seconds().get();
        let time = jiff::Timestamp::from_second(seconds.into()).map(|time| time.to_string()).unwrap_or_default();
        let events = events.join(",");
        let body = format!("{{\"type\":\"events\",\"timestamp\":\"{time}\",\"data\":{{\"events\":[{events}]}}}}");
        Self { id, body }
    }
}

impl WebhookClient {
    /// Creates the client; does not connect yet.
    ///
    /// # Errors
    /// [`InvalidTls`] for a URL with TLS when the system has no trusted certificate authorities.
    pub(super) fn new(config: WebhookConfig) -> Result<Self, InvalidTls> {
        let client = HttpClient::new(HttpClientConfig {
            is_tls: config.url.is_tls(),
            public_only: !config.allow_private,
            ..HttpClientConfig::default()
        })?;
        Ok(Self { client, config })
    }

    pub(super) const fn config(&self) -> &WebhookConfig {
        &self.config
    }

    /// Posts a message and returns the status of the response.
    ///
    /// # Errors
    /// Why there is no response; never the URL.
    pub(super) async fn post(&self, message: &Message, now: Timestamp) -> Result<u16, String> {
        let seconds = now.seconds().get();
        let request = Request::builder()
            .method(Method::POST)
            .uri(self.config.url.uri())
            .header(CONTENT_TYPE, "application/json")
            .header("user-agent", USER_AGENT)
            .header("webhook-id", &message.id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signatures(&self.config.secrets, message, seconds))
            .body(Full::new(Bytes::from(message.body.clone())))
            .map_err(|error| error.to_string())?;
        let exchange = async {
            let response = self.client.send(request, Retry::OnClosedConnection).await?;
            let status = response.status().as_u16();
            // A response that is longer, or ends early, has its status all the same.
            drop(read_body(response.into_body(), MAX_RESPONSE_BYTES).await);
            Ok::<_, firmquote_outbound::Error>(status)
        };
        let response = timeout(TIMEOUT, exchange).await;
        response.map_err(|_| format!("no response within {} s", TIMEOUT.as_secs()))?.map_err(|error| describe(&error))
    }
}

/// Describes an error, with the key that permits what was refused.
fn describe(error: &firmquote_outbound::Error) -> String {
    let text = error.to_string();
    if text.contains(NOT_PUBLIC) { format!("{text}: only with allow_private = true") } else { text }
}

/// Returns the signatures of a message at a Unix time in seconds, one by each secret.
fn signatures(secrets: &[Zeroizing<Vec<u8>>], message: &Message, seconds: u32) -> String {
    let signed = format!("{}.{seconds}.{}", message.id, message.body);
    let signature = |secret: &Zeroizing<Vec<u8>>| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
        format!("v1,{}", BASE64_STANDARD.encode(hmac::sign(&key, signed.as_bytes())))
    };
    secrets.iter().map(signature).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_equal_that_of_the_specification() {
        // The example of https://github.com/standard-webhooks/standard-webhooks, reference implementations.
        let secret = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let message =
            Message { id: "msg_p5jXN8AQM9LWM0D4loKWxJek".to_owned(), body: "{\"test\": 2432232314}".to_owned() };
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signatures(&[secret.clone().into()], &message, 1_614_265_330), expected);
        // While it replaces another one.
        let both = signatures(&[vec![7; 24].into(), secret.into()], &message, 1_614_265_330);
        assert!(both.starts_with("v1,") && both.ends_with(&format!(" {expected}")), "{both}");
    }

    #[test]
    fn a_message_has_its_events_in_order() {
        let events = ["{\"event\":\"signed\"}".to_owned(), "{\"event\":\"settled\"}".to_owned()];
        let message = Message::new("id".to_owned(), &events, Timestamp::from_seconds(1_795_222_800));
        let body: serde_json::Value = serde_json::from_str(&message.body).unwrap();
        assert_eq!((&body["type"], &body["timestamp"]), (&"events".into(), &"2026-11-21T01:00:00Z".into()));
        assert_eq!(body["data"]["events"][1]["event"], "settled");
    }
}
