"""What to do about a refusal of the service: by its reason, and without a known one by the first row that matches.

Errors without a response have their reaction in their class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from firmquote.errors.reasons import REACTIONS_BY_REASON


@dataclass(frozen=True, slots=True)
class Retry:
    """Send the same request again, after `after` seconds if the service names a time.

    A quote that is not used costs nothing, except one with a `levels_id`: it reserves a part of the levels' budget
    until its `must_accept_by`. The same terms get the same signature. Sign before the quote's `must_accept_by`.
    `quote_and_sign` is the exception: each call makes another signature.
    """

    after: float | None = None


@dataclass(frozen=True, slots=True)
class Requote:
    """The quote will not be signed for these terms.

    Sign `fresh_quote` of the error if its amounts are acceptable, otherwise request a new quote.
    """


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The same request will be refused again: change it, or tell the operator the request id."""


Reaction = Retry | Requote | GiveUp
"""What to do about an error."""

RETRYABLE_STATUS = frozenset({408, 429, 502, 503, 504})
"""HTTP status codes of a condition that passes, also when a proxy sends them without an Error object."""

CONFLICT_STATUS = 409
"""The HTTP status of a conflict in the words of a later release."""


class RefusalFacts(Protocol):
    """What the table looks at."""

    @property
    def status(self) -> int:
        """HTTP status."""

    @property
    def error_type(self) -> str:
        """`errorType`, empty if the response has no Error object."""

    @property
    def message(self) -> str:
        """`errorMessage`."""

    @property
    def reason(self) -> str | None:
        """`reason`."""

    @property
    def retry_after(self) -> float | None:
        """`retry_after_ms`, otherwise `Retry-After`, in seconds."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table."""

    about: str
    matches: Callable[[RefusalFacts], bool]
    react: Callable[[RefusalFacts], Reaction]


KNOWN_TYPES = frozenset(
    {
        "BadData",
        "QuoteProblem",
        "Unauthorized",
        "Forbidden",
        "NotFound",
        "MethodNotAllowed",
        "RateLimited",
        "ExternalServiceError",
        "InternalError",
    }
)
"""Every `errorType` of the service."""


def is_problem(facts: RefusalFacts) -> bool:
    """Whether the amount or the quote is not acceptable."""
    return facts.error_type == "QuoteProblem"


def names_other_terms(facts: RefusalFacts) -> bool:
    """Whether the quote is signed for other terms. The code is shared; the messages differ."""
    return "signed for other terms" in facts.message.lower()


def names_new_quote(facts: RefusalFacts) -> bool:
    """Whether the message asks for a new quote, as for one that is unknown or expired."""
    return "request a new quote" in facts.message.lower()


def is_about_this_quote(facts: RefusalFacts) -> bool:
    """Whether another quote for the same amount could succeed."""
    return names_new_quote(facts) or names_other_terms(facts)


REACTIONS: tuple[Rule, ...] = (
    Rule(
        "a total per minute or of what is outstanding is used up, and time helps",
        lambda facts: is_problem(facts) and facts.retry_after is not None,
        lambda facts: Retry(facts.retry_after),
    ),
    Rule(
        "the quote is unknown, expired, in conflict with prices, or signed for other terms; or its levels do not hold",
        lambda facts: is_problem(facts) and is_about_this_quote(facts),
        lambda _: Requote(),
    ),
    Rule("the amount is out of range, the pool paused, or a limit reached for good", is_problem, lambda _: GiveUp()),
    Rule(
        "the service, or a proxy before it, is busy or unavailable",
        lambda facts: facts.status in RETRYABLE_STATUS,
        lambda facts: Retry(facts.retry_after),
    ),
    Rule(
        "a conflict in the words of a later release",
        lambda facts: facts.error_type not in KNOWN_TYPES and facts.status == CONFLICT_STATUS,
        lambda _: Requote(),
    ),
    Rule(
        "everything else: invalid requests, credentials, unknown paths, errors of the service",
        lambda _: True,
        lambda _: GiveUp(),
    ),
)
"""The rows for refusals without a known reason; the last one matches each."""


def reaction_to(facts: RefusalFacts) -> Reaction:
    """Returns the reaction to the reason, otherwise that of the first row that matches."""
    match REACTIONS_BY_REASON.get(facts.reason or ""):
        case "retry":
            return Retry(facts.retry_after)
        case "retry_if_told" if facts.retry_after is not None:
            return Retry(facts.retry_after)
        case "requote":
            return Requote()
        case None:
            return next(rule.react(facts) for rule in REACTIONS if rule.matches(facts))
        case _:
            return GiveUp()
