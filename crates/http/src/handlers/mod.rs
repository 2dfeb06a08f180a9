//! One function an operation: it decodes, asks the desk, encodes.

pub(crate) mod admin;
pub(crate) mod pages;
pub(crate) mod prices;
pub(crate) mod version_1;
pub(crate) mod version_2;

use actix_web::{HttpMessage, HttpRequest};
use firmquote_domain::Client;

use crate::{
    auth::{Accepted, check_operator},
    error::ApiError,
    route::Route,
    server::Service,
};

impl Service {
    /// Who sent `request`; remembered with the request for the log.
    async fn client_of(&self, request: &HttpRequest) -> Result<Client, ApiError> {
        let route = request.app_data::<Route>().copied().unwrap_or(Route::Unmatched);
        let Accepted { api_key, basic, anonymous } = route.accepted();
        let accepted = Accepted { api_key, basic, anonymous: anonymous && self.settings.anonymous };
        let client = self.authenticator.client(request.headers(), accepted, &self.settings.service_name).await?;
        request.extensions_mut().insert(client.clone());
        Ok(client)
    }

    /// Lets only the operator's own machines pass, on a route of the admin listener.
    fn check_operator(&self, request: &HttpRequest) -> Result<(), ApiError> {
        check_operator(request.headers(), self.admin_token.as_ref(), &self.settings.service_name)
    }
}
