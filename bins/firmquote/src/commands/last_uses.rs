//! Reads the last use of each credential from the metrics of a running service.

use std::collections::HashMap;

use anyhow::{Context as _, bail};
use firmquote_domain::Timestamp;
use hyper::{Request, StatusCode};

use super::{
    http_request::{NO_ADMIN_LISTENER, admin_url, send},
    runtime::runtime,
};

const METRIC: &str = "firmquote_credential_last_used_timestamp_seconds{";

/// Fetches the last use of each credential, keyed by ID, from the admin listener at `address` (host and port), without
/// TLS.
///
/// # Errors
/// When the request fails, or the server is not a Firmquote admin listener.
pub(super) fn fetch(address: &str) -> anyhow::Result<HashMap<String, Timestamp>> {
    let runtime = runtime()?;
    let (status, metrics) =
        runtime.block_on(metrics(address)).with_context(|| format!("{address}: cannot read the metrics"))?;
    if status != StatusCode::OK || !metrics.contains("firmquote_build_info") {
        bail!("{address}: {NO_ADMIN_LISTENER}");
    }
    Ok(metrics.lines().filter_map(last_use).collect())
}

async fn metrics(address: &str) -> anyhow::Result<(StatusCode, String)> {
    send(Request::get(admin_url(address, "/metrics")?), String::new()).await
}

/// Parses the credential ID and the instant from a line such as `name{client="acme",credential="3f2a"} 1795223030`.
fn last_use(line: &str) -> Option<(String, Timestamp)> {
    let (labels, value) = line.strip_prefix(METRIC)?.rsplit_once("} ")?;
    let (_, quoted) = labels.split_once("credential=")?;
    // The escapes of the Prometheus text format are a subset of those of JSON.
    let id = serde_json::Deserializer::from_str(quoted).into_iter::<String>().next()?.ok()?;
    Some((id, Timestamp::from_seconds(value.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metrics_line_gives_a_credential_and_its_last_use() {
        let line = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="3f2a"} 1795223030"#;
        assert_eq!(last_use(line), Some(("3f2a".to_owned(), Timestamp::from_seconds(1_795_223_030))));
        let odd = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="a\"b\\c"} 7"#;
        assert_eq!(last_use(odd), Some((r#"a"b\c"#.to_owned(), Timestamp::from_seconds(7))));
        assert_eq!(last_use(r#"firmquote_client_requests_total{client="acme"} 3"#), None);
    }
}
