"""Made from the list of reasons of the service, `Reason` of `firmquote-api`."""

from __future__ import annotations

from typing import Final, Literal

ReasonReaction = Literal["retry", "retry_if_told", "requote", "give_up"]

REACTIONS_BY_REASON: Final[dict[str, ReasonReaction]] = {
    # An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each.
    "invalid_input": "give_up",
    # The chain is not supported.
    "unsupported_chain": "give_up",
    # The asset is not supported; `field` names the input.
    "unsupported_asset": "give_up",
    # No pool swaps this pair.
    "unsupported_pair": "give_up",
    # The pool is not supported.
    "unsupported_pool": "give_up",
    # The quote is unknown or has expired.
    "unknown_quote": "requote",
    # The pool would give less than quoted at the latest prices.
    "price": "requote",
    # The pool would give less than quoted with the latest fee.
    "fee": "requote",
    # The reserves moved too far for the quote.
    "reserve": "requote",
    # Other signed swaps may be executed first, or an equal offer is already signed.
    "outstanding": "requote",
    # The pool no longer swaps these assets, or not on these terms.
    "disabled": "requote",
    # The quote is signed for other terms.
    "other_terms": "requote",
    # The `Idempotency-Key` was used for another request.
    "idempotency_key_reused": "give_up",
    # Another hedge of this `hedge_id` was reported.
    "hedge_id_reused": "give_up",
    # The amount is larger than the pool can serve, at most `max_amount`.
    "too_large": "give_up",
    # The amount is too small, at least `min_amount`.
    "too_small": "give_up",
    # The reserves are too small for any amount of this swap.
    "exhausted": "give_up",
    # Swaps are disabled for the pool.
    "swaps_disabled": "give_up",
    # The operator paused the pool.
    "paused": "give_up",
    # A breaker stopped these swaps of the pool, until the operator resumes it.
    "breaker": "give_up",
    # The trade is above the operator's limit for one trade: at most `max_amount`, or `largest_trade_in_usd`.
    "trade_limit": "give_up",
    # The pool has reached its limit for the value signed in one minute.
    "pool_limit": "retry_if_told",
    # The client has reached its limit for the value signed in one minute.
    "client_limit": "retry_if_told",
    # A limit on outstanding swaps, of the pool or of the client, is reached; `output_left` would be signed.
    "outstanding_limit": "retry_if_told",
    # The levels have expired, or were never firm.
    "levels_expired": "requote",
    # The amount is beyond the last knot of the levels, or their whole budget.
    "beyond_size": "requote",
    # The amount is below the first knot of the levels.
    "below_minimum": "requote",
    # Other quotes and swaps of the client leave too little of the budget of the levels.
    "budget_used": "requote",
    # The reserves moved so far that the levels cannot be honored.
    "reserves_moved": "requote",
    # The service lost its record of the levels.
    "store_lost": "requote",
    # The pool does not sign for this destination.
    "destination_denied": "give_up",
    # The terms of the client do not include this pool or pair.
    "client_terms": "give_up",
    # The pool does not sign for this sender.
    "sender_denied": "give_up",
    # Credentials are required.
    "no_credentials": "give_up",
    # The credentials are wrong, revoked, or of a scheme that is not accepted.
    "bad_credentials": "give_up",
    # Basic credentials are no longer accepted.
    "basic_ended": "give_up",
    # No admin token is configured.
    "no_admin_token": "give_up",
    # The operator does not have the role that the operation needs.
    "missing_role": "give_up",
    # A browser sent the request on behalf of another site, or to a host name that others can register.
    "foreign_site": "give_up",
    # The quote belongs to another client.
    "another_client": "give_up",
    # The quote does not exist, has expired unsigned, or its status is no longer retained.
    "no_status": "give_up",
    # The path does not exist.
    "no_route": "give_up",
    # The path does not support the method; `Allow` lists those that it does.
    "method": "give_up",
    # The body is larger than 16 KiB.
    "body_too_large": "give_up",
    # The body did not arrive in time.
    "body_too_slow": "retry",
    # The content type of the body is not JSON, or the body has a content coding.
    "media_type": "give_up",
    # The request is not a WebSocket handshake (RFC 6455).
    "upgrade_required": "give_up",
    # The client address exceeded its rate limit for requests without credentials.
    "anonymous_rate": "retry",
    # The client address exceeded its rate limit for wrong credentials.
    "failed_login_rate": "retry",
    # The client exceeded its request rate limit, or has too many level streams.
    "credential_rate": "retry",
    # The client holds its full share of the live quotes that the store can hold.
    "quotes_held": "retry",
    # A price or a reserve is currently unknown or not trusted.
    "market": "retry",
    # The store is not available, or what it knew of the last minute or of outstanding swaps is lost.
    "store": "retry",
    # The prices could not be posted.
    "price_board": "retry",
    # The signing key is not available.
    "key": "retry",
    # The clock of the service cannot be trusted.
    "clock": "retry",
    # Too many concurrent logins.
    "logins_busy": "retry",
    # A part that requests depend on is not available, or the service is shutting down.
    "not_ready": "retry",
    # The service is shutting down, and opens no more streams.
    "shutting_down": "retry",
    # A bug in the service; its operator can look it up by the `x-request-id`.
    "internal": "give_up",
}
"""What to do about each reason."""

CONFLICT_REASONS: Final = frozenset(
    {
        "price",
        "fee",
        "reserve",
        "outstanding",
        "disabled",
    }
)
"""What moved since the quote was made."""

LEVELS_REASONS: Final = frozenset(
    {
        "levels_expired",
        "beyond_size",
        "below_minimum",
        "budget_used",
        "reserves_moved",
        "store_lost",
    }
)
"""Why levels do not hold for a request that names them."""
