//! Reads the last use of each credential from the metrics of a running service.

use std::{collections::HashMap, time::Duration};

use anyhow::{Context as _, bail};
use firmquote_domain::Timestamp;
use firmquote_outbound::{Endpoint, HttpClient, HttpClientConfig, Retry, read_body};
use hyper::{Request, StatusCode};
use tokio::{runtime, time::timeout};

/// Timeout of the request.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Upper bound on a metrics response, in bytes.
const MAX_RESPONSE_BYTES: usize = 64 << 20;

const METRIC: &str = "firmquote_credential_last_used_timestamp_seconds{";

/// Fetches the last use of each credential, keyed by ID, from the admin listener at `address` (host and port), without
/// TLS.
///
/// # Errors
/// When the request fails, or the server is not a Firmquote admin listener.
pub(super) fn ask(address: &str) -> anyhow::Result<HashMap<String, Timestamp>> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let (status, metrics) = runtime
        .block_on(async { timeout(TIMEOUT, get(address)).await? })
        .with_context(|| format!("{address}: cannot read the metrics"))?;
    if status != StatusCode::OK || !metrics.contains("firmquote_build_info") {
        bail!("{address}: not a firmquote admin listener; use the address in server.admin_bind");
    }
    Ok(metrics.lines().filter_map(last_use).collect())
}

async fn get(address: &str) -> anyhow::Result<(StatusCode, String)> {
    let endpoint = Endpoint::parse(&format!("http://{address}"))?;
    if endpoint.uri().port_u16().is_none() || endpoint.path() != "/" {
        bail!("allowed: host:port");
    }
    let request = Request::get(endpoint.join("/metrics")?).body(Default::default())?;
    let response = HttpClient::new(HttpClientConfig::default())?.send(request, Retry::Never).await?;
    let status = response.status();
    let body = read_body(response.into_body(), MAX_RESPONSE_BYTES).await?;
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}

/// Parses the credential ID and the instant from a line such as `name{client="acme",credential="3f2a"} 1795223030`.
fn last_use(line: &str) -> Option<(String, Timestamp)> {
    let (labels, value) = line.strip_prefix(METRIC)?.rsplit_once("} ")?;
    let (_, rest) = labels.split_once("credential=\"")?;
    Some((unescaped(rest)?, Timestamp::from_seconds(value.parse().ok()?)))
}

/// Unescapes a label value of the Prometheus text format, up to its closing quotation mark.
fn unescaped(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '"' => return Some(value),
            '\\' => match characters.next()? {
                'n' => value.push('\n'),
                escaped => value.push(escaped),
            },
            character => value.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_metrics_names_a_credential_and_its_last_use() {
        let line = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="3f2a"} 1795223030"#;
        assert_eq!(last_use(line), Some(("3f2a".to_owned(), Timestamp::from_seconds(1_795_223_030))));
        let odd = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="a\"b\\c"} 7"#;
        assert_eq!(last_use(odd), Some((r#"a"b\c"#.to_owned(), Timestamp::from_seconds(7))));
        assert_eq!(last_use(r#"firmquote_client_requests_total{client="acme"} 3"#), None);
    }
}
