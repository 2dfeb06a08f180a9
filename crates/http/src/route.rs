//! The operations of the service, and what differs between them outside their handlers.

use crate::{auth::Accepted, error::AllowedMethods};

/// An operation. Every resource carries its own as application data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    PoolV1,
    QuoteV1,
    SignV1,
    PoolV2,
    QuoteV2,
    QuoteSignV2,
    SignV2,
    OpenApi,
    Docs,
    DocsFile,
    ErrorIndex,
    ErrorPage,
    Health,
    Readiness,
    Metrics,
    Prices,
    PausePool,
    ResumePool,
    Unmatched,
}

impl Route {
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 19] = [
        Self::PoolV1,
        Self::QuoteV1,
        Self::SignV1,
        Self::PoolV2,
        Self::QuoteV2,
        Self::QuoteSignV2,
        Self::SignV2,
        Self::OpenApi,
        Self::Docs,
        Self::DocsFile,
        Self::ErrorIndex,
        Self::ErrorPage,
        Self::Health,
        Self::Readiness,
        Self::Metrics,
        Self::Prices,
        Self::PausePool,
        Self::ResumePool,
        Self::Unmatched,
    ];

    /// The path pattern; also the label in metrics and in the log.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::PoolV1 => "/rfq/pool",
            Self::QuoteV1 => "/rfq/quote",
            Self::SignV1 => "/rfq/sign",
            Self::PoolV2 => "/rfq/v2/pool/{chain_id}",
            Self::QuoteV2 => "/rfq/v2/quote/{chain_id}",
            Self::QuoteSignV2 => "/rfq/v2/quote-sign/{chain_id}",
            Self::SignV2 => "/rfq/v2/sign",
            Self::OpenApi => "/openapi.json",
            Self::Docs => "/docs",
            Self::DocsFile => "/docs/{file}",
            Self::ErrorIndex => "/errors",
            Self::ErrorPage => "/errors/{type}",
            Self::Health => "/healthz",
            Self::Readiness => "/readyz",
            Self::Metrics => "/metrics",
            Self::Prices => "/prices",
            Self::PausePool => "/pools/{pool_address}/pause",
            Self::ResumePool => "/pools/{pool_address}/resume",
            Self::Unmatched => "unmatched",
        }
    }

    /// The methods it answers. The operations answer theirs only, not even `HEAD`: asking for a quote makes one.
    pub(crate) const fn methods(self) -> AllowedMethods {
        match self {
            Self::PoolV1 | Self::PoolV2 | Self::QuoteV2 | Self::QuoteSignV2 => AllowedMethods::Get,
            Self::QuoteV1 | Self::SignV1 | Self::SignV2 | Self::PausePool | Self::ResumePool => AllowedMethods::Post,
            Self::Prices => AllowedMethods::Put,
            Self::OpenApi
            | Self::Docs
            | Self::DocsFile
            | Self::ErrorIndex
            | Self::ErrorPage
            | Self::Health
            | Self::Readiness
            | Self::Metrics
            | Self::Unmatched => AllowedMethods::GetAndHead,
        }
    }

    /// The credentials it takes, before the operator's choice about anonymous use.
    pub(crate) const fn accepted(self) -> Accepted {
        match self {
            Self::PoolV1 => Accepted { api_key: false, basic: true, anonymous: false },
            Self::QuoteV1 | Self::SignV1 => Accepted { api_key: true, basic: true, anonymous: true },
            _ => Accepted { api_key: true, basic: false, anonymous: false },
        }
    }

    /// Whether it is an operation for clients.
    pub(crate) const fn is_operation(self) -> bool {
        matches!(
            self,
            Self::PoolV1
                | Self::QuoteV1
                | Self::SignV1
                | Self::PoolV2
                | Self::QuoteV2
                | Self::QuoteSignV2
                | Self::SignV2
        )
    }

    /// Whether its answers are nobody's to keep: those to clients, and what is so at an instant.
    pub(crate) const fn is_never_kept(self) -> bool {
        self.is_operation() || matches!(self, Self::Health | Self::Readiness | Self::Metrics)
    }

    /// Whether only the operator's own machines may ask it, with the admin token.
    pub(crate) const fn is_operators(self) -> bool {
        matches!(self, Self::Prices | Self::PausePool | Self::ResumePool)
    }

    /// Whether an answer is one of many that say nothing to whoever reads the log: what the operator's own machines ask
    /// again and again, and prices that were taken.
    pub(crate) const fn is_routine(self, is_failed: bool) -> bool {
        match self {
            Self::Health | Self::Readiness | Self::Metrics => true,
            Self::Prices => !is_failed,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_declaration() {
        assert!(Route::ALL.iter().enumerate().all(|(at, route)| *route as usize == at));
    }
}
