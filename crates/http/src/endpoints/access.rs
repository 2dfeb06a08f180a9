//! Who may call an endpoint.

use crate::auth::AcceptedCredentials;

/// The credentials or the origin that a request has to present.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    /// Basic credentials of a client.
    Basic,
    /// An API key or Basic credentials; nothing if the operator allows anonymous use.
    AnyClient,
    /// An API key.
    ApiKey,
    /// The admin token.
    AdminToken,
    /// A host that no other party can own. Links from other sites are allowed.
    LocalHost,
    /// The same origin: browsers may send requests only from pages of the listener itself.
    SameOrigin,
    /// The same origin and the admin token.
    SameOriginAndAdminToken,
    /// Nothing.
    Unauthenticated,
}

impl Access {
    /// Returns whether cross-site requests are rejected.
    pub(crate) const fn requires_same_origin(self) -> bool {
        matches!(self, Self::LocalHost | Self::SameOrigin | Self::SameOriginAndAdminToken)
    }

    /// Returns whether the admin token is required.
    pub(crate) const fn requires_admin_token(self) -> bool {
        matches!(self, Self::AdminToken | Self::SameOriginAndAdminToken)
    }

    /// Returns the client credentials that are accepted, before the operator's setting for anonymous use applies.
    pub(crate) const fn accepted_credentials(self) -> AcceptedCredentials {
        match self {
            Self::Basic => AcceptedCredentials { api_key: false, basic: true, anonymous: false },
            Self::AnyClient => AcceptedCredentials { api_key: true, basic: true, anonymous: true },
            Self::ApiKey => AcceptedCredentials { api_key: true, basic: false, anonymous: false },
            Self::AdminToken
            | Self::LocalHost
            | Self::SameOrigin
            | Self::SameOriginAndAdminToken
            | Self::Unauthenticated => AcceptedCredentials { api_key: false, basic: false, anonymous: false },
        }
    }
}
