//! Authentication of clients and of the operator: credentials, how requests present them, and how they are verified.

mod admin_token;
mod api_key;
mod argon2_buffer_pool;
mod authenticator;
mod basic_retirement;
mod credential;
mod credential_headers;
mod credentials;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod invalid;
mod login_cache;
mod names;
mod operators;
mod password;
mod password_checks;

pub use self::{
    admin_token::{AdminTokenHash, NewAdminToken},
    api_key::{ApiKeyHash, NewApiKey, SANDBOX_PREFIX},
    basic_retirement::BasicRetirement,
    credential::{ClientCredential, Credential},
    credentials::Credentials,
    invalid::{InvalidCredential, RandomnessUnavailable},
    names::{AuthenticatedClient, ClientName, OperatorName, Username},
    operators::{Operator, Role},
    password::{NewPassword, PasswordHash},
};
pub(crate) use self::{
    authenticator::{Authenticator, CredentialCache, LoginAttempt},
    basic_retirement::DeprecationHeaders,
    credential_headers::{AcceptedCredentials, presents_basic},
    credentials::CredentialUse,
    operators::check_operator,
};
