//! Whoever collects spans: one request for each batch, over connections that are kept.

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, bail};
use firmquote_config::OtlpConfig;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{
    Method, Request, StatusCode, Uri,
    body::Bytes,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use opentelemetry_proto::{
    tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
    transform::{common::tonic::ResourceAttributesWithSchema, trace::tonic::group_spans_by_resource_and_scope},
};
use opentelemetry_sdk::{Resource, trace::SpanData};
use prost::Message as _;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio::time::timeout;

/// How long a connection is kept that nothing is sent on.
const IDLE: Duration = Duration::from_secs(15);
/// The longest answer that is read, in bytes. One that says that all was taken has none.
const LONGEST_ANSWER: usize = 64 << 10;

/// Takes spans, over HTTP.
pub(super) struct Collector {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    traces: Uri,
    headers: HeaderMap,
    timeout: Duration,
    resource: ResourceAttributesWithSchema,
}

impl Collector {
    /// The collector of `config`, which is told that spans are of `resource`. Connects to nothing yet.
    ///
    /// # Errors
    /// When it is to be asked by TLS, and this system trusts nobody.
    pub(super) fn new(config: &OtlpConfig, resource: &Resource) -> anyhow::Result<Self> {
        let connector = connector(config.traces.scheme_str() == Some("https")).context("otlp.endpoint")?;
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).pool_idle_timeout(IDLE).build(connector),
            traces: config.traces.clone(),
            headers: config.headers.clone(),
            timeout: config.timeout,
            resource: resource.into(),
        })
    }

    /// Sends `batch`, and returns how many of its spans were not taken.
    ///
    /// # Errors
    /// When none was taken. Says nothing of what the collector said, or is told besides the spans.
    pub(super) async fn send(&self, batch: Vec<SpanData>) -> anyhow::Result<u64> {
        let resource_spans = group_spans_by_resource_and_scope(batch, &self.resource);
        let body = ExportTraceServiceRequest { resource_spans }.encode_to_vec();
        let mut request = Request::new(Full::new(Bytes::from(body)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.traces.clone();
        request.headers_mut().extend(self.headers.clone());
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let late = || format!("no answer within {} s", self.timeout.as_secs());
        let answer = timeout(self.timeout, self.ask(request)).await.with_context(late)??;
        // An answer that is none of the protocol's came with the status of one that took everything.
        let partial = ExportTraceServiceResponse::decode(answer).ok().and_then(|answer| answer.partial_success);
        Ok(partial.map_or(0, |partial| u64::try_from(partial.rejected_spans).unwrap_or(0)))
    }

    async fn ask(&self, request: Request<Full<Bytes>>) -> anyhow::Result<Bytes> {
        let answer = self.client.request(request).await?;
        if answer.status() != StatusCode::OK {
            bail!("HTTP status {}", answer.status().as_u16());
        }
        let body = Limited::new(answer.into_body(), LONGEST_ANSWER).collect().await;
        Ok(body.map_err(anyhow::Error::from_boxed)?.to_bytes())
    }
}

/// Connects by TLS if `is_tls`, and otherwise without.
fn connector(is_tls: bool) -> anyhow::Result<HttpsConnector<HttpConnector>> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    let mut roots = RootCertStore::empty();
    if is_tls {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if roots.is_empty() {
            bail!("this system trusts no certificate authority");
        }
    }
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let builder = HttpsConnectorBuilder::new().with_tls_config(tls);
    let builder = if is_tls { builder.https_only() } else { builder.https_or_http() };
    Ok(builder.enable_http1().wrap_connector(http))
}
