"""Whether a response is one to its request. A signed swap is sent to the chain unchanged, so nothing else may pass.

Each function returns what is wrong, or `None`.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmquote.types.good_until import unpack
from firmquote.types.priced import Priced
from firmquote.types.requests import PoolRequest, QuoteGridRequest, QuoteRequest, SwapTerms
from firmquote.types.responses import (
    OffchainData,
    OffchainPool,
    OnchainData,
    Pool,
    PoolData,
    Quote,
    QuotedSwap,
    QuoteGrid,
    QuoteStatus,
    SignedSwap,
)


def quote_answers(request: QuoteRequest, quote: Quote) -> str | None:
    """Checks chain, amount, pool and levels of a quote."""
    return _swapped_answers(request, quote, quote.pool_address)


def swap_answers(request: QuoteRequest, swap: QuotedSwap) -> str | None:
    """Checks chain, amount, pool and levels of a swap that was quoted and signed at once."""
    return _swapped_answers(request, swap, swap.service_exchange_address)


def swap_has_terms(terms: SwapTerms, swap: SignedSwap | QuotedSwap) -> str | None:
    """Checks that a swap is signed for `terms`, as far as the response shows."""
    if not _is_same_hex(swap.destination_address, terms.destination_address):
        return "it pays to another destination"
    if swap.expires_at != unpack(swap.good_until).expires_at:
        return "its expires_at is not that of good_until"
    if (swap.calldata is not None) != terms.calldata:
        return "it has calldata that was not requested, or lacks what was"
    return None


def swap_is_quoted(quote: Quote, swap: SignedSwap) -> str | None:
    """Checks that a swap is what was quoted: chain, tokens, amounts, expiry and pool."""
    quoted = (quote.chain_id, quote.input_amount, quote.output_amount, quote.good_until)
    signed = (swap.chain_id, swap.input_amount, swap.output_amount, swap.expires_at)
    is_same = (
        quoted == signed
        and _is_same_hex(quote.input_asset_address, swap.input_asset_address)
        and _is_same_hex(quote.output_asset_address, swap.output_asset_address)
        and _is_same_hex(quote.pool_address, swap.service_exchange_address)
    )
    return None if is_same else "the swap differs from the quote"


def fresh_quote_replaces(quote: Quote, fresh: Quote) -> str | None:
    """Checks that `fresh` is for the swap of `quote`, with one of its amounts: a quote does not say which was fixed."""
    is_same_swap = (
        quote.chain_id == fresh.chain_id
        and _is_same_hex(quote.pool_address, fresh.pool_address)
        and _is_same_hex(quote.input_asset_address, fresh.input_asset_address)
        and _is_same_hex(quote.output_asset_address, fresh.output_asset_address)
    )
    if not is_same_swap:
        return "it is for another swap"
    is_same_amount = quote.input_amount == fresh.input_amount or quote.output_amount == fresh.output_amount
    return None if is_same_amount else "it is for another amount"


def status_is_of(quote_id: str, status: QuoteStatus) -> str | None:
    """Checks that a status is of this quote."""
    return None if _is_same_hex(status.quote_id, quote_id) else "it is for a different quote"


def grid_answers(request: QuoteGridRequest, grid: QuoteGrid) -> str | None:
    """Checks chain, pool, inputs and times of a grid."""
    times = [row.time_in_seconds for row in grid.rows]
    is_same = (
        grid.chain_id == request.chain_id
        and (request.pool_address is None or _is_same_hex(grid.pool_address, request.pool_address))
        and grid.input_amounts == tuple(request.amounts)
        and (times == list(request.times) if request.times else len(times) == 1)
        and all(len(row.output_amounts) == len(request.amounts) for row in grid.rows)
    )
    return None if is_same else "it does not match the request"


def pools_answer(request: PoolRequest, records: Sequence[OnchainData | OffchainData | PoolData]) -> str | None:
    """Checks chain, pool, state and time of pool data, as far as they have them: on-chain data have no time.

    There is at least one pool: the service refuses a chain without any.
    """
    if len(records) != 1 and (request.pool_address is not None or request.state_id is not None):
        return "expected exactly one pool"
    if not records:
        return "it has no pool"
    for pool in (record.pool for record in records):
        if pool.chain_id != request.chain_id:
            return "chain_id differs from the request"
        if request.pool_address is not None and not _is_same_hex(pool.address, request.pool_address):
            return "pool_address differs from the request"
        if request.state_id is not None and not _is_same_hex(pool.state_id, request.state_id):
            return "state_id differs from the request"
        time = pool.time_in_seconds if isinstance(pool, OffchainPool | Pool) else request.time_in_seconds
        if request.time_in_seconds is not None and time != request.time_in_seconds:
            return "time_in_seconds differs from the request"
    return None


def _swapped_answers(request: QuoteRequest, swapped: Priced, pool_address: str) -> str | None:
    if swapped.chain_id != request.chain_id:
        return "chain_id differs from the request"
    if swapped.input_amount != request.input_amount and swapped.output_amount != request.output_amount:
        return "it is for another amount"
    if (swapped.levels_id or "").lower() != (request.levels_id or "").lower():
        return "levels_id differs from the request"
    if request.pool_address is not None and not _is_same_hex(pool_address, request.pool_address):
        return "pool_address differs from the request"
    return None


def _is_same_hex(one: str, other: str) -> bool:
    return one.lower() == other.lower()
