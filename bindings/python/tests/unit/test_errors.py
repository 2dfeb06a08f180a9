"""What is made of refusals: the class of the error, its members, and the reaction of the one table."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import httpx
import pytest

from firmquote import ClientSettings, QuoteRequest, SwapTerms
from firmquote.client.exchange import Send
from firmquote.client.responses import read_refusal
from firmquote.client.settings import NO_RETRIES
from firmquote.client.transport import BodyReader
from firmquote.errors import (
    BadData,
    FirmquoteError,
    Forbidden,
    GiveUp,
    InternalError,
    InvalidInput,
    InvalidResponse,
    LevelsRefused,
    MethodNotAllowed,
    NotFound,
    OutstandingLimit,
    QuoteConflict,
    QuoteProblem,
    QuoteUnknown,
    RateLimited,
    Reaction,
    Refused,
    Requote,
    Retry,
    ServiceUnavailable,
    SignedForOtherTerms,
    TimedOut,
    Unauthorized,
    UnknownRefusal,
    Unreachable,
)
from firmquote.errors.reaction import REACTIONS
from support.samples import QUOTE
from support.stub import KINDS, Answer, Stub, TestClock, call

CONFLICT = "Quote conflicts with latest prices. Please request a new quote."
LATER = {"retry-after": "7"}


def problem(message: str, **members: Any) -> dict[str, Any]:
    return {"errorMessage": message, "errorType": "QuoteProblem", "errorCode": 409, **members}


def error(kind: str, message: str = "m", **members: Any) -> dict[str, Any]:
    return {"errorMessage": message, "errorType": kind, **members}


TABLE: list[tuple[str, int, dict[str, str], dict[str, Any], type[Refused], Reaction]] = [
    ("invalid input", 400, {}, error("BadData", errorCode=422, data=[{"type": "missing", "loc": ["a"], "msg": "b",
     "input": None, "url": "u"}]), InvalidInput, GiveUp()),
    ("unsupported", 400, {}, error("BadData", "pair: A is not supported"), BadData, GiveUp()),
    ("body too slow", 408, {}, error("BadData"), BadData, Retry()),
    ("body too large", 413, {}, error("BadData"), BadData, GiveUp()),
    ("media type", 415, {}, error("BadData"), BadData, GiveUp()),
    ("unknown quote", 400, {}, problem("no live quote 1, please request a new quote", reason="unknown_quote"),
     QuoteUnknown, Requote()),
    ("price", 400, {}, problem(CONFLICT, reason="price"), QuoteConflict, Requote()),
    ("fee", 400, {}, problem(CONFLICT, reason="fee"), QuoteConflict, Requote()),
    ("reserve", 400, {}, problem(CONFLICT, reason="reserve"), QuoteConflict, Requote()),
    ("outstanding", 400, {}, problem(CONFLICT, reason="outstanding"), QuoteConflict, Requote()),
    ("disabled", 400, {}, problem(CONFLICT, reason="disabled"), QuoteConflict, Requote()),
    ("conflict without a reason", 400, {}, problem(CONFLICT), QuoteConflict, Requote()),
    ("a reason of a later release", 400, {}, problem("m", reason="weather"), QuoteProblem, GiveUp()),
    ("other terms", 400, {}, problem("m", reason="other_terms"), SignedForOtherTerms, Requote()),
    ("too large", 400, {}, problem("input_amount is larger than the pool can serve, at most 5"), QuoteProblem,
     GiveUp()),
    ("too small", 400, {}, problem("output_amount is too small, at least 5"), QuoteProblem, GiveUp()),
    ("swaps disabled", 400, {}, problem("swaps are disabled for this pool"), QuoteProblem, GiveUp()),
    ("paused", 400, {}, problem("the pool is paused", reason="paused"), QuoteProblem, GiveUp()),
    ("a trade limit", 400, {}, problem("m", reason="trade_limit"), QuoteProblem, GiveUp()),
    ("pool limit", 400, LATER, problem("m", reason="pool_limit"), QuoteProblem, Retry(7.0)),
    ("pool limit for good", 400, {}, problem("m", reason="pool_limit"), QuoteProblem, GiveUp()),
    ("client limit", 400, LATER, problem("m", reason="client_limit"), QuoteProblem, Retry(7.0)),
    ("client limit for good", 400, {}, problem("m", reason="client_limit"), QuoteProblem, GiveUp()),
    ("outstanding limit", 400, LATER, problem("m", reason="outstanding_limit"), OutstandingLimit, Retry(7.0)),
    ("outstanding limit for good", 400, {}, problem("m", reason="outstanding_limit"), OutstandingLimit, GiveUp()),
    *[
        (reason, 400, {}, problem("the levels do not hold", reason=reason), LevelsRefused, Requote())
        for reason in ("levels_expired", "beyond_size", "below_minimum", "budget_used", "reserves_moved", "store_lost")
    ],
    ("destination", 403, {}, error("Forbidden"), Forbidden, GiveUp()),
    ("no credentials", 401, {}, error("Unauthorized"), Unauthorized, GiveUp()),
    ("no status", 404, {}, error("NotFound"), NotFound, GiveUp()),
    ("method", 405, {}, error("MethodNotAllowed"), MethodNotAllowed, GiveUp()),
    ("rate limit", 429, LATER, error("RateLimited"), RateLimited, Retry(7.0)),
    ("a bug", 500, {}, error("InternalError"), InternalError, GiveUp()),
    ("unavailable", 503, {"retry-after": " 2 "}, error("ExternalServiceError"), ServiceUnavailable, Retry(2.0)),
    ("milliseconds to retry after", 503, {"retry-after": "2"}, error("ExternalServiceError", reason="store",
     retry_after_ms=1500), ServiceUnavailable, Retry(1.5)),
    ("no milliseconds", 503, {"retry-after": "2"}, error("ExternalServiceError", reason="store", retry_after_ms=-1),
     ServiceUnavailable, Retry(2.0)),
    ("too many digits", 503, {"retry-after": "2"}, error("ExternalServiceError", reason="store",
     retry_after_ms=10**400), ServiceUnavailable, Retry(2.0)),
    ("a date to retry after", 503, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, error("ExternalServiceError"),
     ServiceUnavailable, Retry()),
    ("a type of a later release", 409, {}, error("Novelty"), UnknownRefusal, Requote()),
    ("a known type with that status", 409, {}, error("BadData"), BadData, GiveUp()),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_a_refusal_has_its_class_and_its_reaction(
    row: tuple[str, int, dict[str, str], dict[str, Any], type[Refused], Reaction],
) -> None:
    _, status, headers, body, kind, reaction = row
    refusal = read_refusal(status, headers, json.dumps(body), "id")
    assert (type(refusal), refusal.reaction) == (kind, reaction)
    assert (refusal.status, refusal.message, refusal.request_id) == (status, body["errorMessage"], "id")


@pytest.mark.parametrize("body", ["<html>Bad Gateway</html>", "", "[1]", '{"errorType":7}', '{"errorType":"BadData"}'])
def test_what_is_no_error_object_is_judged_by_its_status(body: str) -> None:
    later = {408, 429, 502, 503, 504}
    for status in (301, 304, 400, 401, 403, 404, 408, 409, 413, 429, 500, 502, 503, 504):
        refusal = read_refusal(status, {}, body, "id")
        expected: Reaction = Retry() if status in later else Requote() if status == 409 else GiveUp()
        assert refusal.reaction == expected, status
        assert (refusal.error_type, refusal.message) == ("", "")


def test_every_row_of_the_table_decides_some_refusal() -> None:
    decided = set()
    for _, status, headers, body, _, _ in TABLE:
        facts = read_refusal(status, headers, json.dumps(body), "id").body
        decided.add(next(at for at, rule in enumerate(REACTIONS) if rule.matches(facts)))
    assert decided == set(range(len(REACTIONS)))


def test_every_invalid_input_is_listed() -> None:
    body = error(
        "BadData",
        "Invalid input data",
        errorCode=422,
        data=[
            {"type": "string_type", "loc": ["quote_id"], "msg": "Input should be a string", "input": 1, "url": "u"},
            {"type": "missing", "loc": ["prices", 3, "symbol"], "msg": "Field required", "input": None, "url": "v"},
        ],
    )
    refusal = read_refusal(400, {}, json.dumps(body), "id")
    first, second = refusal.data
    assert (first.type, first.input, first.url, second.loc) == ("string_type", 1, "u", ("prices", 3, "symbol"))
    assert str(refusal) == (
        "Invalid input data (HTTP 400); quote_id: Input should be a string; prices.3.symbol: Field required"
    )


def test_a_conflict_brings_what_moved_and_a_fresh_quote() -> None:
    body = problem(CONFLICT, reason="price", moved_bps=12.34, fresh_quote=QUOTE)
    refusal = read_refusal(400, {}, json.dumps(body), "id")
    assert (refusal.reason, refusal.moved_bps, refusal.error_code) == ("price", Decimal("12.34"), 409)
    assert refusal.fresh_quote is not None
    assert refusal.fresh_quote.output_amount == 2_078_539_413
    broken = read_refusal(400, {}, json.dumps({**body, "fresh_quote": {"id": 1}}), "id")
    assert (broken.fresh_quote, broken.reaction) == (None, Requote())


def test_rate_limits_are_read_from_the_headers() -> None:
    headers = {"ratelimit": '"credential";r=0;t=7', "ratelimit-policy": '"credential";q=5;w=35'}
    limit = read_refusal(429, headers, "", "id").rate_limit
    assert limit is not None
    assert (limit.policy, limit.remaining, limit.reset_after, limit.quota, limit.window) == ("credential", 0, 7, 5, 35)
    headers["ratelimit-policy"] = '"other";q=5;w=35'
    other = read_refusal(429, headers, "", "id").rate_limit
    assert other is not None
    assert (other.quota, other.window) == (None, None)
    for broken in ("", "credential", '"credential"', '"a";r=x;t=1', '"a";r=1'):
        assert read_refusal(429, {"ratelimit": broken}, "", "id").rate_limit is None


REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18)
TRANSPORT: list[tuple[Answer, dict[str, Any], type[FirmquoteError], Reaction]] = [
    (Answer(holds=True), {"timeout": 0.05}, TimedOut, Retry()),
    (Answer('{"id":', missing_bytes=9), {}, FirmquoteError, Retry()),
    (Answer("no json"), {}, InvalidResponse, GiveUp()),
    (Answer("[]"), {}, InvalidResponse, GiveUp()),
    (Answer('{"a":"an-api-key-of-tests"}'), {}, InvalidResponse, GiveUp()),
    (Answer('{"a":"an\\u002dapi-key-of-tests"}', status=400), {}, InvalidResponse, GiveUp()),
    (Answer("", 400, {"x-told": "an-api-key-of-tests"}), {}, InvalidResponse, GiveUp()),
    (Answer("", 302, {"location": "/elsewhere"}), {}, UnknownRefusal, GiveUp()),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("answer", "changes", "error_type", "reaction"), TRANSPORT)
def test_failures_of_the_transport_have_a_class_and_a_reaction(
    kind: str, answer: Answer, changes: dict[str, Any], error_type: type[FirmquoteError], reaction: Reaction
) -> None:
    with Stub(answer) as stub:
        settings = stub.settings(retries=NO_RETRIES, **changes)
        with pytest.raises(error_type) as raised:
            call(kind, settings, lambda client: client.quote(REQUEST))
        assert (raised.value.reaction, len(stub.received)) == (reaction, 1)
        assert raised.value.request_id is not None
        assert "an-api-key-of-tests" not in f"{raised.value!s} {raised.value!r} {settings!r}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_service_that_is_not_there_is_unreachable(kind: str) -> None:
    with Stub(Answer("")) as stub:
        settings = stub.settings(retries=NO_RETRIES)
    with pytest.raises(Unreachable) as raised:
        call(kind, settings, lambda client: client.sign(QUOTE["id"], SwapTerms(QUOTE["pool_address"])))
    assert raised.value.reaction == Retry()


@pytest.mark.parametrize("kind", KINDS)
def test_a_response_that_is_too_long_is_refused_as_such(kind: str) -> None:
    padded = json.dumps({**QUOTE, "padding": "x" * 2000})
    with Stub(Answer(padded)) as stub:
        assert call(kind, stub.settings(), lambda client: client.quote(REQUEST)).id == QUOTE["id"]
        with pytest.raises(InvalidResponse, match="longer than 2000 bytes"):
            call(kind, stub.settings(max_response_bytes=2000), lambda client: client.quote(REQUEST))


def test_a_body_that_trickles_in_is_given_up_when_the_time_is_over() -> None:
    clock = TestClock()
    settings = ClientSettings("http://h", timeout=10.0)
    body = BodyReader(Send("GET", "http://h/", {}, None, "id"), settings, clock)
    response = httpx.Response(200)
    for _ in range(10):
        clock.now += 1
        body.add(b"x", response)
    assert body.finish(response).body == b"x" * 10
    clock.now += 0.1
    with pytest.raises(TimedOut, match="within 10 s"):
        body.add(b"x", response)
