//! When a running service saw each credential last, as its metrics say.

use std::{
    collections::HashMap,
    io::{Read as _, Write as _},
    net::{TcpStream, ToSocketAddrs as _},
    time::Duration,
};

use anyhow::{Context as _, bail};
use firmquote_domain::Timestamp;

/// How long connecting, writing and reading may each take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// More than any metrics, in bytes.
const MAX_ANSWER: u64 = 64 << 20;

const METRIC: &str = "firmquote_credential_last_used_timestamp_seconds{";

/// The last use of each credential by its id, at the admin listener `address` (host and port). HTTP/1.0 is enough: it is one
/// answer in plain text, and the listener speaks no TLS.
///
/// # Errors
/// When nothing answers there, or something that is no admin listener.
pub(super) fn ask(address: &str) -> anyhow::Result<HashMap<String, Timestamp>> {
    let answer = get(address).with_context(|| format!("{address}: the metrics are not read"))?;
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { bail!("{address}: this is no HTTP server") };
    if head.split(' ').nth(1) != Some("200") || !body.contains("firmquote_build_info") {
        bail!("{address}: this is no admin listener of firmquote, allowed: what server.admin_bind says");
    }
    Ok(body.lines().filter_map(last_use).collect())
}

fn get(address: &str) -> anyhow::Result<String> {
    let resolved = address.to_socket_addrs()?.next().context("no such host")?;
    let mut stream = TcpStream::connect_timeout(&resolved, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /metrics HTTP/1.0\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER).read_to_string(&mut answer)?;
    Ok(answer)
}

/// The credential and the instant of a line such as `name{client="acme",credential="3f2a"} 1795223030`.
fn last_use(line: &str) -> Option<(String, Timestamp)> {
    let (labels, value) = line.strip_prefix(METRIC)?.rsplit_once("} ")?;
    let (_, rest) = labels.split_once("credential=\"")?;
    let (id, _) = rest.split_once('"')?;
    Some((id.to_owned(), Timestamp::from_seconds(value.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_metrics_names_a_credential_and_its_last_use() {
        let line = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="3f2a"} 1795223030"#;
        assert_eq!(last_use(line), Some(("3f2a".to_owned(), Timestamp::from_seconds(1_795_223_030))));
        assert_eq!(last_use(r#"firmquote_client_requests_total{client="acme"} 3"#), None);
    }
}
