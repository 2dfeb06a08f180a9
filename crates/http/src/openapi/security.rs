//! Security schemes and requirements.

use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};

use crate::endpoints::Endpoint;

const API_KEY: &str = "apiKey";
const BASIC: &str = "basic";
const ADMIN_TOKEN: &str = "adminToken";

/// The alternatives that `endpoint` accepts; the empty one is a request without credentials.
pub(super) fn requirements(endpoint: &Endpoint) -> Vec<SecurityRequirement> {
    let named = |name: &str| SecurityRequirement::new(name, Vec::<String>::new());
    if endpoint.access.required_role().is_some() {
        return vec![named(ADMIN_TOKEN)];
    }
    let accepted = endpoint.access.accepted_credentials();
    let api_key = accepted.api_key.then(|| named(API_KEY));
    let basic = accepted.basic.then(|| named(BASIC));
    let anonymous = accepted.anonymous.then(SecurityRequirement::default);
    api_key.into_iter().chain(basic).chain(anonymous).collect()
}

/// The schemes that at least one of `endpoints` accepts.
pub(super) fn schemes(endpoints: &[&Endpoint]) -> Vec<(&'static str, SecurityScheme)> {
    let is_taken = |of: fn(&Endpoint) -> bool| endpoints.iter().any(|endpoint| of(endpoint));
    let api_key = is_taken(|endpoint| endpoint.access.accepted_credentials().api_key);
    let basic = is_taken(|endpoint| endpoint.access.accepted_credentials().basic);
    let token = is_taken(|endpoint| endpoint.access.required_role().is_some());
    [(api_key, API_KEY, by_api_key()), (basic, BASIC, by_basic()), (token, ADMIN_TOKEN, by_token())]
        .into_iter()
        .filter_map(|(is_taken, name, scheme)| is_taken.then_some((name, scheme)))
        .collect()
}

fn by_api_key() -> SecurityScheme {
    SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
        "x-api-key",
        "The key issued by the operator. If the operator allows it, version 1 quote and sign also work without \
         credentials, rate-limited per client address.",
    )))
}

fn by_basic() -> SecurityScheme {
    let about = "Deprecated: ask the operator for an API key. Responses contain `Deprecation` and, once an end is set, \
                 `Sunset`; after that time, Basic credentials are rejected.";
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Basic).description(Some(about)).build())
}

fn by_token() -> SecurityScheme {
    let about = "The token of an operator who has the role that the operation needs. If none is configured, these operations reject \
                 every request.";
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(about)).build())
}
