"""Checks what the service says, independently: quotes by the formula, signatures, and calldata.

`check_quote` recomputes a quote to the base unit with the standard library alone. `check_signature` and
`check_calldata` need the extra: `pip install firmquote-client[verify]`. `check_swap` does all three. Each returns a
`Report` of named checks; none sends anything.
"""

from firmquote.types.good_until import GoodUntil, Packed, unpack

from .calldata import SwapCall, check_calldata, decode_calldata, function_for
from .checks import Check, Outcome, Report, VerificationFailed
from .fee import FeeTerms
from .formula import Curve, NoSolution, Side, Undecided, input_for, output_for
from .offer import Offer, offered_input, offered_output
from .quote import MissingData, check_quote, offer_of
from .signature import check_signature, recover_signer, settlement_price_e8
from .swap import check_swap

__all__ = [
    "Check",
    "Curve",
    "FeeTerms",
    "GoodUntil",
    "MissingData",
    "NoSolution",
    "Offer",
    "Outcome",
    "Packed",
    "Report",
    "Side",
    "SwapCall",
    "Undecided",
    "VerificationFailed",
    "check_calldata",
    "check_quote",
    "check_signature",
    "check_swap",
    "decode_calldata",
    "function_for",
    "input_for",
    "offer_of",
    "offered_input",
    "offered_output",
    "output_for",
    "recover_signer",
    "settlement_price_e8",
    "unpack",
]
