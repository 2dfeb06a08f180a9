//! Authentication and rate limits for routes of a host beside those of the service.

use std::cell::RefCell;

use actix_web::{
    HttpRequest, HttpResponse,
    body::BoxBody,
    http::header::{CONTENT_TYPE, HeaderValue},
};
use firmquote_domain::{Client, SourceNetwork};

use super::LiveService;
use crate::{
    auth::AuthenticatedClient,
    endpoints::{Access, Purpose},
    error::body,
    limits::RequestSource,
};

impl LiveService {
    /// Authenticates the client that sent `request` to a route of the host, as for a quote, and counts the request
    /// against the client's quota.
    ///
    /// # Errors
    /// The response, in the form of version 2: 401 and 403 for the credentials, 429 beyond the quota, 503 while too many
    /// logins are checked.
    pub async fn authenticate(&self, request: &HttpRequest) -> Result<Client, HttpResponse> {
        let (service, rate_limit) = (self.load(), RefCell::new(None));
        let source = RequestSource { peer: request.peer_addr(), headers: request.headers(), rate_limit: &rate_limit };
        let authenticated = match AuthenticatedClient::from_extensions(request) {
            Some(client) => Ok(client),
            None => service.authenticate(Access::ApiKey.accepted_credentials(), source).await,
        };
        let counted = match authenticated {
            Ok(client) => service.count(&client, Purpose::Quote, source).map(|()| client),
            Err(error) => Err(error),
        };
        counted.map_err(|error| {
            let link = |kind| format!("/errors/{kind}");
            let body = body::write(&error, |quote| service.quote_response(quote), link);
            let mut response = error.head().set_body(BoxBody::new(body));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            if let Some(status) = &*rate_limit.borrow() {
                status.add_to(response.headers_mut());
            }
            response
        })
    }

    /// Returns the network that a request came from.
    pub fn source_network(&self, request: &HttpRequest) -> SourceNetwork {
        let rate_limit = RefCell::new(None);
        let source = RequestSource { peer: request.peer_addr(), headers: request.headers(), rate_limit: &rate_limit };
        self.load().limiters.source_network(source)
    }
}
