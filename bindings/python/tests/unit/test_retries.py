"""Which requests are sent again, when, and how often."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmquote import NO_RETRIES, Quote, QuoteRequest, RetryPolicy, SwapTerms
from firmquote.errors import Interrupted, QuoteConflict, QuoteNotSigned, RateLimited, Retry, ServiceUnavailable
from firmquote.types.decode import decode, parse_json
from support.samples import LEVELS_ID, PRICED, QUOTE, QUOTE_ID, SIGNED, TAKER
from support.stub import KINDS, Answer, Stub, TestClock, call, json_answer

REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18)
TERMS = SwapTerms(TAKER, transmit=True)
BUSY = json_answer({"errorMessage": "busy", "errorType": "ExternalServiceError"}, 503)
BUSY_FOR_3 = json_answer({"errorMessage": "busy", "errorType": "ExternalServiceError"}, 503, retry_after="3")
LIMITED_FOR_60 = json_answer({"errorMessage": "no", "errorType": "RateLimited"}, 429, retry_after="60")
CUT = Answer('{"id":', missing_bytes=5)
CONFLICT = json_answer(
    {"errorMessage": "conflicts with latest prices", "errorType": "QuoteProblem", "errorCode": 409, "reason": "price"},
    400,
)


def quote_value() -> Quote:
    return decode(Quote, parse_json(json.dumps(QUOTE)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_quote_is_requested_again_after_growing_pauses(kind: str) -> None:
    clock = TestClock()
    with Stub(BUSY, CUT, BUSY, json_answer(QUOTE)) as stub:
        quote = call(kind, stub.settings(), lambda client: client.quote(REQUEST), clock)
    assert quote.id == QUOTE_ID
    assert len({received.headers["x-request-id"] for received in stub.received}) == 1
    for pause, longest in zip(clock.slept, (0.2, 0.4, 0.8), strict=True):
        assert longest / 2 <= pause <= longest


@pytest.mark.parametrize("kind", KINDS)
def test_attempts_are_bounded_and_the_last_error_is_raised(kind: str) -> None:
    clock = TestClock()
    policy = RetryPolicy(attempts=6, first_pause=1.0, max_pause=2.0)
    with Stub(BUSY) as stub, pytest.raises(ServiceUnavailable):
        call(kind, stub.settings(retries=policy), lambda client: client.quote(REQUEST), clock)
    assert (len(stub.received), len(clock.slept)) == (6, 5)
    assert max(clock.slept) <= 2.0


@pytest.mark.parametrize("kind", KINDS)
def test_retry_after_is_honoured_up_to_a_bound(kind: str) -> None:
    clock = TestClock()
    with Stub(BUSY_FOR_3, json_answer(QUOTE)) as stub:
        call(kind, stub.settings(), lambda client: client.quote(REQUEST), clock)
    assert clock.slept == [3.0]
    with Stub(LIMITED_FOR_60) as stub, pytest.raises(RateLimited) as raised:
        call(kind, stub.settings(), lambda client: client.quote(REQUEST), clock)
    assert (raised.value.reaction, len(stub.received), clock.slept) == (Retry(60.0), 1, [3.0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_signature_is_requested_again_on_the_same_terms(kind: str) -> None:
    clock = TestClock(unix=QUOTE["created_at"])
    with Stub(CUT, BUSY, json_answer(SIGNED)) as stub:
        call(kind, stub.settings(), lambda client: client.sign_quote(quote_value(), TERMS), clock)
    assert len({received.body for received in stub.received}) == 1
    assert json.loads(stub.received[0].body) == {
        "quote_id": QUOTE_ID,
        "destination_address": TAKER,
        "transmit": True,
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("seconds_left", "attempts"), [(3.5, 2), (3.0, 1), (0, 1), (-100, 1)])
def test_a_signature_is_not_requested_again_when_its_quote_is_over(
    kind: str, seconds_left: float, attempts: int
) -> None:
    clock = TestClock(unix=QUOTE["good_until"] - seconds_left)
    with Stub(BUSY_FOR_3) as stub, pytest.raises(ServiceUnavailable):
        call(kind, stub.settings(), lambda client: client.sign_quote(quote_value(), TERMS), clock)
    assert len(stub.received) == attempts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answer", [BUSY, CUT])
def test_quote_and_sign_is_sent_once(kind: str, answer: Answer) -> None:
    clock = TestClock()
    with Stub(answer, json_answer({**PRICED, **SIGNED})) as stub:
        with pytest.raises((ServiceUnavailable, Interrupted)):
            call(kind, stub.settings(), lambda client: client.quote_and_sign(REQUEST, TERMS), clock)
        assert (len(stub.received), clock.slept) == (1, [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answer", [BUSY, CUT])
def test_a_quote_of_firm_levels_is_sent_once_since_each_reserves_a_part_of_their_budget(
    kind: str, answer: Answer
) -> None:
    clock = TestClock()
    request = QuoteRequest(1, "ETH", "USDC", input_amount=10**18, levels_id=LEVELS_ID)
    with Stub(answer, json_answer({**QUOTE, "levels_id": LEVELS_ID})) as stub:
        with pytest.raises((ServiceUnavailable, Interrupted)):
            call(kind, stub.settings(), lambda client: client.quote(request), clock)
        assert (len(stub.received), clock.slept) == (1, [])


@pytest.mark.parametrize("kind", KINDS)
def test_retries_can_be_turned_off(kind: str) -> None:
    with Stub(BUSY) as stub, pytest.raises(ServiceUnavailable):
        call(kind, stub.settings(retries=NO_RETRIES), lambda client: client.quote(REQUEST), TestClock())
    assert len(stub.received) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_calls_for_another_quote_is_not_sent_again(kind: str) -> None:
    with Stub(CONFLICT) as stub, pytest.raises(QuoteConflict):
        call(kind, stub.settings(), lambda client: client.sign(QUOTE_ID, TERMS), TestClock())
    assert len(stub.received) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_in_version_1_quote_and_sign_has_two_steps(kind: str) -> None:
    clock = TestClock(unix=QUOTE["created_at"])
    with Stub(json_answer(QUOTE), BUSY, json_answer(SIGNED)) as stub:
        settings = stub.settings(api_key=None)
        both: Any = call(kind, settings, lambda client: client.quote_and_sign(REQUEST, TERMS), clock)
    assert [received.path for received in stub.received] == ["/rfq/quote", "/rfq/sign", "/rfq/sign"]
    assert (both.id, both.state_id, both.swap.expires_at) == (QUOTE_ID, QUOTE["state_id"], SIGNED["expires_at"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_step_that_fails_leaves_the_quote(kind: str) -> None:
    with Stub(json_answer(QUOTE), CONFLICT) as stub, pytest.raises(QuoteNotSigned) as raised:
        call(kind, stub.settings(api_key=None), lambda client: client.quote_and_sign(REQUEST, TERMS), TestClock())
    assert (raised.value.quote.id, type(raised.value.cause)) == (QUOTE_ID, QuoteConflict)
    assert raised.value.reaction == raised.value.cause.reaction
