"""Following events of a client's own quotes over real connections, with both clients."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from firmquote import AsyncClient, Client, Disconnected, EventsReset, QuoteEvent, UpToDate
from firmquote.errors import Forbidden, InvalidResponse
from firmquote.events.session import EventsSession
from support.stub import KINDS, Answer, Stub, TestClock, json_answer

FORBIDDEN = json_answer({"errorMessage": "Access is forbidden", "errorType": "Forbidden"}, 403)
SETTLED = {
    "transaction_hash": "0x" + "ab" * 32,
    "log_index": 12,
    "block_number": 7,
    "block_timestamp": 1_697_235_863,
    "confirmations": None,
    "input_amount": "100",
    "output_amount": "99",
}


def notice(kind: str, cursor: str) -> str:
    return json.dumps({"event": kind, "id": cursor})


def quote_event(kind: str, cursor: str) -> str:
    return json.dumps(
        {
            "event": kind,
            "id": cursor,
            "quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
            "chain_id": 1,
            "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
            "recorded_at": "2023-10-13 22:24:08.933560+00:00",
            "settled": SETTLED if kind == "settled" else None,
            "of_a_later_release": [1],
        }
    )


def follow(kind: str, stub: Stub, count: int, after: str | None = None) -> list[Any]:
    """The first changes that a follower sees."""
    seen: list[Any] = []

    def block() -> None:
        with Client(stub.settings(), clock=TestClock()) as client, client.follow_events(1, after) as events:
            for change in events:
                seen.append(change)
                if len(seen) == count:
                    events.close()

    async def run() -> None:
        async with (
            AsyncClient(stub.settings(), clock=TestClock()) as client,
            client.follow_events(1, after) as events,
        ):
            async for change in events:
                seen.append(change)
                if len(seen) == count:
                    await events.close()

    block() if kind == "blocking" else asyncio.run(run())
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_each_connection_continues_after_the_last_event_of_the_one_before(kind: str) -> None:
    connections = (
        (notice("heartbeat", "a"), quote_event("signed", "b"), notice("of_a_later_release", "c")),
        (quote_event("settled", "d"), notice("heartbeat", "e"), notice("heartbeat", "f")),
        (notice("reset", "g"), notice("heartbeat", "h"), quote_event("reorged", "i")),
    )
    with Stub(*(Answer(events=events) for events in connections)) as stub:
        seen = follow(kind, stub, 9, after="start")
    types = [UpToDate, QuoteEvent, Disconnected, QuoteEvent, UpToDate, Disconnected, EventsReset, UpToDate, QuoteEvent]
    assert [type(change) for change in seen] == types
    events = [change for change in seen if isinstance(change, QuoteEvent)]
    assert [event.event for event in events] == ["signed", "settled", "reorged"]
    assert events[1].settled is not None
    assert events[1].settled.output_amount == 99
    assert [received.path for received in stub.received] == [
        f"/rfq/v2/events/1?last_event_id={cursor}" for cursor in ("start", "b", "f")
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_that_no_other_connection_mends_ends_the_stream(kind: str) -> None:
    with Stub(FORBIDDEN) as stub, pytest.raises(Forbidden):
        follow(kind, stub, 1)


def session() -> EventsSession:
    made = EventsSession(1, "start", TestClock(), random.Random(1))
    made.opened("an-id")
    return made


def test_the_cursor_is_that_of_the_changes_that_were_returned() -> None:
    stream = session()
    chunk = "".join(f"data: {quote_event('signed', cursor)}\n\n" for cursor in "abc")
    changes = stream.receive(chunk.encode())
    assert stream.last_event_id == "start"
    stream.returned(changes[0])
    assert stream.last_event_id == "a"
    stream.receive(f"data: {notice('heartbeat', 'd')}\n\n".encode())
    assert stream.last_event_id == "a"
    stream.drained()
    assert stream.last_event_id == "d"


def test_events_before_an_unreadable_one_are_returned_first() -> None:
    stream = session()
    changes = stream.receive(f"data: {quote_event('signed', 'a')}\n\ndata: x\n\n".encode())
    assert [type(change) for change in changes] == [QuoteEvent]
    with pytest.raises(InvalidResponse):
        stream.receive(b": more\n\n")
