//! The routes of the service, and their differences outside their handlers.

use strum::VariantArray;
use tracing::Level;

use super::route_spec::{Access, ListenerRole, LogLevel, Purpose, RouteListeners, RouteSpec};
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
    SignV2,
    QuoteSignV2,
    QuoteStatusV2,
    QuoteGridV2,
    LevelsV2,
    LevelStreamV2,
    LevelSocketV2,
    Root,
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
    PairCurve,
    RecentSignatures,
    OpenApi,
    AsyncApi,
    ContractAbi,
    TypedData,
    Docs,
    DocsSlash,
    DocsFile,
    ErrorIndex,
    ErrorPage,
    Unmatched,
}

impl Route {
    /// Returns all differences between routes outside their handlers. A new route does not compile until every column
    /// is filled.
    pub(crate) const fn spec(self) -> RouteSpec {
        use Access::{
            AdminToken, AnyClient, ApiKey, Basic, LocalHost, SameOrigin, SameOriginAndAdminToken, Unauthenticated,
        };
        use AllowedMethods::{Get, GetAndHead, Post, Put};
        use LogLevel::{Debug, DebugUnlessFailed, Info, Sampled};
        use Purpose::{
            Chains, ErrorPage, Grid, LevelStream, Levels, Operator, Page, Pools, Quote, QuoteAndSign, Sign, Status,
        };
        const NO_STORE: Option<&str> = Some("no-store");
        const NO_CACHE: Option<&str> = Some("no-cache");
        macro_rules! row {
            ($path:literal, $listeners:ident, $methods:ident, $access:ident, $purpose:ident, $cache_control:expr, $log:ident) => {
                RouteSpec {
                    path: $path,
                    listeners: RouteListeners::$listeners,
                    methods: $methods,
                    access: $access,
                    purpose: $purpose,
                    cache_control: $cache_control,
                    log: $log,
                }
            };
        }
        match self {
            Self::PoolV1 => row!("/rfq/pool", Version1, Get, Basic, Pools, NO_STORE, Sampled),
            Self::QuoteV1 => row!("/rfq/quote", Version1, Post, AnyClient, Quote, NO_STORE, Sampled),
            Self::SignV1 => row!("/rfq/sign", Version1, Post, AnyClient, Sign, NO_STORE, Info),
            Self::ChainsV2 => row!("/rfq/v2/chains", Version2, Get, ApiKey, Chains, NO_STORE, Sampled),
            Self::PoolV2 => row!("/rfq/v2/pool/{chain_id}", Version2, Get, ApiKey, Pools, NO_STORE, Sampled),
            Self::QuoteV2 => row!("/rfq/v2/quote/{chain_id}", Version2, Get, ApiKey, Quote, NO_STORE, Sampled),
            Self::SignV2 => row!("/rfq/v2/sign", Version2, Post, ApiKey, Sign, NO_STORE, Info),
            Self::QuoteSignV2 => {
                row!("/rfq/v2/quote-sign/{chain_id}", Version2, Get, ApiKey, QuoteAndSign, NO_STORE, Info)
            }
            Self::QuoteStatusV2 => {
                row!("/rfq/v2/quote-status/{quote_id}", Version2, Get, ApiKey, Status, NO_STORE, Sampled)
            }
            Self::QuoteGridV2 => row!("/rfq/v2/curve/{chain_id}", Version2, Get, ApiKey, Grid, NO_STORE, Sampled),
            Self::LevelsV2 => row!("/rfq/v2/levels/{chain_id}", Version2, Get, ApiKey, Levels, NO_CACHE, Sampled),
            Self::LevelStreamV2 => {
                row!("/rfq/v2/levels/{chain_id}/stream", Version2, Get, ApiKey, LevelStream, NO_STORE, Info)
            }
            Self::LevelSocketV2 => {
                row!("/rfq/v2/levels/{chain_id}/ws", Version2, Get, ApiKey, LevelStream, NO_STORE, Info)
            }
            Self::Root => row!("/", Public, GetAndHead, Unauthenticated, Page, None, Info),
            Self::Health => row!("/healthz", Admin, GetAndHead, Unauthenticated, Operator, NO_STORE, Debug),
            Self::Readiness => row!("/readyz", Admin, GetAndHead, Unauthenticated, Operator, NO_STORE, Debug),
            Self::Metrics => row!("/metrics", Admin, GetAndHead, Unauthenticated, Operator, NO_STORE, Debug),
            Self::Prices => row!("/prices", Admin, Put, AdminToken, Operator, None, DebugUnlessFailed),
            Self::PausePool => row!("/pools/{pool_address}/pause", Admin, Post, AdminToken, Operator, None, Info),
            Self::ResumePool => row!("/pools/{pool_address}/resume", Admin, Post, AdminToken, Operator, None, Info),
            Self::OperatorPage => row!("/", Admin, GetAndHead, LocalHost, Operator, NO_CACHE, DebugUnlessFailed),
            Self::OperatorStyle => {
                row!("/operator/style.css", Admin, GetAndHead, Unauthenticated, Operator, NO_CACHE, DebugUnlessFailed)
            }
            Self::OperatorScript => {
                row!("/operator/{script}.js", Admin, GetAndHead, Unauthenticated, Operator, NO_CACHE, DebugUnlessFailed)
            }
            Self::Overview => row!("/overview", Admin, GetAndHead, SameOrigin, Operator, NO_STORE, DebugUnlessFailed),
            Self::PairCurve => {
                row!("/pools/{pool_address}/curve", Admin, GetAndHead, SameOrigin, Operator, NO_STORE, Debug)
            }
            Self::RecentSignatures => row!(
                "/signatures/recent",
                Admin,
                GetAndHead,
                SameOriginAndAdminToken,
                Operator,
                NO_STORE,
                DebugUnlessFailed
            ),
            Self::OpenApi => row!("/openapi.json", All, GetAndHead, Unauthenticated, Page, None, Info),
            Self::AsyncApi => row!("/asyncapi.json", Version2, GetAndHead, Unauthenticated, Page, None, Info),
            Self::ContractAbi => row!("/abi.json", All, GetAndHead, Unauthenticated, Page, None, Info),
            Self::TypedData => row!("/typed-data.json", All, GetAndHead, Unauthenticated, Page, None, Info),
            Self::Docs => row!("/docs", All, GetAndHead, Unauthenticated, Page, None, Info),
            Self::DocsSlash => row!("/docs/", All, GetAndHead, Unauthenticated, Page, None, Info),
            Self::DocsFile => row!("/docs/{file}", All, GetAndHead, Unauthenticated, Page, None, Info),
            Self::ErrorIndex => row!("/errors", All, GetAndHead, Unauthenticated, ErrorPage, None, Debug),
            Self::ErrorPage => row!("/errors/{type}", All, GetAndHead, Unauthenticated, ErrorPage, None, Debug),
            Self::Unmatched => row!("unmatched", None, GetAndHead, Unauthenticated, ErrorPage, None, Debug),
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
            Access::ApiKey => AcceptedCredentials { api_key: true, basic: false, anonymous: false },
            Access::AdminToken
            | Access::LocalHost
            | Access::SameOrigin
            | Access::SameOriginAndAdminToken
            | Access::Unauthenticated => AcceptedCredentials { api_key: false, basic: false, anonymous: false },
        }
    }

    /// Returns what the route is for.
    pub(crate) const fn purpose(self) -> Purpose {
        self.spec().purpose
    }

    /// Returns whether the route belongs to version 1 of the API.
    pub(crate) const fn is_version_1(self) -> bool {
        matches!(self.spec().listeners, RouteListeners::Version1)
    }

    /// Returns whether the route is an operation for clients.
    pub(crate) const fn is_operation(self) -> bool {
        !matches!(self.purpose(), Purpose::Operator | Purpose::Page | Purpose::ErrorPage)
    }

    /// Returns whether the route is for the operator's programs and page.
    pub(crate) const fn is_for_operator(self) -> bool {
        matches!(self.purpose(), Purpose::Operator)
    }

    /// Returns whether the route quotes or signs.
    pub(crate) const fn is_quote_or_sign(self) -> bool {
        matches!(self.purpose(), Purpose::Quote | Purpose::QuoteAndSign | Purpose::Sign)
    }

    /// Returns whether requests count against the anonymous quota although no credentials are required: these responses
    /// are by far the longest.
    pub(crate) const fn uses_anonymous_quota(self) -> bool {
        matches!(self.purpose(), Purpose::Page)
    }

    /// Returns the `Cache-Control` of the responses, if they have one.
    pub(crate) const fn cache_control(self) -> Option<&'static str> {
        self.spec().cache_control
    }

    /// Returns whether the route is for people at a browser, and rejects cross-site requests.
    pub(crate) const fn requires_same_origin(self) -> bool {
        self.spec().access.requires_same_origin()
    }

    /// Returns whether the route is reserved for the operator, and requires the admin token.
    pub(crate) const fn requires_admin_token(self) -> bool {
        self.spec().access.requires_admin_token()
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

impl ListenerRole {
    /// Returns the routes of a listener in this role, in the order in which they are documented; no two share a path.
    pub(crate) fn routes(self) -> impl Iterator<Item = Route> {
        Route::VARIANTS.iter().copied().filter(move |route| route.spec().listeners.contains(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_follows_declaration_order() {
        assert!(Route::VARIANTS.iter().enumerate().all(|(at, route)| *route as usize == at));
    }
}
