//! The routes of the service, and their differences outside their handlers.

use strum::VariantArray;
use tracing::Level;

use crate::{auth::AcceptedCredentials, error::AllowedMethods};

/// The route that a path matches in the table of its listener, or [`Self::Unmatched`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(crate) enum Route {
    PoolV1,
    QuoteV1,
    SignV1,
    ChainsV2,
    PoolV2,
    QuoteV2,
    QuoteSignV2,
    SignV2,
    OpenApi,
    ContractAbi,
    TypedData,
    Root,
    Docs,
    DocsSlash,
    DocsFile,
    ErrorIndex,
    ErrorPage,
    Health,
    Readiness,
    Metrics,
    Prices,
    PausePool,
    ResumePool,
    OperatorPage,
    OperatorStyle,
    OperatorScript,
    Overview,
    Curve,
    RecentSignatures,
    Unmatched,
}

impl Route {
    /// Returns all differences between routes outside their handlers. A new route does not compile until every column
    /// is filled.
    pub(crate) const fn spec(self) -> RouteSpec {
        use Access::{AdminToken, AnyClient, ApiKey, Basic, SameOrigin, SameOriginAndAdminToken, Unauthenticated};
        use AllowedMethods::{Get, GetAndHead, Post, Put};
        use LogLevel::{Debug, DebugUnlessFailed, Info, Sampled};
        use Purpose::{Data, ErrorPage, Operator, Page, Quote, Sign};
        const NO_STORE: Option<&str> = Some("no-store");
        const NO_CACHE: Option<&str> = Some("no-cache");
        macro_rules! row {
            ($path:literal, $methods:ident, $access:ident, $purpose:ident, $cache_control:expr, $log:ident) => {
                RouteSpec {
                    path: $path,
                    methods: $methods,
                    access: $access,
                    purpose: $purpose,
                    cache_control: $cache_control,
                    log: $log,
                }
            };
        }
        match self {
            Self::PoolV1 => row!("/rfq/pool", Get, Basic, Data, NO_STORE, Sampled),
            Self::QuoteV1 => row!("/rfq/quote", Post, AnyClient, Quote, NO_STORE, Sampled),
            Self::SignV1 => row!("/rfq/sign", Post, AnyClient, Sign, NO_STORE, Info),
            Self::ChainsV2 => row!("/rfq/v2/chains", Get, ApiKey, Data, NO_STORE, Sampled),
            Self::PoolV2 => row!("/rfq/v2/pool/{chain_id}", Get, ApiKey, Data, NO_STORE, Sampled),
            Self::QuoteV2 => row!("/rfq/v2/quote/{chain_id}", Get, ApiKey, Quote, NO_STORE, Sampled),
            Self::QuoteSignV2 => row!("/rfq/v2/quote-sign/{chain_id}", Get, ApiKey, Quote, NO_STORE, Info),
            Self::SignV2 => row!("/rfq/v2/sign", Post, ApiKey, Sign, NO_STORE, Info),
            Self::OpenApi => row!("/openapi.json", GetAndHead, Unauthenticated, Page, None, Info),
            Self::ContractAbi => row!("/abi.json", GetAndHead, Unauthenticated, Page, None, Info),
            Self::TypedData => row!("/typed-data.json", GetAndHead, Unauthenticated, Page, None, Info),
            Self::Root => row!("/", GetAndHead, Unauthenticated, Page, None, Info),
            Self::Docs => row!("/docs", GetAndHead, Unauthenticated, Page, None, Info),
            Self::DocsSlash => row!("/docs/", GetAndHead, Unauthenticated, Page, None, Info),
            Self::DocsFile => row!("/docs/{file}", GetAndHead, Unauthenticated, Page, None, Info),
            Self::ErrorIndex => row!("/errors", GetAndHead, Unauthenticated, ErrorPage, None, Info),
            Self::ErrorPage => row!("/errors/{type}", GetAndHead, Unauthenticated, ErrorPage, None, Info),
            Self::Health => row!("/healthz", GetAndHead, Unauthenticated, Operator, NO_STORE, Debug),
            Self::Readiness => row!("/readyz", GetAndHead, Unauthenticated, Operator, NO_STORE, Debug),
            Self::Metrics => row!("/metrics", GetAndHead, Unauthenticated, Operator, NO_STORE, Debug),
            Self::Prices => row!("/prices", Put, AdminToken, Operator, None, DebugUnlessFailed),
            Self::PausePool => row!("/pools/{pool_address}/pause", Post, AdminToken, Operator, None, Info),
            Self::ResumePool => row!("/pools/{pool_address}/resume", Post, AdminToken, Operator, None, Info),
            Self::OperatorPage => row!("/", GetAndHead, SameOrigin, Operator, NO_CACHE, DebugUnlessFailed),
            Self::OperatorStyle => {
                row!("/operator/style.css", GetAndHead, Unauthenticated, Operator, NO_CACHE, DebugUnlessFailed)
            }
            Self::OperatorScript => {
                row!("/operator/{script}.js", GetAndHead, Unauthenticated, Operator, NO_CACHE, DebugUnlessFailed)
            }
            Self::Overview => row!("/overview", GetAndHead, SameOrigin, Operator, NO_STORE, DebugUnlessFailed),
            Self::Curve => row!("/pools/{pool_address}/curve", GetAndHead, SameOrigin, Operator, NO_STORE, Debug),
            Self::RecentSignatures => {
                row!("/signatures/recent", GetAndHead, SameOriginAndAdminToken, Operator, NO_STORE, DebugUnlessFailed)
            }
            Self::Unmatched => row!("unmatched", GetAndHead, Unauthenticated, ErrorPage, None, Info),
        }
    }

    /// Returns the path pattern, which is also the label in metrics and in the log.
    pub(crate) const fn path(self) -> &'static str {
        self.spec().path
    }

    /// Returns the allowed methods. An operation allows exactly one, not even `HEAD`: requesting a quote creates one.
    pub(crate) const fn methods(self) -> AllowedMethods {
        self.spec().methods
    }

    /// Returns the client credentials that the route accepts, before the operator's setting for anonymous use applies.
    pub(crate) const fn accepted_credentials(self) -> AcceptedCredentials {
        match self.spec().access {
            Access::Basic => AcceptedCredentials { api_key: false, basic: true, anonymous: false },
            Access::AnyClient => AcceptedCredentials { api_key: true, basic: true, anonymous: true },
            Access::ApiKey
            | Access::AdminToken
            | Access::SameOrigin
            | Access::SameOriginAndAdminToken
            | Access::Unauthenticated => AcceptedCredentials { api_key: true, basic: false, anonymous: false },
        }
    }

    /// Returns whether the route is an operation for clients.
    pub(crate) const fn is_operation(self) -> bool {
        matches!(self.spec().purpose, Purpose::Quote | Purpose::Sign | Purpose::Data)
    }

    /// Returns whether the route signs an existing quote.
    pub(crate) const fn is_sign(self) -> bool {
        matches!(self.spec().purpose, Purpose::Sign)
    }

    /// Returns whether the route quotes or signs.
    pub(crate) const fn is_trade(self) -> bool {
        matches!(self.spec().purpose, Purpose::Quote | Purpose::Sign)
    }

    /// Returns whether requests count against the anonymous quota although no credentials are required: these responses
    /// are by far the longest.
    pub(crate) const fn uses_anonymous_quota(self) -> bool {
        matches!(self.spec().purpose, Purpose::Page)
    }

    /// Returns the `Cache-Control` of the responses, if they have one.
    pub(crate) const fn cache_control(self) -> Option<&'static str> {
        self.spec().cache_control
    }

    /// Returns whether the route is for people at a browser, and rejects requests that other sites cause.
    pub(crate) const fn requires_same_origin(self) -> bool {
        matches!(self.spec().access, Access::SameOrigin | Access::SameOriginAndAdminToken)
    }

    /// Returns whether the route is reserved for the operator, and requires the admin token.
    pub(crate) const fn requires_admin_token(self) -> bool {
        matches!(self.spec().access, Access::AdminToken | Access::SameOriginAndAdminToken)
    }

    /// Returns the access log level of a response that reports no error of the service; `sample` decides whether a
    /// request to a sampled route is part of the sample.
    pub(crate) fn access_log_level(self, is_failed: bool, sample: impl FnOnce() -> bool) -> Level {
        match self.spec().log {
            LogLevel::Debug => Level::DEBUG,
            LogLevel::DebugUnlessFailed if !is_failed => Level::DEBUG,
            LogLevel::Sampled if !is_failed && !sample() => Level::DEBUG,
            LogLevel::Info | LogLevel::DebugUnlessFailed | LogLevel::Sampled => Level::INFO,
        }
    }
}

/// A row of the route table.
pub(crate) struct RouteSpec {
    /// The path pattern; also the label in metrics and in the log.
    path: &'static str,
    methods: AllowedMethods,
    access: Access,
    purpose: Purpose,
    /// Responses with data are never stored; the operator's page is revalidated each time.
    cache_control: Option<&'static str>,
    log: LogLevel,
}

/// The credentials, or the origin, that a request has to present.
enum Access {
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

/// What a route is for.
enum Purpose {
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
enum LogLevel {
    Info,
    /// For routes that machines poll.
    Debug,
    DebugUnlessFailed,
    /// For thousands of requests per second: a sample of the successful ones at `info`, the others at `debug`.
    Sampled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_declaration() {
        assert!(Route::VARIANTS.iter().enumerate().all(|(at, route)| *route as usize == at));
    }
}
