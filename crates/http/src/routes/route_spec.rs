//! The columns of the route table, and the listeners that its routes are served on.

use crate::error::AllowedMethods;

/// A row of the route table.
pub(crate) struct RouteSpec {
    /// The path pattern; also the label in metrics and in the log.
    pub(super) path: &'static str,
    /// The listeners that serve the route.
    pub(super) listeners: Listeners,
    pub(super) methods: AllowedMethods,
    pub(super) access: Access,
    pub(super) purpose: Purpose,
    /// Responses with data are never stored; the operator's page is revalidated each time.
    pub(super) cache_control: Option<&'static str>,
    pub(super) log: LogLevel,
}

/// The credentials, or the origin, that a request has to present.
pub(super) enum Access {
    /// A client's Basic credentials.
    Basic,
    /// An API key, Basic credentials, or nothing if the operator allows anonymous use.
    AnyClient,
    /// An API key.
    ApiKey,
    /// The admin token.
    AdminToken,
    /// A page of the same listener as the origin.
    SameOrigin,
    /// Both [`Self::SameOrigin`] and [`Self::AdminToken`].
    SameOriginAndAdminToken,
    /// Nothing.
    Unauthenticated,
}

/// The purpose of a route.
pub(super) enum Purpose {
    /// Making a quote, signed at once or not.
    Quote,
    /// Signing a quote.
    Sign,
    /// Pool data for clients.
    Data,
    /// Documentation, whose requests count against the quota of anonymous clients.
    Page,
    /// A page about errors, or an unmatched path.
    ErrorPage,
    /// The operator's automation and page.
    Operator,
}

/// The access log level of a route.
pub(super) enum LogLevel {
    Info,
    /// For routes that machines poll.
    Debug,
    DebugUnlessFailed,
    /// For thousands of requests per second: a sample of the successful ones at `info`, the others at `debug`.
    Sampled,
}

/// The listeners that serve a route.
pub(super) enum Listeners {
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
    /// None: the route for paths that match no other.
    NoListener,
}

impl Listeners {
    pub(super) fn include(&self, routes: Routes) -> bool {
        match self {
            Self::Version1 => matches!(routes, Routes::Both | Routes::Version1),
            Self::Version2 => matches!(routes, Routes::Both | Routes::Version2),
            Self::Public => routes != Routes::Admin,
            Self::Admin => routes == Routes::Admin,
            Self::All => true,
            Self::NoListener => false,
        }
    }
}

/// The operations that a listener serves, along with the documentation pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routes {
    /// Version 1 and version 2.
    Both,
    /// Version 1 on a listener of its own.
    Version1,
    /// Version 2 on a listener of its own.
    Version2,
    /// Health, readiness, metrics, the operator's prices, pausing and resuming pools, and the operator's page with its
    /// data.
    Admin,
}
