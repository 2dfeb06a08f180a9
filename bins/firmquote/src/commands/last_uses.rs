//! Reads from the metrics of replicas when each credential was last used, which are revoked in the store, and which
//! credentials file is in effect.

use std::collections::{HashMap, HashSet};

use anyhow::bail;
use firmquote_domain::Timestamp;
use hyper::{Request, StatusCode};

use super::http_request::{NO_ADMIN_LISTENER, admin_url, send};

const LAST_USE: &str = "firmquote_credential_last_used_timestamp_seconds{";
const REVOKED: &str = "firmquote_credential_revoked{";
const FILE: &str = "firmquote_credentials_file_info{";

/// What a replica knows of credentials.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CredentialUse {
    /// The last use of each credential since the replica started, by id.
    pub(super) last_uses: HashMap<String, Timestamp>,
    /// The ids of the credentials that are revoked in its store.
    pub(super) revoked: HashSet<String>,
    /// The id of its credentials file, empty without one; `None` for a release that does not report it.
    pub(super) file_id: Option<String>,
}

/// Fetches what the replica knows whose admin listener is at `address` (host and port), without TLS.
///
/// # Errors
/// When the request fails, or the server is not a Firmquote admin listener.
pub(super) async fn fetch(address: &str) -> anyhow::Result<CredentialUse> {
    let (status, metrics) = send(Request::get(admin_url(address, "/metrics")?), String::new()).await?;
    if status != StatusCode::OK || !metrics.contains("firmquote_build_info") {
        bail!(NO_ADMIN_LISTENER);
    }
    Ok(parse(&metrics))
}

fn parse(metrics: &str) -> CredentialUse {
    let last_uses = metrics.lines().filter_map(last_use).collect();
    let revoked = metrics.lines().filter_map(|line| label(line.strip_prefix(REVOKED)?, "credential="));
    let file_id = metrics.lines().find_map(|line| label(line.strip_prefix(FILE)?, "sha256="));
    CredentialUse { last_uses, revoked: revoked.collect(), file_id }
}

/// Parses the credential ID and the instant from a line such as `name{client="acme",credential="3f2a"} 1795223030`.
fn last_use(line: &str) -> Option<(String, Timestamp)> {
    let (labels, value) = line.strip_prefix(LAST_USE)?.rsplit_once("} ")?;
    Some((label(labels, "credential=")?, Timestamp::from_seconds(value.parse().ok()?)))
}

/// Parses the label whose name, with `=`, is `name`.
fn label(labels: &str, name: &str) -> Option<String> {
    let (_, quoted) = labels.split_once(name)?;
    // The escapes of the Prometheus text format are a subset of those of JSON.
    serde_json::Deserializer::from_str(quoted).into_iter::<String>().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_give_the_last_uses_the_revoked_and_the_file() {
        let line = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="3f2a"} 1795223030"#;
        let others =
            "firmquote_credentials_file_info{sha256=\"ab12\"} 1\nfirmquote_credential_revoked{credential=\"9c0d\"} 1\n";
        let last_uses = HashMap::from([("3f2a".to_owned(), Timestamp::from_seconds(1_795_223_030))]);
        let revoked = HashSet::from(["9c0d".to_owned()]);
        let expected = CredentialUse { last_uses, revoked, file_id: Some("ab12".to_owned()) };
        assert_eq!(parse(&format!("{line}\n{others}")), expected);
        let odd = r#"firmquote_credential_last_used_timestamp_seconds{client="acme",credential="a\"b\\c"} 7"#;
        assert_eq!(last_use(odd), Some((r#"a"b\c"#.to_owned(), Timestamp::from_seconds(7))));
        assert_eq!(last_use(r#"firmquote_client_requests_total{client="acme"} 3"#), None);
    }
}
