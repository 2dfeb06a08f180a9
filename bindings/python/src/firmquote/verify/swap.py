"""Checks a swap from the request to the calldata."""

from __future__ import annotations

from firmquote.types.priced import Priced
from firmquote.types.requests import QuoteRequest, SwapTerms
from firmquote.types.responses import LevelBook, PoolData, QuotedSwap, SignedSwap, SigningDomain
from firmquote.verify.calldata import check_calldata
from firmquote.verify.checks import Report, compare
from firmquote.verify.fee import FeeTerms
from firmquote.verify.quote import check_quote
from firmquote.verify.signature import check_signature


def check_swap(
    request: QuoteRequest,
    quote: Priced,
    terms: SwapTerms,
    swap: SignedSwap,
    record: PoolData,
    *,
    signer: str,
    domain: SigningDomain | None = None,
    wrapped_native_address: str | None = None,
    verified: bool | None = None,
    fee_terms: FeeTerms | None = None,
    book: LevelBook | None = None,
) -> Report:
    """Checks all of a signed swap: the quote, the signed terms, the signature and the calldata.

    Args:
        request: what was requested.
        quote: what was quoted; a swap that was quoted and signed at once is its own quote.
        terms: the terms that were asked for.
        swap: what was signed.
        record: `pools` of the quote's `state_id`, both sets of data.
        signer: the account that the contract accepts, learned independently of the service.
        domain: the EIP-712 domain, learned independently; that of the pool data by default.
        wrapped_native_address: as in `check_calldata`.
        verified: as in `check_quote` and `check_signature`.
        fee_terms: as in `check_quote`.
        book: as in `check_quote`.

    The checks are those of `check_quote`, `signed ...` for every term of the quote and the destination, and those of
    `check_signature` and `check_calldata`. Nothing is compared with the clock of this machine.
    """
    signed = [
        compare("signed chain", swap.chain_id, quote.chain_id),
        compare("signed input token", swap.input_asset_address, quote.input_asset_address),
        compare("signed output token", swap.output_asset_address, quote.output_asset_address),
        compare("signed input_amount", swap.input_amount, quote.input_amount),
        compare("signed output_amount", swap.output_amount, quote.output_amount),
        compare("signed destination", swap.destination_address, terms.destination_address),
        compare("signed pool", swap.service_exchange_address, quote.pool_address),
    ]
    expiry = quote.expires_at if isinstance(quote, QuotedSwap) else getattr(quote, "good_until", None)
    signed.append(compare("signed expiry", swap.expires_at, expiry))
    return (
        check_quote(request, quote, record, verified=verified, fee_terms=fee_terms, book=book)
        + Report(tuple(signed))
        + check_signature(
            swap, signer=signer, domain=domain or record.pool.eip712_domain, record=record, verified=verified
        )
        + check_calldata(swap, terms, wrapped_native_address=wrapped_native_address)
    )
