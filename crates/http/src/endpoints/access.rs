//! Who may call an endpoint.

use crate::auth::{AcceptedCredentials, Role};

/// The credentials or the origin that a request has to present.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    /// Basic credentials of a client.
    Basic,
    /// An API key or Basic credentials; nothing if the operator allows anonymous use.
    AnyClient,
    /// An API key.
    ApiKey,
    /// The token of an operator with this role.
    Operator(Role),
    /// A host that no other party can own. Links from other sites are allowed.
    LocalHost,
    /// The same origin: browsers may send requests only from pages of the listener itself.
    SameOrigin,
    /// The same origin, and the token of an operator with this role.
    SameOriginOperator(Role),
    /// Nothing.
    Unauthenticated,
}

impl Access {
    /// Returns whether cross-site requests are rejected.
    pub(crate) const fn requires_same_origin(self) -> bool {
        matches!(self, Self::LocalHost | Self::SameOrigin | Self::SameOriginOperator(_))
    }

    /// Returns the role of an operator that is required.
    pub(crate) const fn required_role(self) -> Option<Role> {
        match self {
            Self::Operator(role) | Self::SameOriginOperator(role) => Some(role),
            _ => None,
        }
    }

    /// Returns the client credentials that are accepted, before the operator's setting for anonymous use applies.
    pub(crate) const fn accepted_credentials(self) -> AcceptedCredentials {
        match self {
            Self::Basic => AcceptedCredentials { api_key: false, basic: true, anonymous: false },
            Self::AnyClient => AcceptedCredentials { api_key: true, basic: true, anonymous: true },
            Self::ApiKey => AcceptedCredentials { api_key: true, basic: false, anonymous: false },
            Self::Operator(_)
            | Self::LocalHost
            | Self::SameOrigin
            | Self::SameOriginOperator(_)
            | Self::Unauthenticated => AcceptedCredentials { api_key: false, basic: false, anonymous: false },
        }
    }
}
