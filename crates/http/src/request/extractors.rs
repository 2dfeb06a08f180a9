//! Extractors of handlers: a request, one whose client is authenticated, and that with its body.

use std::{
    future::{Ready, ready},
    pin::Pin,
    sync::Arc,
};

use actix_http::Payload;
use actix_web::{FromRequest, HttpRequest, web::Bytes};
use firmquote_domain::Client;

use super::RequestContext;
use crate::{error::ApiError, service::ServiceSnapshot};

/// A request whose client is authenticated and within its quota.
pub(crate) struct AuthenticatedRequest {
    pub(crate) context: RequestContext,
    pub(crate) client: Client,
}

/// An [`AuthenticatedRequest`] with its body, which is read only after authentication.
pub(crate) struct AuthenticatedBody {
    pub(crate) context: RequestContext,
    /// The service snapshot that is current once the body has arrived.
    pub(crate) snapshot: Arc<ServiceSnapshot>,
    pub(crate) client: Client,
    pub(crate) body: Bytes,
}

impl RequestContext {
    /// Authenticates the client and counts the request against its quota; the client is remembered for the log.
    ///
    /// # Errors
    /// Those of authentication and of rate limits.
    async fn authenticate_and_count(&self) -> Result<Client, ApiError> {
        let client = self.authenticate(self.service()).await?;
        self.service().count(&client, self.endpoint().purpose, self.source())?;
        Ok(client)
    }

    async fn authenticate(&self, service: &ServiceSnapshot) -> Result<Client, ApiError> {
        let client = match self.authenticated_client() {
            Some(client) => client,
            None => service.authenticate(self.endpoint().access.accepted_credentials(), self.source()).await?,
        };
        self.set_client(client.clone());
        Ok(client)
    }

    /// Authenticates the client, reads the body, and loads the service snapshot that is current once the body has
    /// arrived: a client that holds its body back is not served by a replaced service. After a replacement the client
    /// is authenticated again.
    async fn authenticated_body(self) -> Result<AuthenticatedBody, ApiError> {
        let client = self.authenticate_and_count().await?;
        let body = self.body().await?;
        let current = self.current_service();
        let client = if std::ptr::eq(self.service(), &*current) { client } else { self.authenticate(&current).await? };
        Ok(AuthenticatedBody { context: self, snapshot: current, client, body })
    }
}

impl FromRequest for RequestContext {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(http: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::from_extensions(http))
    }
}

/// The future of an extractor.
type ExtractorFuture<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl FromRequest for AuthenticatedRequest {
    type Error = ApiError;
    type Future = ExtractorFuture<Self>;

    fn from_request(http: &HttpRequest, _: &mut Payload) -> Self::Future {
        let context = RequestContext::from_extensions(http);
        Box::pin(async move {
            let context = context?;
            let client = context.authenticate_and_count().await?;
            Ok(Self { context, client })
        })
    }
}

impl FromRequest for AuthenticatedBody {
    type Error = ApiError;
    type Future = ExtractorFuture<Self>;

    fn from_request(http: &HttpRequest, _: &mut Payload) -> Self::Future {
        let context = RequestContext::from_extensions(http);
        Box::pin(async move { context?.authenticated_body().await })
    }
}
