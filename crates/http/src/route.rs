//! The operations of the service, and what differs between them outside their handlers.

use crate::{auth::Accepted, error::AllowedMethods};

/// An operation: where a path leads by the table of its listener, or that it leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 30] = [
        Self::PoolV1,
        Self::QuoteV1,
        Self::SignV1,
        Self::ChainsV2,
        Self::PoolV2,
        Self::QuoteV2,
        Self::QuoteSignV2,
        Self::SignV2,
        Self::OpenApi,
        Self::ContractAbi,
        Self::TypedData,
        Self::Root,
        Self::Docs,
        Self::DocsSlash,
        Self::DocsFile,
        Self::ErrorIndex,
        Self::ErrorPage,
        Self::Health,
        Self::Readiness,
        Self::Metrics,
        Self::Prices,
        Self::PausePool,
        Self::ResumePool,
        Self::OperatorPage,
        Self::OperatorStyle,
        Self::OperatorScript,
        Self::Overview,
        Self::Curve,
        Self::RecentSignatures,
        Self::Unmatched,
    ];

    /// The path pattern; also the label in metrics and in the log.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::PoolV1 => "/rfq/pool",
            Self::QuoteV1 => "/rfq/quote",
            Self::SignV1 => "/rfq/sign",
            Self::ChainsV2 => "/rfq/v2/chains",
            Self::PoolV2 => "/rfq/v2/pool/{chain_id}",
            Self::QuoteV2 => "/rfq/v2/quote/{chain_id}",
            Self::QuoteSignV2 => "/rfq/v2/quote-sign/{chain_id}",
            Self::SignV2 => "/rfq/v2/sign",
            Self::OpenApi => "/openapi.json",
            Self::ContractAbi => "/abi.json",
            Self::TypedData => "/typed-data.json",
            Self::Root => "/",
            Self::Docs => "/docs",
            Self::DocsSlash => "/docs/",
            Self::DocsFile => "/docs/{file}",
            Self::ErrorIndex => "/errors",
            Self::ErrorPage => "/errors/{type}",
            Self::Health => "/healthz",
            Self::Readiness => "/readyz",
            Self::Metrics => "/metrics",
            Self::Prices => "/prices",
            Self::PausePool => "/pools/{pool_address}/pause",
            Self::ResumePool => "/pools/{pool_address}/resume",
            Self::OperatorPage => "/",
            Self::OperatorStyle => "/operator/style.css",
            Self::OperatorScript => "/operator/{script}.js",
            Self::Overview => "/overview",
            Self::Curve => "/pools/{pool_address}/curve",
            Self::RecentSignatures => "/signatures/recent",
            Self::Unmatched => "unmatched",
        }
    }

    /// The methods it answers. The operations answer theirs only, not even `HEAD`: asking for a quote makes one.
    pub(crate) const fn methods(self) -> AllowedMethods {
        match self {
            Self::PoolV1 | Self::ChainsV2 | Self::PoolV2 | Self::QuoteV2 | Self::QuoteSignV2 => AllowedMethods::Get,
            Self::QuoteV1 | Self::SignV1 | Self::SignV2 | Self::PausePool | Self::ResumePool => AllowedMethods::Post,
            Self::Prices => AllowedMethods::Put,
            Self::OpenApi
            | Self::ContractAbi
            | Self::TypedData
            | Self::Root
            | Self::Docs
            | Self::DocsSlash
            | Self::DocsFile
            | Self::ErrorIndex
            | Self::ErrorPage
            | Self::Health
            | Self::Readiness
            | Self::Metrics
            | Self::OperatorPage
            | Self::OperatorStyle
            | Self::OperatorScript
            | Self::Overview
            | Self::Curve
            | Self::RecentSignatures
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
                | Self::ChainsV2
                | Self::PoolV2
                | Self::QuoteV2
                | Self::QuoteSignV2
                | Self::SignV2
        )
    }

    /// Whether it signs a quote that was made before.
    pub(crate) const fn is_sign(self) -> bool {
        matches!(self, Self::SignV1 | Self::SignV2)
    }

    /// Whether it quotes or signs.
    pub(crate) const fn is_trade(self) -> bool {
        matches!(self, Self::QuoteV1 | Self::QuoteV2 | Self::QuoteSignV2 | Self::SignV1 | Self::SignV2)
    }

    /// Whether its requests count as those of a client without credentials though none are asked for: its answers are by far
    /// the longest.
    pub(crate) const fn is_counted(self) -> bool {
        matches!(
            self,
            Self::OpenApi
                | Self::ContractAbi
                | Self::TypedData
                | Self::Root
                | Self::Docs
                | Self::DocsSlash
                | Self::DocsFile
        )
    }

    /// What its answers say of being kept: those with data by nobody, the operator's page only by whoever asks each time
    /// whether it is still the same.
    pub(crate) const fn cache_control(self) -> Option<&'static str> {
        match self {
            Self::Health | Self::Readiness | Self::Metrics => Some("no-store"),
            Self::Overview | Self::Curve | Self::RecentSignatures => Some("no-store"),
            Self::OperatorPage | Self::OperatorStyle | Self::OperatorScript => Some("no-cache"),
            _ if self.is_operation() => Some("no-store"),
            _ => None,
        }
    }

    /// Whether it is for people at a browser and answers none that asks for another site.
    pub(crate) const fn is_for_own_site(self) -> bool {
        matches!(self, Self::OperatorPage | Self::Overview | Self::Curve | Self::RecentSignatures)
    }

    /// Whether only the operator may ask it, with the admin token.
    pub(crate) const fn is_operators(self) -> bool {
        matches!(self, Self::Prices | Self::PausePool | Self::ResumePool | Self::RecentSignatures)
    }

    /// Whether an answer is one of many that say nothing to whoever reads the log: what the operator's own machines ask
    /// again and again, prices that were taken, and what the operator's page shows.
    pub(crate) const fn is_routine(self, is_failed: bool) -> bool {
        match self {
            Self::Health | Self::Readiness | Self::Metrics | Self::Curve => true,
            Self::Prices
            | Self::OperatorPage
            | Self::OperatorStyle
            | Self::OperatorScript
            | Self::Overview
            | Self::RecentSignatures => !is_failed,
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
