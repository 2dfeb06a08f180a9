"""Price levels: the line between knots, and what is live of a stream by the three rules for its consumers."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from firmquote import BooksChanged, Disconnected, LevelBook, LevelsRequest
from firmquote.errors import Interrupted, InvalidResponse, NoAnswer
from firmquote.levels.session import LevelsSession
from firmquote.stream.sse import MAX_EVENT_BYTES, EventDecoder, EventTooLong
from firmquote.types.decode import decode, parse_json
from firmquote.types.levels import is_concave
from support.samples import BOOK, LEVELS_ID, hello, message
from support.stub import TestClock

OTHER_ID = "0" * 32


def book(**changes: Any) -> LevelBook:
    return decode(LevelBook, parse_json(json.dumps({**BOOK, **changes})))


class Stream:
    """A session with its clock, that messages are sent to."""

    def __init__(self) -> None:
        self.clock = TestClock()
        self.session = LevelsSession(LevelsRequest(1), self.clock, random.Random(1))
        self.number = 0
        self.session.opened("an-id")

    def send(self, kind: str, **members: Any) -> Any:
        self.number += 1
        text = hello(self.number, **members) if kind == "hello" else message(self.number, kind, **members)
        return self.session.receive(f"data: {text}\n\n".encode())

    def start(self) -> None:
        self.send("hello")
        self.send("book", **BOOK)
        self.send("snapshot_end", books=1)

    def ids(self) -> list[str]:
        return [each.levels_id for each in self.session.books()]


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (99, None),
        (100, 1000),
        (101, 1009),
        (150, 1499),
        (199, 1989),
        (200, 1999),
        (201, 2008),
        (300, 2900),
        (301, None),
    ],
)
def test_the_line_between_two_knots_is_rounded_down(given: int, output: int | None) -> None:
    assert book().output_for(given) == output


def test_the_line_is_exact_where_doubles_are_not() -> None:
    knots = [["1", "1"], [str(2**200 + 1), str(2**199)]]
    assert book(knots=knots).output_for(2**200) == 1 + (2**200 - 1) * (2**199 - 1) // 2**200


@pytest.mark.parametrize(
    ("knots", "expected"),
    [
        ([["1", "10"], ["2", "20"], ["3", "30"]], True),
        ([["1", "10"]], True),
        ([], False),
        ([["1", "10"], ["2", "19"], ["3", "29"]], False),
        ([["1", "10"], ["1", "11"]], False),
        ([["2", "10"], ["1", "9"]], False),
        ([["1", "10"], ["2", "10"]], False),
    ],
)
def test_a_book_whose_prices_rise_is_none(knots: Any, expected: bool) -> None:
    assert is_concave(book(knots=knots)) == expected


def test_a_book_ends_after_its_period_from_its_arrival() -> None:
    stream = Stream()
    stream.send("hello", server_time_ms=10_000)
    stream.send("book", **{**BOOK, "published_ms": 10_000, "valid_until_ms": 15_000})
    stream.clock.now += 4.999
    assert stream.ids() == [LEVELS_ID]
    stream.clock.now += 0.001
    assert stream.ids() == []
    assert stream.session.expire() == [BooksChanged()]
    assert stream.session.expire() == []


def test_a_book_that_waited_on_its_way_ends_by_the_clock_of_hello() -> None:
    stream = Stream()
    stream.send("hello", server_time_ms=10_000)
    stream.clock.now += 3
    stream.send("book", **{**BOOK, "published_ms": 10_000, "valid_until_ms": 15_000})
    stream.clock.now += 1.999
    assert stream.ids() == [LEVELS_ID]
    stream.clock.now += 0.001
    assert stream.ids() == []


def test_an_old_book_of_the_snapshot_ends_by_its_remaining_time() -> None:
    stream = Stream()
    stream.send("hello", server_time_ms=14_000)
    stream.send("book", **{**BOOK, "published_ms": 10_000, "valid_until_ms": 15_000})
    stream.clock.now += 1
    assert stream.ids() == []


def test_a_renewal_sets_the_times_of_the_books_it_names() -> None:
    stream = Stream()
    stream.start()
    stream.clock.now += 4
    stream.send("renew", levels_ids=[OTHER_ID], as_of_ms=14_000, published_ms=14_000, valid_until_ms=90_000)
    assert stream.session.seconds_to_expiry() == pytest.approx(1)
    stream.send("renew", levels_ids=[LEVELS_ID], as_of_ms=13_000, published_ms=14_000, valid_until_ms=19_000)
    assert stream.session.seconds_to_expiry() == pytest.approx(5)
    (live,) = stream.session.books()
    assert (live.as_of_ms, live.published_ms, live.valid_until_ms) == (13_000, 14_000, 19_000)


def test_a_renewal_does_not_bring_back_what_has_ended() -> None:
    stream = Stream()
    stream.start()
    stream.clock.now += 6
    stream.send("renew", levels_ids=[LEVELS_ID], as_of_ms=16_000, published_ms=16_000, valid_until_ms=90_000)
    assert stream.ids() == []


def test_a_book_replaces_the_one_of_its_pool_and_direction_as_a_whole() -> None:
    stream = Stream()
    stream.start()
    stream.send("book", **{**BOOK, "seq": 7, "levels_id": OTHER_ID})
    reverse = {"input_asset_symbol": "USDC", "output_asset_symbol": "ETH", "levels_id": "1" * 32}
    stream.send("book", **{**BOOK, **reverse})
    assert sorted(stream.ids()) == [OTHER_ID, "1" * 32]


def test_what_is_withdrawn_is_gone() -> None:
    stream = Stream()
    stream.start()
    assert stream.send("withdraw", levels_ids=[LEVELS_ID, OTHER_ID], reason="paused") == [BooksChanged()]
    assert stream.ids() == []


def test_a_gap_in_the_numbers_drops_everything() -> None:
    for jump in (1, 5, -1):
        stream = Stream()
        stream.start()
        stream.number += jump
        (change,) = stream.send("heartbeat", server_time_ms=1)
        assert isinstance(change, Disconnected)
        assert isinstance(change.cause, Interrupted)
        assert (stream.ids(), stream.session.is_complete) == ([], False)


def test_silence_of_15_seconds_drops_everything_and_a_heartbeat_prevents_it() -> None:
    stream = Stream()
    stream.start()
    stream.clock.now += 14
    assert stream.session.seconds_to_silence() == 1
    stream.send("heartbeat", server_time_ms=1)
    assert stream.session.seconds_to_silence() == 15
    stream.clock.now += 15
    # Bytes that complete no message do not count.
    change = stream.session.receive(b": comment\n")[-1]
    assert isinstance(change, Disconnected)
    assert isinstance(change.cause, NoAnswer)


def test_a_heartbeat_says_nothing_about_the_books() -> None:
    stream = Stream()
    stream.start()
    stream.clock.now += 4.9
    assert stream.send("heartbeat", server_time_ms=99_999) == []
    stream.clock.now += 0.1
    assert stream.ids() == []


def test_goodbye_names_the_pause() -> None:
    stream = Stream()
    stream.start()
    (change,) = stream.send("goodbye", reason="reloaded", reconnect_after_ms=500)
    assert isinstance(change, Disconnected)
    assert change.cause is None
    assert 0.5 <= change.retry_after <= 1.0
    assert stream.ids() == []


def test_pauses_double_from_failure_to_failure_until_all_books_arrived() -> None:
    stream = Stream()
    for longest in (0.25, 0.5, 1, 2, 4, 8, 10, 10):
        assert longest / 2 <= stream.session.finished().retry_after <= longest
    stream.start()
    assert stream.session.finished().retry_after <= 0.25


def test_messages_of_later_releases_count_and_mean_nothing() -> None:
    stream = Stream()
    stream.start()
    assert stream.send("novelty", anything=1) == []
    assert stream.send("heartbeat", server_time_ms=1) == []


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"n":1}',
        '{"type":"hello","n":"1"}',
        '{"type":"hello","n":1}',
        hello().replace("levels/1", "levels/2"),
        message(1, "book", **{**BOOK, "knots": [["1", "1"], ["2", "5"], ["3", "50"]]}),
        message(1, "renew", levels_ids=["x"], as_of_ms=1, published_ms=1, valid_until_ms=1),
    ],
)
def test_what_cannot_be_read_is_an_error(text: str) -> None:
    stream = Stream()
    with pytest.raises(InvalidResponse) as raised:
        stream.session.receive(f"data: {text}\n\n".encode())
    with pytest.raises(InvalidResponse):
        stream.session.ended(raised.value)


EVENTS = (
    "id: e-1\nevent: hello\ndata: one\n\n: comment\ndata:two\ndata: lines\nretry: 5\n\nevent: none\n\ndata: three\n\n"
)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_decoded_from_pieces_of_any_size(newline: str, size: int) -> None:
    content, decoder, found = EVENTS.replace("\n", newline).encode(), EventDecoder(), []
    for at in range(0, len(content), size):
        found += decoder.feed(content[at : at + size])
    assert found == ["one", "two\nlines", "three"]


def test_an_event_without_an_end_is_refused() -> None:
    for piece in (b"data: " + b"x" * 1000, b"data: " + b"x" * 1000 + b"\n"):
        decoder = EventDecoder()
        for _ in range(MAX_EVENT_BYTES // len(piece) - 1):
            decoder.feed(piece)
        with pytest.raises(EventTooLong):
            decoder.feed(piece * 3)
