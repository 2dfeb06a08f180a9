"""The kinds of refusals, and which of them a response is."""

from __future__ import annotations

from firmquote.errors.failures import RefusalBody, Refused
from firmquote.errors.reasons import CONFLICT_REASONS, LEVELS_REASONS


class BadData(Refused):
    """The request asks for something that the service does not have, or is not fit to be read."""


class InvalidInput(BadData):
    """Fields are missing, malformed or out of range: `data` lists every one of them."""


class QuoteProblem(Refused):
    """The amount or the quote is not acceptable: out of range, swaps disabled, the pool paused, a limit reached."""


class QuoteConflict(QuoteProblem):
    """The quote no longer holds: `reason` says what moved, and `fresh_quote` may replace it."""


class QuoteUnknown(QuoteProblem):
    """The quote was never made, or has expired."""


class SignedForOtherTerms(QuoteProblem):
    """The quote is signed for other terms, which are final."""


class LevelsRefused(QuoteProblem):
    """The firm levels that the request named do not hold for it: `reason` says why."""


class OutstandingLimit(QuoteProblem):
    """As much is signed and not executed as may be; `output_left` would be signed now."""


class Unauthorized(Refused):
    """Credentials are required."""


class Forbidden(Refused):
    """The credentials, the destination or the sender are refused, or the quote is another client's."""


class NotFound(Refused):
    """No such path, or no such quote for its status."""


class MethodNotAllowed(Refused):
    """The path has other methods."""


class RateLimited(Refused):
    """Too many requests: `retry_after` says when one more is accepted."""


class ServiceUnavailable(Refused):
    """Prices, reserves, the store or the key are not available at present, or a proxy cannot reach the service."""


class InternalError(Refused):
    """A mistake of the service: tell the operator the request id."""


class UnknownRefusal(Refused):
    """An `errorType` of a later release, or a response without an Error object."""


BY_TYPE: dict[str, type[Refused]] = {
    "BadData": BadData,
    "QuoteProblem": QuoteProblem,
    "Unauthorized": Unauthorized,
    "Forbidden": Forbidden,
    "NotFound": NotFound,
    "MethodNotAllowed": MethodNotAllowed,
    "RateLimited": RateLimited,
    "ExternalServiceError": ServiceUnavailable,
    "InternalError": InternalError,
}
"""The class for each `errorType`."""

BY_REASON: dict[str, type[Refused]] = {
    "outstanding_limit": OutstandingLimit,
    "other_terms": SignedForOtherTerms,
    "unknown_quote": QuoteUnknown,
}
"""The class for a `reason` that has its own, beside those of conflicts and of levels."""

BY_STATUS: dict[int, type[Refused]] = {
    401: Unauthorized,
    429: RateLimited,
    502: ServiceUnavailable,
    503: ServiceUnavailable,
    504: ServiceUnavailable,
}
"""The class for a status without a known `errorType`."""


def refusal(body: RefusalBody) -> Refused:
    """Returns the error for the members of a refusal."""
    kind = BY_TYPE.get(body.error_type) or BY_STATUS.get(body.status, UnknownRefusal)
    if kind is BadData and body.data:
        kind = InvalidInput
    if kind is QuoteProblem:
        kind = _quote_problem(body)
    return kind(body)


def _quote_problem(body: RefusalBody) -> type[Refused]:
    if body.reason in LEVELS_REASONS:
        return LevelsRefused
    if body.reason in CONFLICT_REASONS or "conflicts with latest prices" in body.message:
        return QuoteConflict
    return BY_REASON.get(body.reason or "", QuoteProblem)
