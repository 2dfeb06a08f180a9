//! The request to Hermes, `GET /v2/updates/price/stream`, and the checks before it is sent.

use firmquote_domain::B256;
use firmquote_outbound::{Endpoint, InvalidEndpoint};
use http_body_util::Full;
use hyper::{
    Request, Uri,
    body::Bytes,
    header::{self, ACCEPT, AUTHORIZATION, HeaderValue, InvalidHeaderValue},
};

use super::PythConfig;
use crate::{InvalidConfig, USER_AGENT};

const INVALID_SCHEME: &str = "has to start with http:// or https:// and a host";
const NOT_PLAIN: &str = "cannot have credentials or a query";

/// Returns the address of the stream of `feeds`. Hermes ignores those that it does not know.
///
/// # Errors
/// [`InvalidConfig`] for a base that is not an `http` or `https` address, or has credentials or a query. The error
/// does not contain the address: some providers put the key into its path.
pub(super) fn address(config: &PythConfig, feeds: &[B256]) -> Result<Uri, InvalidConfig> {
    let invalid = |reason: &str| InvalidConfig(format!("the address of Hermes {reason}"));
    let endpoint = Endpoint::parse(&config.base_url).map_err(|error| match error {
        InvalidEndpoint::Scheme => invalid(INVALID_SCHEME),
        InvalidEndpoint::Credentials => invalid(NOT_PLAIN),
        error => invalid(&error.to_string()),
    })?;
    if endpoint.is_web_socket() {
        return Err(invalid(INVALID_SCHEME));
    }
    if endpoint.has_query() {
        return Err(invalid(NOT_PLAIN));
    }
    let mut path = "/v2/updates/price/stream?".to_owned();
    for id in feeds {
        path += &format!("ids[]={id}&");
    }
    path += "parsed=true&encoding=hex&ignore_invalid_price_ids=true";
    endpoint.join(&path).map_err(|_| invalid("is too long with so many feeds"))
}

/// Creates the request for the stream at `address`.
///
/// # Errors
/// [`InvalidHeaderValue`] for a key with characters that are not allowed in a header.
pub(super) fn request(address: &Uri, config: &PythConfig) -> Result<Request<Full<Bytes>>, InvalidHeaderValue> {
    let mut request = Request::new(Full::default());
    *request.uri_mut() = address.clone();
    let headers = request.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
    if let Some(key) = &config.api_key {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", key.as_str()))?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use firmquote_domain::Symbol;

    use super::*;

    const FEEDS: [B256; 2] = [B256::repeat_byte(0xab), B256::repeat_byte(1)];

    fn feed(base_url: &str) -> PythConfig {
        let second = Duration::from_secs(1);
        PythConfig {
            base_url: base_url.to_owned(),
            api_key: None,
            authorities: None,
            feeds: FEEDS.into_iter().zip(["ETH", "BTC"].map(|name| Symbol::new(name).unwrap())).collect(),
            connect_timeout: second,
            idle_timeout: second,
            lifetime: second,
        }
    }

    #[test]
    fn the_url_lists_every_feed_below_the_base() {
        for base in ["https://hermes.example/a/b", "https://hermes.example/a/b/", "https://hermes.example/a/b#c"] {
            assert_eq!(
                address(&feed(base), &FEEDS).unwrap().to_string(),
                format!(
                    "https://hermes.example/a/b/v2/updates/price/stream?ids[]=0x{}&ids[]=0x{}&parsed=true&encoding=hex&ignore_invalid_price_ids=true",
                    "ab".repeat(32),
                    "01".repeat(32)
                )
            );
        }
    }

    #[test]
    fn invalid_base_urls_are_rejected_and_not_shown() {
        for base in [
            "",
            "hermes.example",
            "/secret",
            "ftp://hermes.example/secret",
            "https://",
            "https://me:secret@hermes.example",
            "https://hermes.example:99999",
            "https://hermes.example:/a",
            "https://hermes.example:0",
            "https://hermes.example/?key=secret",
            "https://hermes.example/sec ret",
        ] {
            let error = address(&feed(base), &FEEDS).unwrap_err().to_string();
            assert!(error.starts_with("the address of Hermes") && !error.contains("sec"), "{base}: {error}");
        }
    }
}
