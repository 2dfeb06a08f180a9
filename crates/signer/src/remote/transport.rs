//! Requests to the signing service over pooled connections, with a limit on the size of responses.

use firmquote_outbound::{ClientIdentity, Endpoint, HttpClient, HttpClientConfig, InvalidTls, Retry, read_body};
use http_body_util::Full;
use hyper::{Request, StatusCode, body::Bytes};

use super::{InvalidRemoteSignerConfig, RemoteSignerConfig};
use crate::SignerError;

/// The maximum length of the URL.
const MAX_URL_BYTES: usize = 2_048;

/// Parses the base URL of a service. Its path may be a secret.
///
/// # Errors
/// [`InvalidRemoteSignerConfig::Url`] for anything but `http` or `https`, a host, and optionally a port and a path.
pub(super) fn service_endpoint(url: &str) -> Result<Endpoint, InvalidRemoteSignerConfig> {
    const INVALID: InvalidRemoteSignerConfig = InvalidRemoteSignerConfig::Url {
        allowed: "https:// or http://, a host, maybe a port of 1 to 65535, and maybe a path; no credentials before the host, no query",
    };
    let endpoint = Endpoint::parse(url).map_err(|_| INVALID)?;
    let is_plain = !endpoint.is_web_socket() && !endpoint.has_query() && !endpoint.has_fragment();
    if is_plain && url.len() <= MAX_URL_BYTES { Ok(endpoint) } else { Err(INVALID) }
}

/// A client of one service.
pub(super) struct Transport(HttpClient);

impl Transport {
    /// Creates the client without connecting. Without TLS no authority is trusted, and no client certificate is
    /// presented.
    ///
    /// # Errors
    /// [`InvalidRemoteSignerConfig::Authorities`] and [`InvalidRemoteSignerConfig::Identity`], both for TLS only.
    pub(super) fn new(is_tls: bool, config: &RemoteSignerConfig) -> Result<Self, InvalidRemoteSignerConfig> {
        let identity = config.identity.as_ref();
        let identity =
            identity.map(|identity| ClientIdentity { certificates: &identity.certificates, key: &identity.key });
        let authorities = config.authorities.as_deref();
        let config = HttpClientConfig { is_tls, authorities, identity, ..HttpClientConfig::default() };
        HttpClient::new(config).map(Self).map_err(invalid)
    }

    /// Returns the body of a successful response of at most `max_bytes`; `None` for 404. A request whose connection was
    /// being closed is sent again, which is safe: only the one signature received here can leave the service.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] for everything else, without any part of the URL or of the response.
    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
        max_bytes: usize,
    ) -> Result<Option<Bytes>, SignerError> {
        let failed = |error: firmquote_outbound::Error| unavailable(error.to_string());
        let response = self.0.send(request, Retry::OnClosedConnection).await.map_err(failed)?;
        match response.status() {
            StatusCode::OK => read_body(response.into_body(), max_bytes).await.map(Some).map_err(failed),
            StatusCode::NOT_FOUND => Ok(None),
            status => Err(unavailable(format!("HTTP status {}", status.as_u16()))),
        }
    }
}

fn invalid(error: InvalidTls) -> InvalidRemoteSignerConfig {
    match error {
        InvalidTls::Identity => InvalidRemoteSignerConfig::Identity,
        InvalidTls::NoAuthority => {
            InvalidRemoteSignerConfig::Authorities { reason: "there is no certificate".to_owned() }
        }
        error => InvalidRemoteSignerConfig::Authorities { reason: error.to_string() },
    }
}

pub(super) fn unavailable(reason: String) -> SignerError {
    SignerError::Unavailable { source: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_appended_and_only_host_and_port_are_shown() {
        for (text, shown, joined) in [
            ("http://127.0.0.1:9000", "127.0.0.1:9000", "http://127.0.0.1:9000/a/b"),
            ("http://127.0.0.1:9000/", "127.0.0.1:9000", "http://127.0.0.1:9000/a/b"),
            ("https://keys.example/secret", "keys.example", "https://keys.example/secret/a/b"),
            ("https://[::1]:1/secret//", "[::1]:1", "https://[::1]:1/secret/a/b"),
        ] {
            let Ok(url) = service_endpoint(text) else { panic!("{text}") };
            assert_eq!((url.to_string().as_str(), url.is_tls()), (shown, text.starts_with("https")));
            assert_eq!(url.join("/a/b").unwrap().to_string(), joined);
        }
    }

    #[test]
    fn other_urls_are_rejected_and_not_shown() {
        for text in [
            "",
            "secret",
            "/secret",
            "ftp://host/secret",
            "ws://host/secret",
            "http://",
            "http:///secret",
            "http://host:99999/secret",
            "http://host:/secret",
            "http://host:0/secret",
            "http://me:secret@host",
            "http://host/?key=secret",
            "http://host/#secret",
            "http://ho st/secret",
            &format!("http://host/secret/{}", "a".repeat(2_048)),
        ] {
            let Err(error) = service_endpoint(text) else { panic!("{text} is taken") };
            assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
        }
    }
}
