//! Who is asking: credentials, how they are presented, and how they are checked.

mod admin_token;
mod api_key;
mod authenticator;
mod basic_retirement;
mod check_memory;
mod credential_headers;
mod credentials;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod invalid;
mod login_cache;
mod names;
mod password;
mod password_checks;

pub(crate) use admin_token::check_operator;
pub use admin_token::{AdminTokenHash, NewAdminToken};
pub use api_key::{ApiKeyHash, NewApiKey};
pub(crate) use authenticator::{Authenticator, CredentialCache, LoginAttempt};
pub(crate) use basic_retirement::BasicNotice;
pub use basic_retirement::BasicRetirement;
pub(crate) use credential_headers::{AcceptedCredentials, presents_basic};
pub(crate) use credentials::CredentialUse;
pub use credentials::{Credential, Credentials};
pub use invalid::{InvalidCredential, RandomnessUnavailable};
pub use names::{ClientName, Username};
pub use password::{NewPassword, PasswordHash};
