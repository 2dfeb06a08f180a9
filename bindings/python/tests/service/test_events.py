"""Following the events of a client's own quotes at a running service."""

from __future__ import annotations

from firmquote import Client, EventsReset, QuoteEvent, QuoteEvents, SwapTerms, UpToDate
from service.environment import key_settings
from service.test_operations import TAKER, trade


def first_event(events: QuoteEvents) -> QuoteEvent:
    for change in events:
        assert not isinstance(change, EventsReset)
        if isinstance(change, QuoteEvent):
            return change
    raise AssertionError("the stream ended")


def test_a_client_is_told_of_its_signatures_and_continues_after_any_event() -> None:
    settings = key_settings()
    record, request = trade(settings)
    chain = record.pool.chain_id
    with Client(settings) as client, client.follow_events(chain) as events:
        assert isinstance(events.changed(), UpToDate)
        start = events.last_event_id
        quote = client.quote(request)
        client.sign_quote(quote, SwapTerms(TAKER))
        event = first_event(events)
        assert (event.event, event.quote_id, event.settled) == ("signed", quote.id, None)
        with client.follow_events(chain, start) as again:
            assert first_event(again).quote_id == quote.id
