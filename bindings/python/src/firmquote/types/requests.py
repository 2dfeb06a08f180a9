"""The parameters of requests. Each becomes the query or the body of an operation; `None` is the service's default.

Nothing is sent that is not set, so a default of the service stays a default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """A request for a quote of a fixed input or of a fixed output.

    Raises:
        ValueError: neither amount is set, or both are.
    """

    chain_id: int
    """EIP-155 chain id."""
    input_asset_symbol: str
    """The asset to pay, by its name in the pool data; case-sensitive."""
    output_asset_symbol: str
    """The asset to receive, by its name in the pool data."""
    input_amount: int | None = None
    """The exact input in base units; the output is rounded down."""
    output_amount: int | None = None
    """The exact output in base units; the input is rounded up."""
    time_in_seconds: int | None = None
    """Seconds from the last moment to sign until the swap is on chain; a longer time costs a little."""
    pool_address: str | None = None
    """One pool instead of the one with the best price. Needs version 2."""
    levels_id: str | None = None
    """The firm levels that the quote has to keep to. Needs version 2."""

    def __post_init__(self) -> None:
        if (self.input_amount is None) == (self.output_amount is None):
            raise ValueError("exactly one of input_amount and output_amount is required")


@dataclass(frozen=True, slots=True)
class SwapTerms:
    """The terms that a quote is signed for. The first terms are the only ones; `calldata` is not one of them.

    Raises:
        ValueError: both sides are native coin.
    """

    destination_address: str
    """The account that receives the output."""
    sender_address: str | None = None
    """The account that the input comes from; the destination by default."""
    aux_data: str | None = None
    """32 bytes of hex that the swap event repeats; the service's name by default."""
    native_input: bool = False
    """Whether the input is the chain's native coin."""
    native_output: bool = False
    """Whether the output is the chain's native coin."""
    transmit: bool = False
    """Whether the call pulls the input from its caller, which needs an allowance. Set it for a plain wallet."""
    guarantee: bool = False
    """Whether the swap has to be guaranteed to execute; refused where it cannot be."""
    calldata: bool = False
    """Whether the response contains the encoded call."""

    def __post_init__(self) -> None:
        if self.native_input and self.native_output:
            raise ValueError("native_input and native_output exclude each other")


@dataclass(frozen=True, slots=True)
class PoolRequest:
    """Selects the pools to return data for."""

    chain_id: int
    """EIP-155 chain id."""
    pool_address: str | None = None
    """One pool instead of all. Needs version 2; version 1 returns the chain's default pool."""
    time_in_seconds: int | None = None
    """The validity that the fees are for; each pool's default if absent."""
    state_id: str | None = None
    """The state of a quote of the last minute instead of the current one. Needs version 2."""


@dataclass(frozen=True, slots=True)
class QuoteGridRequest:
    """A request for what quotes of many sizes would be. Needs version 2."""

    chain_id: int
    """EIP-155 chain id."""
    input_asset_symbol: str
    output_asset_symbol: str
    amounts: Sequence[int]
    """The inputs in base units, 1 to 32."""
    times: Sequence[int] = ()
    """Values of `time_in_seconds`, at most 8; the pool's default if there is none."""
    pool_address: str | None = None
    """The pool, instead of the one that serves most of the sizes."""


@dataclass(frozen=True, slots=True)
class SwapsRequest:
    """A request for signed swaps of the client; all of them by default. Needs version 2."""

    since: int | None = None
    """Only swaps that were signed in this Unix second or later."""
    until: int | None = None
    """Only swaps that were signed before this Unix second."""
    cursor: str | None = None
    """The `next_cursor` of the page before."""
    limit: int | None = None
    """The most swaps of a page, 1 to 100; 100 by default."""


@dataclass(frozen=True, slots=True)
class LevelsRequest:
    """A request for price levels or for the stream of them. Needs version 2."""

    chain_id: int
    """EIP-155 chain id."""
    pairs: Sequence[tuple[str, str]] = ()
    """Input and output of each book; all pairs in both directions if there is none."""
    pool_address: str | None = None
    """One pool instead of all of the chain."""
    time_in_seconds: int | None = None
    """The validity that the fee in the levels is for; the pool's default if absent."""
    knots: int | None = None
    """The most knots of a book, 2 to 64; 16 if absent."""
    format: str | None = None
    """`cumulative` for knots, the default, or `incremental` for bands."""
