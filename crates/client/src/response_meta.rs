//! Response metadata: the request id and the rate limit.

use std::{str::FromStr, time::Duration};

use hyper::HeaderMap;

/// The metadata in the headers of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseMeta {
    /// The request id, by which the operator finds the request in the log.
    pub request_id: String,
    /// The state of the rate limit; absent if requests are not limited.
    pub rate_limit: Option<RateLimit>,
}

/// The state of a rate limit (draft-ietf-httpapi-ratelimit-headers-10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The name of the limit: such as `anonymous` or `credential`.
    pub policy: String,
    /// Requests left now.
    pub remaining: u64,
    /// Whole seconds until one more request is allowed, rounded up.
    pub reset_after: Duration,
    /// Requests allowed at once, if the response contains it.
    pub quota: Option<u64>,
    /// The time in which the whole quota is restored, in whole seconds, rounded up, if the response contains it.
    pub window: Option<Duration>,
}

/// Reads the metadata from `headers`; the request id is `sent_id` if the response has none.
pub(crate) fn response_meta(headers: &HeaderMap, sent_id: &str) -> ResponseMeta {
    let request_id = text(headers, "x-request-id").filter(|id| is_request_id(id)).unwrap_or(sent_id).to_owned();
    ResponseMeta { request_id, rate_limit: rate_limit(headers) }
}

/// Whether the service accepts `text` as a request id.
pub(crate) fn is_request_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// `Retry-After` in seconds. A date, which this service never sends, is ignored: there is no clock to compare it with.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    text(headers, "retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

fn rate_limit(headers: &HeaderMap) -> Option<RateLimit> {
    let (policy, state) = item(text(headers, "ratelimit")?)?;
    let limits = text(headers, "ratelimit-policy").and_then(item).filter(|(name, _)| *name == policy);
    let limits = limits.map(|(_, parameters)| parameters).unwrap_or_default();
    Some(RateLimit {
        policy: policy.to_owned(),
        remaining: parameter(state, "r")?,
        reset_after: Duration::from_secs(parameter(state, "t")?),
        quota: parameter(limits, "q"),
        window: parameter(limits, "w").map(Duration::from_secs),
    })
}

/// The name and the parameters of the only item of a field (RFC 9651). The name must consist of the characters of a
/// request id.
fn item(field: &str) -> Option<(&str, &str)> {
    field.strip_prefix('"')?.split_once('"').filter(|(name, _)| is_request_id(name))
}

fn parameter<T: FromStr>(parameters: &str, name: &str) -> Option<T> {
    let mut pairs = parameters.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name)?.1.parse().ok()
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn rate_limits_are_parsed_with_their_policy() {
        let consistent = [("ratelimit", "\"anonymous\";r=19;t=1"), ("ratelimit-policy", "\"anonymous\";q=20;w=4")];
        let limit = response_meta(&headers(&consistent), "sent").rate_limit.unwrap();
        assert_eq!((limit.policy.as_str(), limit.remaining, limit.reset_after.as_secs()), ("anonymous", 19, 1));
        assert_eq!((limit.quota, limit.window), (Some(20), Some(Duration::from_secs(4))));
        let another_policy = [("ratelimit", "\"anonymous\";r=0;t=1"), ("ratelimit-policy", "\"other\";q=20;w=4")];
        assert_eq!(response_meta(&headers(&another_policy), "sent").rate_limit.unwrap().quota, None);
        for invalid in ["", "anonymous", "\"anonymous", "\"anonymous\"", "\"a\";r=x;t=1", "\"a\";r=1"] {
            assert_eq!(response_meta(&headers(&[("ratelimit", invalid)]), "sent").rate_limit, None, "{invalid}");
        }
    }

    #[test]
    fn a_valid_response_request_id_replaces_the_clients() {
        assert_eq!(response_meta(&headers(&[("x-request-id", "theirs")]), "ours").request_id, "theirs");
        for headers in [headers(&[]), headers(&[("x-request-id", "a b")]), headers(&[("x-request-id", "")])] {
            assert_eq!(response_meta(&headers, "ours").request_id, "ours");
        }
    }

    #[test]
    fn retry_after_is_whole_seconds() {
        for (value, seconds) in
            [("2", Some(2)), (" 60 ", Some(60)), ("-1", None), ("Wed, 21 Oct 2026 07:28:00 GMT", None)]
        {
            assert_eq!(
                retry_after(&headers(&[("retry-after", value)])).map(|pause| pause.as_secs()),
                seconds,
                "{value}"
            );
        }
    }
}
