//! Who is asking: credentials, how they are presented, and how they are checked.

mod admin_token;
mod api_key;
mod authenticator;
mod check_memory;
mod credentials;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod invalid;
mod names;
mod password;
mod password_checks;
mod presented;
mod verified;

pub(crate) use admin_token::check_operator;
pub use admin_token::{AdminTokenHash, NewAdminToken};
pub use api_key::{ApiKeyHash, NewApiKey};
pub(crate) use authenticator::{Accepted, Attempt, Authenticator, Known};
pub(crate) use credentials::CredentialUse;
pub use credentials::{Credential, Credentials};
pub use invalid::{InvalidCredential, RandomnessUnavailable};
pub use names::{ClientName, Username};
pub use password::{NewPassword, PasswordHash};
pub(crate) use presented::presents_basic;
