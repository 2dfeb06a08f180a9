"""Follows price levels."""

from __future__ import annotations

from firmquote.levels.session import BooksChanged, LevelsSession
from firmquote.stream.async_follower import AsyncFollower
from firmquote.stream.follower import Follower
from firmquote.types.responses import LevelBook


class Levels(Follower[BooksChanged]):
    """Books of price levels that are live, followed over one connection after another.

    Iterate over it, in a thread of its own if need be, and look at `books()` from wherever. What expires or is
    withdrawn disappears by itself, and so does everything when the connection ends, falls silent or loses a message;
    the next connection begins with all books.
    """

    _session: LevelsSession

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment. Any thread may call this."""
        return self._session.books()

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._session.is_complete


class AsyncLevels(AsyncFollower[BooksChanged]):
    """Books of price levels that are live, followed over one connection after another.

    Iterate over it in a task, and look at `books()` from wherever in the event loop. What expires or is withdrawn
    disappears by itself, and so does everything when the connection ends, falls silent or loses a message; the next
    connection begins with all books.
    """

    _session: LevelsSession

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment."""
        return self._session.books()

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._session.is_complete
