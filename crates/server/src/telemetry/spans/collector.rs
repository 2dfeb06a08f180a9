//! HTTP client of the trace collector: one request per batch, over pooled connections.

use std::time::Duration;

use firmquote_config::OtlpConfig;
use firmquote_outbound::{HttpClient, HttpClientConfig, InvalidTls, Retry, read_body};
use http_body_util::Full;
use hyper::{
    Method, Request, StatusCode, Uri,
    body::Bytes,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use opentelemetry_proto::{
    tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
    transform::{common::tonic::ResourceAttributesWithSchema, trace::tonic::group_spans_by_resource_and_scope},
};
use opentelemetry_sdk::{Resource, trace::SpanData};
use prost::Message as _;
use tokio::time::timeout;

use crate::{Error, error::Context as _};

/// Maximum length of a response in bytes. A response of full success has an empty body.
const MAX_RESPONSE_BYTES: usize = 64 << 10;

/// A trace collector, reached over HTTP.
pub(super) struct Collector {
    client: HttpClient,
    traces: Uri,
    headers: HeaderMap,
    timeout: Duration,
    resource: ResourceAttributesWithSchema,
}

impl Collector {
    /// Creates a client for the collector of `config`; spans are reported as those of `resource`. Does not connect yet.
    ///
    /// # Errors
    /// When the collector is reached over TLS and the system has no trusted certificate authorities.
    pub(super) fn new(config: &OtlpConfig, resource: &Resource) -> Result<Self, Error> {
        let is_tls = config.traces.scheme_str() == Some("https");
        let client = HttpClient::new(HttpClientConfig { is_tls, ..HttpClientConfig::default() });
        let client = client.map_err(|error| match error {
            InvalidTls::NoAuthority => "this system trusts no certificate authority".to_owned(),
            error => error.to_string(),
        });
        Ok(Self {
            client: client.context("otlp.endpoint")?,
            traces: config.traces.clone(),
            headers: config.headers.clone(),
            timeout: config.timeout,
            resource: resource.into(),
        })
    }

    /// Sends `batch` and returns the number of rejected spans.
    ///
    /// # Errors
    /// When the whole batch failed. The error contains neither the collector's response nor the configured header
    /// fields.
    pub(super) async fn send(&self, batch: Vec<SpanData>) -> Result<u64, String> {
        let resource_spans = group_spans_by_resource_and_scope(batch, &self.resource);
        let body = ExportTraceServiceRequest { resource_spans }.encode_to_vec();
        let mut request = Request::new(Full::new(Bytes::from(body)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.traces.clone();
        request.headers_mut().extend(self.headers.clone());
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let late = || format!("no response within {} s", self.timeout.as_secs());
        let answer = timeout(self.timeout, self.send_request(request)).await.map_err(|_| late())??;
        // A body that cannot be decoded came with status 200: everything was accepted.
        let partial = ExportTraceServiceResponse::decode(answer).ok().and_then(|answer| answer.partial_success);
        Ok(partial.map_or(0, |partial| u64::try_from(partial.rejected_spans).unwrap_or(0)))
    }

    async fn send_request(&self, request: Request<Full<Bytes>>) -> Result<Bytes, String> {
        let answer = self.client.send(request, Retry::Never).await.map_err(|error| error.to_string())?;
        if answer.status() != StatusCode::OK {
            return Err(format!("HTTP status {}", answer.status().as_u16()));
        }
        read_body(answer.into_body(), MAX_RESPONSE_BYTES).await.map_err(|error| error.to_string())
    }
}
