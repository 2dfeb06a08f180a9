"""Server-Sent Events: bytes in any pieces become the data of events."""

from __future__ import annotations

MAX_EVENT_BYTES = 1 << 16
"""The longest event, several times a book of 64 knots."""


class EventTooLong(ValueError):
    """An event beyond `MAX_EVENT_BYTES`."""


class EventDecoder:
    """Decodes one stream. Only `data` matters: the messages carry their own type and number."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._after_carriage_return = False

    def feed(self, chunk: bytes) -> list[str]:
        """Returns the data of the events that `chunk` completes.

        Lines end with a line feed, a carriage return, or both; an empty line ends an event; an event without data is
        none.

        Raises:
            EventTooLong: an event is longer than `MAX_EVENT_BYTES`.
        """
        if self._after_carriage_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        if chunk:
            self._after_carriage_return = chunk.endswith(b"\r")
        events = []
        lines = (bytes(self._line) + chunk).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._line[:] = lines.pop()
        for line in lines:
            if line:
                self._take(line)
            elif (event := self._end()) is not None:
                events.append(event)
        if self._size + len(self._line) > MAX_EVENT_BYTES:
            raise EventTooLong("an event is too long")
        return events

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value[1:] if value.startswith(b" ") else value)
            self._size += len(value)
        if self._size > MAX_EVENT_BYTES:
            raise EventTooLong("an event is too long")

    def _end(self) -> str | None:
        data, self._data, self._size = self._data, [], 0
        return b"\n".join(data).decode("utf-8", "replace") if data else None
