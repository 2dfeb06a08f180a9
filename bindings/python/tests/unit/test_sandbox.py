"""The checklist of a sandbox ends, whatever becomes of its swaps."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from firmquote import Client
from service import sandbox


def test_a_swap_that_lapsed_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    states: Iterator[str] = iter(["signed", "lapsed"])
    client = SimpleNamespace(
        settings=SimpleNamespace(base_url="http://127.0.0.1"),
        quote=lambda request: SimpleNamespace(id="id"),
        quote_status=lambda quote_id: SimpleNamespace(state=next(states)),
    )
    monkeypatch.setenv("FIRMQUOTE_API_KEY", "an-api-key-of-tests")
    monkeypatch.setattr(sandbox, "time", SimpleNamespace(sleep=lambda seconds: None))
    taker: Any = sandbox.Taker(cast(Client, client))
    taker.verified, taker.send = lambda quote: None, lambda swap: None
    with taker.sandbox, pytest.raises(AssertionError, match="lapsed"):
        taker.swap()
