"""`good_until` of a signature: the Unix second of expiry or, for a verified pool, that second packed with prices."""

from __future__ import annotations

from dataclasses import dataclass

MAX_PLAIN = 32_503_708_800
"""The contract treats a number above this one as packed."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What the contract of a verified pool checks a swap against."""

    input_price_e8: int
    """US dollars in steps of 1e-8."""
    output_price_e8: int
    """US dollars in steps of 1e-8."""
    k_e18: int
    """The pool constant in steps of 1e-18; 0 for a pool with `settlement = "price"`."""
    input_weight: int
    output_weight: int

    @property
    def is_void(self) -> bool:
        """Whether a zero among the prices and weights voids the check of the contract."""
        return 0 in (self.input_price_e8, self.output_price_e8, self.input_weight, self.output_weight)


@dataclass(frozen=True, slots=True)
class GoodUntil:
    """The parts of `good_until`."""

    expires_at: int
    """The last Unix second in which the swap is valid."""
    packed: Packed | None
    """`None` for a plain pool."""

    def to_word(self) -> int:
        """The number that is signed."""
        if self.packed is None:
            return self.expires_at
        parts = self.packed
        word = parts.input_price_e8 << 192 | parts.output_price_e8 << 128 | parts.k_e18 << 64
        return word | parts.input_weight << 48 | parts.output_weight << 32 | self.expires_at


def unpack(word: int) -> GoodUntil:
    """Takes a word apart, from the highest bit: two prices and k of 64 bits, two weights of 16, 32 for the second."""
    if word <= MAX_PLAIN:
        return GoodUntil(word, None)
    return GoodUntil(
        word & 0xFFFF_FFFF,
        Packed(
            input_price_e8=word >> 192,
            output_price_e8=word >> 128 & 0xFFFF_FFFF_FFFF_FFFF,
            k_e18=word >> 64 & 0xFFFF_FFFF_FFFF_FFFF,
            input_weight=word >> 48 & 0xFFFF,
            output_weight=word >> 32 & 0xFFFF,
        ),
    )
