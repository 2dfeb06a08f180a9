//! What an endpoint is: its path, its listeners, who may call it, how it is logged and documented, and its handler.

use std::{fmt, ptr};

use tracing::Level;

use super::{access::Access, operation::Operation};
use crate::error::AllowedMethods;

/// `Cache-Control` of data.
pub(super) const NO_STORE: Option<&str> = Some("no-store");

/// `Cache-Control` of what clients may revalidate: levels, and the files of the operator's page.
pub(super) const NO_CACHE: Option<&str> = Some("no-cache");

/// An endpoint. Equal only to itself.
pub(crate) struct Endpoint {
    /// The path pattern; also the label in metrics and in the log.
    pub(crate) path: &'static str,
    /// The listeners that serve it.
    pub(super) listeners: Listeners,
    /// The methods that it allows. An operation allows exactly one, not even `HEAD`: requesting a quote creates one.
    pub(crate) methods: AllowedMethods,
    /// What a request has to present.
    pub(crate) access: Access,
    /// What it is for.
    pub(crate) purpose: Purpose,
    /// The `Cache-Control` of the responses, if they have one.
    pub(crate) cache_control: Option<&'static str>,
    /// The level of the access log.
    pub(super) log: LogLevel,
    /// Creates the handler, for every method that the middleware admits.
    pub(crate) handler: fn() -> actix_web::Route,
    /// Its description in the OpenAPI document; `None` for redirects, for the data of pages, and for unmatched
    /// paths.
    pub(crate) operation: Option<Operation>,
}

impl PartialEq for Endpoint {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self, other)
    }
}

impl Eq for Endpoint {}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({})", self.path)
    }
}

impl Endpoint {
    /// Returns whether a listener in this role serves the endpoint.
    pub(crate) fn is_served_by(&self, role: ListenerRole) -> bool {
        self.listeners.contains(role)
    }

    /// Returns whether this is the endpoint of paths that match no other.
    pub(crate) const fn is_unmatched(&self) -> bool {
        matches!(self.listeners, Listeners::None)
    }

    /// Returns whether the endpoint belongs to version 1 of the API.
    pub(crate) const fn is_version_1(&self) -> bool {
        matches!(self.listeners, Listeners::Version1)
    }

    /// Returns whether the endpoint is an operation for clients.
    pub(crate) const fn is_operation(&self) -> bool {
        !matches!(self.purpose, Purpose::Operator | Purpose::Page | Purpose::ErrorPage)
    }

    /// Returns whether the endpoint is for the operator's programs and page.
    pub(crate) const fn is_for_operator(&self) -> bool {
        matches!(self.purpose, Purpose::Operator)
    }

    /// Returns whether the endpoint quotes or signs.
    pub(crate) const fn is_quote_or_sign(&self) -> bool {
        matches!(self.purpose, Purpose::Quote | Purpose::QuoteAndSign | Purpose::Sign)
    }

    /// Returns whether requests count against the anonymous quota although no credentials are required: these responses
    /// are by far the longest.
    pub(crate) const fn uses_anonymous_quota(&self) -> bool {
        matches!(self.purpose, Purpose::Page)
    }

    /// Returns the access log level of a response that reports no error of the service; `sample` decides whether a
    /// request to a sampled endpoint is part of the sample.
    pub(crate) fn access_log_level(&self, is_failed: bool, sample: impl FnOnce() -> bool) -> Level {
        match self.log {
            LogLevel::Debug => Level::DEBUG,
            LogLevel::DebugUnlessFailed if !is_failed => Level::DEBUG,
            LogLevel::Sampled if !is_failed && !sample() => Level::DEBUG,
            LogLevel::Info | LogLevel::DebugUnlessFailed | LogLevel::Sampled => Level::INFO,
        }
    }
}

/// What an endpoint is for.
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
    /// The signed swaps of a client.
    Swaps,
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
    /// Streams of events of the client's own quotes.
    QuoteEvents,
    /// Documentation. Requests count against the quota of anonymous clients.
    Page,
    /// Pages about errors, and unmatched paths.
    ErrorPage,
    /// The operator's programs and page.
    Operator,
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

/// The listeners that serve an endpoint.
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
    /// No listener: the endpoint of paths that match no other.
    None,
}

impl Listeners {
    /// Whether a listener in this role serves the endpoint.
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
