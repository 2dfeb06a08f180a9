"""The kinds of values in responses: Python types with the form that each has in JSON.

`Annotated` carries the form, so that a type checker sees a plain `int`, `str` or `Decimal`, and the decoder sees how
the value is written. No value passes through a float: amounts are decimal digits in a string, and numbers with a
fraction are read from their digits into `Decimal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

JsonObject = dict[str, object]
"""A JSON object whose numbers are `int` or `Decimal`."""

MAX_WORD = 2**256 - 1
"""The largest number that a contract can hold."""


@dataclass(frozen=True)
class Digits:
    """An integer that JSON holds as a string of decimal digits, from `minimum` to 2^256 - 1."""

    minimum: int


@dataclass(frozen=True)
class DecimalText:
    """A decimal number of zero or more that JSON holds as a string."""


@dataclass(frozen=True)
class Text:
    """A string that matches `pattern` as a whole."""

    pattern: str
    meaning: str


Amount = Annotated[int, Digits(1)]
"""Base units of a token, 1 or more."""

BaseUnits = Annotated[int, Digits(0)]
"""Base units of a token, 0 or more."""

Word = Annotated[int, Digits(1)]
"""A number of up to 256 bits, as the contract reads it."""

Address = Annotated[str, Text(r"0x[0-9a-fA-F]{40}", "an address")]
"""20 bytes of hex with `0x`; the service writes the EIP-55 checksum, which is not checked here."""

Bytes32 = Annotated[str, Text(r"0x[0-9a-fA-F]{64}", "32 bytes of hex")]
"""32 bytes of hex with `0x`."""

HexBytes = Annotated[str, Text(r"0x([0-9a-fA-F]{2})+", "bytes of hex")]
"""One or more bytes of hex with `0x`."""

QuoteId = Annotated[str, Text(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "the id of a quote")]
"""The id of a quote, a UUID."""

StateId = Annotated[str, Text(r"[0-9a-f]{32}", "the id of a state")]
"""The id of what a quote was computed with, 16 bytes of hex."""

LevelsId = Annotated[str, Text(r"[0-9a-f]{32}", "the id of levels")]
"""The id of price levels, 16 bytes of hex."""

Number = Decimal
"""A JSON number, exactly as its digits say."""

DecimalString = Annotated[Decimal, DecimalText()]
"""A decimal number that JSON holds as a string."""
