"""Errors of a request, one class for each kind of failure. None of them contains a credential."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from .reaction import GiveUp, Reaction, Retry, reaction_to

if TYPE_CHECKING:
    from firmquote.types.responses import Quote


class FirmquoteError(Exception):
    """Any error of this package. `reaction` says what to do about it."""

    request_id: str | None = None
    """The id by which the operator finds the request in the log; `None` if nothing was sent."""

    @property
    def reaction(self) -> Reaction:
        """What to do: `Retry`, `Requote` or `GiveUp`."""
        return GiveUp()

    @property
    def fresh_quote(self) -> Quote | None:
        """The quote that replaces the one to be signed, if the service offers one."""
        return None


class InvalidSettings(FirmquoteError, ValueError):
    """Settings that no client can be made of. Never contains the rejected value."""


class CredentialMismatch(FirmquoteError):
    """The operation does not exist in the API version of the client's credential; nothing was sent."""


class NoAnswer(FirmquoteError):
    """There is no complete response. Repeating a request that is safe to repeat may help."""

    def __init__(self, message: str, request_id: str) -> None:
        super().__init__(message)
        self.request_id = request_id

    @property
    def reaction(self) -> Reaction:
        """Always `Retry`."""
        return Retry()


class Unreachable(NoAnswer):
    """No connection could be made: the request was not sent."""


class TimedOut(NoAnswer):
    """The response was not complete in time. The service may have processed the request."""


class Interrupted(NoAnswer):
    """The connection ended before the response was complete. The service may have processed the request."""


class InvalidResponse(FirmquoteError):
    """A response that violates the API, does not match the request, is too long, or contains the credential."""

    def __init__(self, reason: str, status: int, request_id: str) -> None:
        super().__init__(f"unusable response (HTTP {status}): {reason}")
        self.reason = reason
        self.status = status
        self.request_id = request_id


class QuoteNotSigned(FirmquoteError):
    """The first step of `quote_and_sign` in version 1 succeeded and the second failed.

    The quote may be signed nevertheless: call `sign_quote` with `quote` and the same terms to find out.
    """

    def __init__(self, quote: Quote, cause: FirmquoteError) -> None:
        super().__init__(f"{cause}; quote {quote.id} was to be signed")
        self.quote = quote
        self.cause = cause
        self.request_id = cause.request_id

    @property
    def reaction(self) -> Reaction:
        """The reaction to the failure of the second step."""
        return self.cause.reaction

    @property
    def fresh_quote(self) -> Quote | None:
        """The fresh quote of the failure of the second step."""
        return self.cause.fresh_quote


@dataclass(frozen=True, slots=True)
class InvalidField:
    """One input that is invalid."""

    type: str
    """The kind of error, such as `missing`."""
    loc: tuple[str | int, ...]
    """The path to the input; empty for the body as a whole."""
    msg: str
    """What would have been valid."""
    input: object
    """What was received, as JSON."""
    url: str
    """A page of the service that explains the kind."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The state of a rate limit (draft-ietf-httpapi-ratelimit-headers-10)."""

    policy: str
    """`anonymous`, `anonymous-signatures`, `failed-logins` or `credential`."""
    remaining: int
    """Requests left now."""
    reset_after: int
    """Seconds until one more request is accepted, rounded up."""
    quota: int | None
    """Requests accepted at once."""
    window: int | None
    """Seconds in which a used-up quota is restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalBody:
    """The members of a refusal: the Error object, its status and its headers."""

    status: int
    """HTTP status."""
    message: str
    """`errorMessage`, for people; empty if the response has no Error object."""
    error_type: str
    """`errorType`; empty if the response has no Error object, as those of proxies."""
    error_code: int | None
    """`errorCode`: 422 for invalid input, 409 for a problem with a quote."""
    data: tuple[InvalidField, ...]
    """Every invalid input."""
    reason: str | None
    """Why the service refuses: one of `firmquote.errors.reasons`, or of a later release."""
    field: str | None
    """The input that the reason is about."""
    max_amount: int | None
    """The largest amount for `field` that is served, in base units."""
    min_amount: int | None
    """The smallest amount for `field` that is served, in base units."""
    largest_trade_in_usd: Decimal | None
    """The value of the largest trade that is signed."""
    output_left: int | None
    """The output that would be signed now, in base units."""
    moved_bps: Decimal | None
    """How much less the pool would give now, in basis points of the quoted output, rounded up."""
    fresh_quote: Quote | None
    """A quote for the same amount at current prices. `sign_quote` discards one of another chain, pool or token, or with
    both amounts changed; `quote_and_sign` one that does not match the request; `sign` checks nothing."""
    retry_after: float | None
    """`retry_after_ms`, otherwise `Retry-After`, in seconds."""
    request_id: str
    rate_limit: RateLimit | None


class Refused(FirmquoteError):
    """The service refused the request. The members of the Error object are attributes."""

    def __init__(self, body: RefusalBody) -> None:
        self.body = body
        self.status = body.status
        self.message = body.message
        self.error_type = body.error_type
        self.error_code = body.error_code
        self.data = body.data
        self.reason = body.reason
        self.field = body.field
        self.max_amount = body.max_amount
        self.min_amount = body.min_amount
        self.largest_trade_in_usd = body.largest_trade_in_usd
        self.output_left = body.output_left
        self.moved_bps = body.moved_bps
        self.retry_after = body.retry_after
        self.request_id: str = body.request_id
        self.rate_limit = body.rate_limit
        inputs = "".join(f"; {'.'.join(map(str, field.loc))}: {field.msg}" for field in body.data)
        text = f"{body.message or 'the service refused the request'} (HTTP {body.status}){inputs}"
        super().__init__(" ".join(text.split()))

    @property
    def reaction(self) -> Reaction:
        """What the table in `firmquote.errors.reaction` says."""
        return reaction_to(self.body)

    @property
    def fresh_quote(self) -> Quote | None:
        """The quote that replaces the one to be signed, if the service offers one."""
        return self.body.fresh_quote
