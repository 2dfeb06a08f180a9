"""The clocks of a client, in one place so that a test can stand in for them."""

from __future__ import annotations

import asyncio
import threading
import time


class Clock:
    """The clocks of this machine."""

    def monotonic(self) -> float:
        """Seconds since some instant, never set."""
        return time.monotonic()

    def unix(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Blocks the thread."""
        time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Blocks the thread until `event` is set, at most for `seconds`; whether it is set."""
        return event.wait(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Suspends the task."""
        await asyncio.sleep(seconds)
