//! An example of the message of each reason.

use firmquote_desk::CONFLICT_MESSAGE;

use crate::error::Reason;

/// An example of the `errorMessage` of a refusal.
pub(super) const fn example_message(reason: Reason) -> &'static str {
    match reason {
        Reason::InvalidInput => "Invalid input data",
        Reason::UnsupportedChain => "chain_id: 5 is not supported",
        Reason::UnsupportedAsset => "input_asset_symbol: WBTC is not supported",
        Reason::UnsupportedPair => "pair: ETH/WBTC is not supported",
        Reason::UnsupportedPool => "pool_address: 0x52908400098527886E0F7030069857D2E4169EE7 is not supported",
        Reason::UnknownQuote => "no live quote 05a51aa6-41b5-4c61-a452-f1b95d0d43e4, please request a new quote",
        Reason::OtherTerms => "the quote is already signed for other terms",
        Reason::IdempotencyKeyReused => "the Idempotency-Key was used for another request",
        Reason::HedgeIdReused => "another hedge with this hedge_id was reported",
        Reason::TooLarge => "output_amount is larger than the pool can serve, at most 417333502887",
        Reason::TooSmall => "input_amount is too small, at least 48065205",
        Reason::Exhausted => "the pool has too little of these assets to serve any amount",
        Reason::SwapsDisabled => "swaps are disabled for this pool",
        Reason::Paused => "the pool is paused",
        Reason::Breaker => "a breaker of the pool stopped these swaps",
        Reason::TradeLimit => "the trade is worth 2080.527 USD, above the limit of 1000 USD for a single trade",
        Reason::PoolLimit => "the pool's signing limit per minute is reached, please try again in 12 s",
        Reason::ClientLimit => "the client's signing limit per minute is reached, please try again in 12 s",
        Reason::OutstandingLimit => {
            "the client's limit on outstanding swaps is reached (max_outstanding_bps_per_client), an output of 1500000 is left, please try again in 48 s"
        }
        Reason::LevelsExpired => "the levels have expired or are not firm",
        Reason::BeyondSize => "the input exceeds the last knot of the levels, or their whole budget",
        Reason::BelowMinimum => "the input is below the first knot of the levels",
        Reason::BudgetUsed => {
            "the client's other quotes and swaps leave too little of the budget of this pair and direction"
        }
        Reason::ReservesMoved => "the reserves moved so far that the levels cannot be honored",
        Reason::StoreLost => "the store lost its data about the levels",
        Reason::ClientTerms => "Access is forbidden: the terms of this client do not include this pool or pair",
        Reason::DestinationDenied => "Access is forbidden: this pool does not sign for this destination_address",
        Reason::SenderDenied => "Access is forbidden: this pool does not sign for this sender_address",
        Reason::NoCredentials => "Credentials are required",
        Reason::BadCredentials => "Access is forbidden",
        Reason::BasicRetired => "Access is forbidden",
        Reason::MissingRole => "Access is forbidden: this operator does not have the role pauser",
        Reason::NoAdminToken => "Access is forbidden: no admin token is configured (server.admin_token_sha256)",
        Reason::CrossSite => {
            "Access is forbidden: use a page of this listener, at an IP address, localhost or a local name"
        }
        Reason::AnotherClient => "Access is forbidden",
        Reason::NoStatus => {
            "quote 05a51aa6-41b5-4c61-a452-f1b95d0d43e4 was not found: it was never made, has expired unsigned, or its status is no longer retained"
        }
        Reason::NoRoute => "No such route",
        Reason::Method => "Method not allowed, allowed: GET",
        Reason::BodyTooLarge => "The body is larger than 16384 bytes",
        Reason::BodyTooSlow => "The body did not arrive in time",
        Reason::MediaType => "The content type must be application/json, without a Content-Encoding",
        Reason::UpgradeRequired => "A WebSocket handshake of version 13 is expected",
        Reason::AnonymousRate => "Too many requests, please try again in 2 s",
        Reason::FailedLoginRate => "Too many failed logins, please try again in 2 s",
        Reason::CredentialRate => "Too many requests, please try again in 2 s",
        Reason::QuotesHeld => "the client holds 75000 live quotes, its share of the store; please try again later",
        Reason::Market => "prices or reserves of pool 1:0x655eDCE464CC797526600a462A8154650EEe4B77 are not available",
        Reason::Store => "the quote store is not available",
        Reason::PricePublisher => "the prices were not posted",
        Reason::Key => "the signing key is not available",
        Reason::Clock => "the clock of the service cannot be trusted",
        Reason::LoginsBusy => "Too many logins at once, please try again later",
        Reason::NotReady => "The service is not ready: the store call failed",
        Reason::ShuttingDown => "The service is shutting down",
        Reason::Internal => "Internal error",
        Reason::Price | Reason::Fee | Reason::Reserve | Reason::Outstanding | Reason::Disabled => CONFLICT_MESSAGE,
    }
}
