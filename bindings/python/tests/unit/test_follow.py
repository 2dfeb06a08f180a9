"""Following levels over real connections, with both clients."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from firmquote import AsyncClient, BooksChanged, Client, Disconnected, LevelsRequest
from firmquote.errors import Forbidden, InvalidResponse
from support.samples import BOOK, LEVELS_ID, hello, message
from support.stub import KINDS, Answer, Stub, TestClock, json_answer

SNAPSHOT = (hello(1), message(2, "book", **BOOK), message(3, "snapshot_end", books=1))
GOODBYE = message(4, "goodbye", reason="shutdown", reconnect_after_ms=2000)
FORBIDDEN = json_answer({"errorMessage": "Access is forbidden", "errorType": "Forbidden"}, 403)
BUSY = json_answer({"errorMessage": "busy", "errorType": "ExternalServiceError"}, 503, retry_after="30")


def follow(kind: str, stub: Stub, until: Any, clock: TestClock) -> list[tuple[Any, list[str]]]:
    """What a follower sees, until `until` of what it has seen so far."""
    seen: list[tuple[Any, list[str]]] = []

    def note(change: Any, levels: Any) -> bool:
        seen.append((change, [book.levels_id for book in levels.books()]))
        return bool(until(seen))

    def block() -> None:
        with Client(stub.settings(), clock=clock) as client, client.follow_levels(LevelsRequest(1)) as levels:
            for change in levels:
                if note(change, levels):
                    levels.close()

    async def run() -> None:
        async with (
            AsyncClient(stub.settings(), clock=clock) as client,
            client.follow_levels(LevelsRequest(1)) as levels,
        ):
            async for change in levels:
                if note(change, levels):
                    await levels.close()

    block() if kind == "blocking" else asyncio.run(run())
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_connection_follows_a_goodbye_after_the_pause_it_names(kind: str) -> None:
    clock = TestClock()
    with Stub(Answer(events=(*SNAPSHOT, GOODBYE)), Answer(events=SNAPSHOT, holds=True)) as stub:
        seen = follow(kind, stub, lambda seen: len(stub.received) == 2 and seen[-1][1] == [LEVELS_ID], clock)
    (disconnected,) = [change for change, _ in seen if isinstance(change, Disconnected)]
    assert disconnected.cause is None
    assert clock.slept == [disconnected.retry_after]
    assert 2.0 <= disconnected.retry_after <= 4.0
    assert stub.received[0].path == "/rfq/v2/levels/1/stream"
    assert stub.received[0].headers["x-api-key"] == "an-api-key-of-tests"


@pytest.mark.parametrize("kind", KINDS)
def test_when_a_connection_ends_everything_is_dropped(kind: str) -> None:
    clock = TestClock()
    with Stub(Answer(events=SNAPSHOT), Answer(events=SNAPSHOT, holds=True)) as stub:
        seen = follow(kind, stub, lambda seen: len(stub.received) == 2 and seen[-1][1] == [LEVELS_ID], clock)
    at = next(at for at, (change, _) in enumerate(seen) if isinstance(change, Disconnected))
    assert seen[at][1] == []
    assert isinstance(seen[0][0], BooksChanged)


@pytest.mark.parametrize("kind", KINDS)
def test_a_gap_is_followed_by_a_new_connection(kind: str) -> None:
    gap = (*SNAPSHOT, message(5, "heartbeat", server_time_ms=1))
    with Stub(Answer(events=gap, holds=True), Answer(events=SNAPSHOT, holds=True)) as stub:
        seen = follow(kind, stub, lambda seen: len(stub.received) == 2 and seen[-1][1] == [LEVELS_ID], TestClock())
    assert any(isinstance(change, Disconnected) and "missing" in str(change.cause) for change, _ in seen)


@pytest.mark.parametrize("kind", KINDS)
def test_a_service_that_is_busy_is_asked_again_when_it_says(kind: str) -> None:
    clock = TestClock()
    with Stub(BUSY, Answer(events=SNAPSHOT, holds=True)) as stub:
        follow(kind, stub, lambda seen: seen[-1][1] == [LEVELS_ID], clock)
    assert clock.slept == [30.0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_pause_of_a_busy_service_is_a_minute_at_most(kind: str) -> None:
    clock = TestClock()
    busy = json_answer({"errorMessage": "busy", "errorType": "ExternalServiceError"}, 503, retry_after="3600")
    with Stub(busy, Answer(events=SNAPSHOT, holds=True)) as stub:
        seen = follow(kind, stub, lambda seen: seen[-1][1] == [LEVELS_ID], clock)
    assert isinstance(seen[0][0], Disconnected)
    assert (seen[0][0].retry_after, clock.slept) == (60.0, [60.0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (FORBIDDEN, Forbidden),
        (json_answer({}), InvalidResponse),
        (Answer(events=["no json"], holds=True), InvalidResponse),
    ],
)
def test_what_another_connection_cannot_mend_is_raised(kind: str, answer: Answer, error: type[Exception]) -> None:
    with Stub(answer) as stub:
        with pytest.raises(error):
            follow(kind, stub, lambda _: False, TestClock())
        assert len(stub.received) == 1


def test_a_cancelled_wait_loses_nothing() -> None:
    async def run() -> None:
        with Stub(Answer(events=SNAPSHOT, holds=True)) as stub:
            async with AsyncClient(stub.settings()) as client, client.follow_levels(LevelsRequest(1)) as levels:
                while not levels.is_complete:
                    await levels.changed()
                waiting = asyncio.ensure_future(levels.changed())
                await asyncio.sleep(0)
                waiting.cancel()
                await asyncio.wait({waiting})
                assert [book.levels_id for book in levels.books()] == [LEVELS_ID]
                assert len(stub.received) == 1

    asyncio.run(run())


def test_on_asyncio_a_book_that_ends_is_a_change_by_itself() -> None:
    brief = message(2, "book", **{**BOOK, "valid_until_ms": 10_050})
    events = (hello(1), brief, message(3, "snapshot_end", books=1))

    async def run() -> None:
        with Stub(Answer(events=events, holds=True)) as stub:
            async with AsyncClient(stub.settings()) as client, client.follow_levels(LevelsRequest(1)) as levels:
                while not levels.is_complete:
                    await levels.changed()
                while levels.books():
                    assert isinstance(await levels.changed(), BooksChanged)

    asyncio.run(run())
