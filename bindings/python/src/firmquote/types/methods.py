"""The methods of responses, whose members are generated."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING

from .levels import output_for

if TYPE_CHECKING:
    from .responses import SignedSwap


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction that executes a swap, to be sent unchanged."""

    to: str
    """The pool contract."""
    value: int
    """Wei to send along: the input if it is native coin, otherwise 0. Any excess would stay in the pool."""
    data: str
    """The calldata, hex with `0x`."""


class QuoteMethods:
    """The methods of a quote."""

    __slots__ = ()
    must_accept_by: datetime
    good_until: int

    @property
    def time_in_seconds(self) -> int:
        """The validity that the quote was priced for, in seconds after `must_accept_by`."""
        return self.good_until - int(self.must_accept_by.timestamp())


class SignedSwapMethods:
    """The methods of a signed swap."""

    __slots__ = ()
    input_amount: int
    service_exchange_address: str
    calldata: str | None

    def transaction(self, *, native_input: bool = False) -> Transaction:
        """Returns the transaction that executes the swap.

        Args:
            native_input: whether the swap was signed with `SwapTerms.native_input`; the response does not say.

        Raises:
            ValueError: no calldata was requested.
        """
        if self.calldata is None:
            raise ValueError("the swap has no calldata: sign it with calldata=True")
        value = self.input_amount if native_input else 0
        return Transaction(self.service_exchange_address, value, self.calldata)


class QuotedSwapMethods:
    """The methods of a swap that was quoted and signed in one step."""

    __slots__ = ()

    @property
    def swap(self) -> SignedSwap:
        """The signed swap without its quote."""
        from .responses import SignedSwap

        return SignedSwap(**{member.name: getattr(self, member.name) for member in fields(SignedSwap)})


class LevelBookMethods:
    """The methods of a book of levels."""

    __slots__ = ()
    pool_address: str
    input_asset_symbol: str
    output_asset_symbol: str
    knots: tuple[tuple[int, int], ...] | None

    @property
    def key(self) -> tuple[str, str, str]:
        """Pool, input and output: a later book with the same key replaces this one."""
        return (self.pool_address, self.input_asset_symbol, self.output_asset_symbol)

    def output_for(self, input_amount: int) -> int | None:
        """Returns what a quote for `input_amount` base units gives at least; see `output_for`."""
        return output_for(self, input_amount)
