//! Sends a request to a service and interprets the response.

use std::{error::Error as StdError, sync::Arc};

use firmquote_outbound::{Endpoint, InvalidEndpoint};
use http_body_util::Full;
use hyper::{
    Method, Request,
    body::{Bytes, Incoming},
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT},
};
use serde::de::{DeserializeOwned, IgnoredAny};
use uuid::Uuid;

use crate::{
    ClientSettings, Error, InvalidSettings, Refusal, Response,
    credential::CredentialHeaders,
    response::one_line,
    response_meta::{ResponseMeta, response_meta, retry_after},
    route::{Route, Version},
    transport::{RawResponse, StreamResponse, Transport},
};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const CLIENT_NAME: HeaderValue = HeaderValue::from_static(concat!("firmquote-client/", env!("CARGO_PKG_VERSION")));

/// The endpoints, the credential and the transport of a client.
pub(crate) struct RequestExecutor {
    base: Endpoint,
    base_v2: Endpoint,
    credential: CredentialHeaders,
    transport: Transport,
}

impl RequestExecutor {
    /// Creates an executor; nothing is sent yet.
    ///
    /// # Errors
    /// [`InvalidSettings`] for the first invalid setting.
    pub(crate) fn new(settings: ClientSettings) -> Result<Self, InvalidSettings> {
        let base = base_url(&settings.base_url)?;
        let base_v2 = settings.base_url_v2.as_deref().map_or_else(|| Ok(base.clone()), base_url)?;
        let transport = Transport::new(base.is_tls() || base_v2.is_tls(), &settings)?;
        Ok(Self { base, base_v2, credential: CredentialHeaders::new(settings.credential)?, transport })
    }

    /// Returns the API version that the credential determines.
    pub(crate) const fn version(&self) -> Version {
        if self.credential.has_api_key { Version::Two } else { Version::One }
    }

    /// Returns the endpoints of versions 1 and 2.
    pub(crate) const fn bases(&self) -> (&Endpoint, &Endpoint) {
        (&self.base, &self.base_v2)
    }

    /// Sends a request with this request id and returns the typed response.
    ///
    /// # Errors
    /// Every [`Error`] except [`Error::NeedsApiKey`] and [`Error::QuoteNotSigned`].
    pub(crate) async fn execute<T: DeserializeOwned>(
        &self,
        route: &Route,
        request_id: &str,
    ) -> Result<Response<T>, Error> {
        match self.send(route, request_id, false).await? {
            StreamResponse::Other(response) => self.parse_response(response, request_id),
            StreamResponse::Stream(..) => Err(unexpected_kind(200, request_id, "it is a stream")),
        }
    }

    /// Sends a request with this request id and returns the body of the stream and the metadata of its head.
    ///
    /// # Errors
    /// Those of [`Self::execute`].
    pub(crate) async fn open_stream(&self, route: &Route, request_id: &str) -> Result<(Incoming, ResponseMeta), Error> {
        let response = match self.send(route, request_id, true).await? {
            StreamResponse::Stream(headers, body) => return Ok((body, response_meta(&headers, request_id))),
            StreamResponse::Other(response) => response,
        };
        let status = response.status;
        self.parse_response::<IgnoredAny>(response, request_id)?;
        Err(unexpected_kind(status, request_id, "it is not a stream"))
    }

    async fn send(&self, route: &Route, request_id: &str, accepts_streams: bool) -> Result<StreamResponse, Error> {
        let request = self
            .request(route, request_id)
            .map_err(|error| Error::Unreachable { request_id: request_id.to_owned(), cause: error.to_string() })?;
        self.transport.send(request, route.is_repeatable, accepts_streams, request_id).await
    }

    fn request(&self, route: &Route, request_id: &str) -> Result<Request<Full<Bytes>>, Box<dyn StdError>> {
        let base = match route.version {
            Version::One => &self.base,
            Version::Two => &self.base_v2,
        };
        let request = Request::builder().uri(base.join(&route.path)?);
        let mut request = match &route.body {
            Some(body) => {
                let request = request.method(Method::POST).header(CONTENT_TYPE, JSON);
                request.body(Full::from(body.to_string()))?
            }
            None => request.body(Full::default())?,
        };
        let headers = request.headers_mut();
        headers.insert(ACCEPT, JSON);
        headers.insert(USER_AGENT, CLIENT_NAME);
        headers.insert(X_REQUEST_ID, HeaderValue::from_str(request_id)?);
        if let Some((name, value)) = &self.credential.header {
            headers.insert(name.clone(), value.clone());
        }
        Ok(request)
    }

    fn parse_response<T: DeserializeOwned>(
        &self,
        response: RawResponse,
        request_id: &str,
    ) -> Result<Response<T>, Error> {
        let RawResponse { status, headers, body } = response;
        let meta = response_meta(&headers, request_id);
        let invalid_response = |reason: &str| Error::InvalidResponse {
            request_id: request_id.to_owned(),
            status,
            reason: one_line(reason),
        };
        let text = String::from_utf8_lossy(&body).into_owned();
        let has_leak = self.credential.appears_in(&text) || self.credential.appears_in(&format!("{meta:?}"));
        if has_leak {
            return Err(invalid_response("it contains the credential"));
        }
        if status != 200 {
            return Err(Error::Refused(Box::new(Refusal::from_response(status, &text, retry_after(&headers), meta))));
        }
        let value = serde_json::from_str(&text).map_err(|error| invalid_response(&error.to_string()))?;
        Ok(Response { value, meta, text })
    }
}

/// Returns a unique request id.
pub(crate) fn fresh_request_id() -> Arc<str> {
    Uuid::new_v4().to_string().into()
}

fn unexpected_kind(status: u16, request_id: &str, reason: &str) -> Error {
    Error::InvalidResponse { request_id: request_id.to_owned(), status, reason: reason.to_owned() }
}

/// Parses a base URL that paths are appended to.
///
/// # Errors
/// [`InvalidSettings::BaseUrl`] for anything but `http` or `https`, a host, and optionally a port and a path.
fn base_url(text: &str) -> Result<Endpoint, InvalidSettings> {
    let endpoint = Endpoint::parse(text).map_err(|_: InvalidEndpoint| InvalidSettings::BaseUrl)?;
    let is_plain = !endpoint.is_web_socket() && !text.contains(['@', '?', '#']);
    if is_plain { Ok(endpoint) } else { Err(InvalidSettings::BaseUrl) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_may_have_a_path_and_a_trailing_slash() {
        for (base, joined) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/rfq/pool?chain_id=1"),
            ("https://quotes.example/", "https://quotes.example/rfq/pool?chain_id=1"),
            ("https://quotes.example/api/", "https://quotes.example/api/rfq/pool?chain_id=1"),
            ("http://[::1]:80", "http://[::1]:80/rfq/pool?chain_id=1"),
        ] {
            let Ok(base) = base_url(base) else { panic!("{base}") };
            assert_eq!(base.join("/rfq/pool?chain_id=1").unwrap(), joined);
        }
    }

    #[test]
    fn invalid_base_urls_are_rejected() {
        for base in [
            "",
            "quotes.example",
            "ftp://quotes.example",
            "wss://quotes.example",
            "https://",
            "http://h:99999",
            "http://h:184800/api",
            "https://h:",
            "https://h:0",
            "http://[::1]:99999",
            "https://user:password@quotes.example",
            "https://quotes.example?key=1",
            "https://quotes.example/#top",
            "/rfq",
        ] {
            assert_eq!(base_url(base).err(), Some(InvalidSettings::BaseUrl), "{base}");
        }
    }
}
