//! Each reason for an error response in words.

use crate::error::Reason;

/// The condition for `reason`, in words, and an example of its `errorMessage`.
pub(super) const fn reason_text(reason: Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::InvalidInput => {
            ("An input is missing, malformed or out of range, or inputs are mutually exclusive.", "Invalid input data")
        }
        Reason::Unsupported => {
            ("The chain, symbol, pair or pool is not supported.", "input_asset_symbol: WBTC is not supported")
        }
        Reason::UnknownQuote => (
            "The quote is unknown or has expired.",
            "no live quote 05a51aa6-41b5-4c61-a452-f1b95d0d43e4, please request a new quote",
        ),
        Reason::Conflict => (
            "The quote conflicts with the latest prices, reserves, fee or outstanding swaps.",
            "Quote conflicts with latest prices. Please request a new quote.",
        ),
        Reason::OtherTerms => ("The quote is signed for other terms.", "the quote is already signed for other terms"),
        Reason::TooLarge => (
            "The amount is larger than the pool can serve; the message gives the bound in base units.",
            "output_amount is larger than the pool can serve, at most 417333502887",
        ),
        Reason::TooSmall => (
            "The amount is too small; the message gives the bound in base units.",
            "input_amount is too small, at least 48065205",
        ),
        Reason::Exhausted => (
            "The reserves are too small for any amount of this swap.",
            "the pool has too little of these assets to serve any amount",
        ),
        Reason::SwapsDisabled => ("Swaps are disabled for the pool.", "swaps are disabled for this pool"),
        Reason::Paused => ("The operator paused the pool.", "the pool is paused"),
        Reason::TradeLimit => (
            "The trade is worth more than the operator's limit for a single trade.",
            "the trade is worth 2080.527 USD, above the limit of 1000 USD for a single trade",
        ),
        Reason::PoolLimit => (
            "The pool has reached its limit for the value signed in one minute.",
            "the pool's signing limit per minute is reached, please try again in 12 s",
        ),
        Reason::ClientLimit => (
            "The client has reached its limit for the value signed in one minute.",
            "the client's signing limit per minute is reached, please try again in 12 s",
        ),
        Reason::OutstandingLimit => (
            "A limit on outstanding swaps, of the pool or of the client, is reached; the message gives the \
             output that is left in base units.",
            "the client's limit on outstanding swaps is reached, an output of 1500000 is left, please try again in 48 s",
        ),
        Reason::Levels => (
            "The requested levels do not cover the quote; `reason` has the cause.",
            "the client's other quotes and swaps leave too little of the budget of this pair and direction",
        ),
        Reason::DestinationDenied => (
            "The pool does not sign for this destination.",
            "Access is forbidden: this pool does not sign for this destination_address",
        ),
        Reason::SenderDenied => (
            "The pool does not sign for this sender.",
            "Access is forbidden: this pool does not sign for this sender_address",
        ),
        Reason::NoCredentials => ("Credentials are required.", "Credentials are required"),
        Reason::BadCredentials => {
            ("The credentials are wrong, revoked, or of a scheme that is not accepted.", "Access is forbidden")
        }
        Reason::BasicRetired => ("Basic credentials are no longer accepted.", "Access is forbidden"),
        Reason::NoAdminToken => (
            "No admin token is configured.",
            "Access is forbidden: no admin token is configured (server.admin_token_sha256)",
        ),
        Reason::CrossSite => (
            "A browser sent the request on behalf of another site, or to a host name that others can register.",
            "Access is forbidden: use a page of this listener, at an IP address, localhost or a local name",
        ),
        Reason::AnotherClient => ("The quote belongs to another client.", "Access is forbidden"),
        Reason::NoStatus => (
            "The quote does not exist, has expired unsigned, or its status is no longer retained.",
            "quote 05a51aa6-41b5-4c61-a452-f1b95d0d43e4 was not found: it was never made, has expired unsigned, or its \
             status is no longer retained",
        ),
        Reason::NoRoute => ("The path does not exist.", "No such route"),
        Reason::Method => ("The path does not support the method.", "Method not allowed, allowed: GET"),
        Reason::BodyTooLarge => ("The body is larger than 16 KiB.", "The body is larger than 16384 bytes"),
        Reason::BodyTooSlow => ("The body did not arrive in time.", "The body did not arrive in time"),
        Reason::MediaType => (
            "The content type of the body is not JSON, or the body has a content coding.",
            "The content type must be application/json, without a Content-Encoding",
        ),
        Reason::UpgradeRequired => {
            ("The request is not a WebSocket handshake (RFC 6455).", "A WebSocket handshake of version 13 is expected")
        }
        Reason::AnonymousRate => (
            "The client address exceeded its rate limit for requests without credentials.",
            "Too many requests, please try again in 1 s",
        ),
        Reason::FailedLoginRate => (
            "The client address exceeded its rate limit for wrong credentials.",
            "Too many failed logins, please try again in 2 s",
        ),
        Reason::CredentialRate => (
            "The client exceeded its request rate limit, or has too many level streams.",
            "Too many requests, please try again in 1 s",
        ),
        Reason::QuotesHeld => (
            "The client holds its full share of the live quotes that the store can hold.",
            "the client holds 75000 live quotes, its share of the store; please try again later",
        ),
        Reason::Market => (
            "A price or a reserve is currently unknown or not trusted.",
            "prices or reserves of pool 1/0x655eDCE464CC797526600a462A8154650EEe4B77 are not available",
        ),
        Reason::Store => ("The quote store is not available.", "the quote store is not available"),
        Reason::PricePublisher => ("The prices could not be posted.", "the prices were not posted"),
        Reason::Key => ("The signing key is not available.", "the signing key is not available"),
        Reason::Clock => ("The clock of the service cannot be trusted.", "the clock of the service cannot be trusted"),
        Reason::LoginsBusy => ("Too many concurrent logins.", "Too many logins at once, please try again later"),
        Reason::NotReady => (
            "A part that requests depend on is not available, or the service is shutting down.",
            "The service is not ready: the store call failed",
        ),
        Reason::ShuttingDown => {
            ("The service is shutting down, and opens no more streams.", "The service is shutting down")
        }
        Reason::Internal => {
            ("A bug in the service; its operator can look it up by the `x-request-id`.", "Internal error")
        }
    }
}
