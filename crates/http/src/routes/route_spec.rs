//! The columns of the route table, and the listeners that its routes are served on.

use crate::error::AllowedMethods;

/// A row of the route table.
pub(crate) struct RouteSpec {
    /// The path pattern; also the label in metrics and in the log.
    pub(super) path: &'static str,
    /// The listeners that serve the route.
    pub(super) listeners: RouteListeners,
    /// The methods that the route allows.
    pub(super) methods: AllowedMethods,
    /// What a request has to present.
    pub(super) access: Access,
    /// What the route is for.
    pub(super) purpose: Purpose,
    /// The `Cache-Control` of the responses: `no-store` for data, `no-cache` for what clients may
    /// revalidate: levels, and the files of the operator's page.
    pub(super) cache_control: Option<&'static str>,
    /// The level of the access log.
    pub(super) log: LogLevel,
}

/// What a route is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Quotes.
    Quote,
    /// Quotes that are signed at once.
    QuoteAndSign,
    /// Signatures of existing quotes.
    Sign,
    /// The status of quotes.
    Status,
    /// The served chains.
    Chains,
    /// Data of pools.
    Pools,
    /// Hypothetical quotes for several inputs.
    Grid,
    /// Levels: one book, or all.
    Levels,
    /// Streams of levels.
    LevelStream,
    /// Documentation. Requests count against the quota of anonymous clients.
    Page,
    /// Pages about errors, and unmatched paths.
    ErrorPage,
    /// The operator's programs and page.
    Operator,
}

/// The credentials or the origin that a request has to present.
#[derive(Clone, Copy)]
pub(super) enum Access {
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
    pub(super) const fn requires_same_origin(self) -> bool {
        matches!(self, Self::LocalHost | Self::SameOrigin | Self::SameOriginAndAdminToken)
    }

    /// Returns whether the admin token is required.
    pub(super) const fn requires_admin_token(self) -> bool {
        matches!(self, Self::AdminToken | Self::SameOriginAndAdminToken)
    }
}

/// The level of the access log.
pub(super) enum LogLevel {
    /// `info`.
    Info,
    /// `debug`.
    Debug,
    /// `debug` for successful requests, `info` for failed ones: for routes that programs poll.
    DebugUnlessFailed,
    /// `info` for failed requests and a sample of the successful ones, `debug` for the others: for routes with
    /// thousands of requests per second.
    Sampled,
}

/// The listeners that serve a route.
pub(super) enum RouteListeners {
    /// The public listeners that serve version 1.
    Version1,
    /// The public listeners that serve version 2.
    Version2,
    /// All public listeners.
    Public,
    /// The admin listener.
    Admin,
    /// Every listener.
    All,
    /// No listener: the route of paths that match no other.
    None,
}

impl RouteListeners {
    /// Whether a listener in this role serves the route.
    pub(super) fn contains(&self, role: ListenerRole) -> bool {
        match self {
            Self::Version1 => matches!(role, ListenerRole::BothVersions | ListenerRole::Version1),
            Self::Version2 => matches!(role, ListenerRole::BothVersions | ListenerRole::Version2),
            Self::Public => role != ListenerRole::Admin,
            Self::Admin => role == ListenerRole::Admin,
            Self::All => true,
            Self::None => false,
        }
    }
}

/// What a listener serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListenerRole {
    /// Clients of both versions.
    BothVersions,
    /// Clients of version 1; version 2 has a listener of its own.
    Version1,
    /// Clients of version 2; version 1 has a listener of its own.
    Version2,
    /// The operator: health, readiness, metrics, prices, pauses, and the operator's page with its data.
    Admin,
}
