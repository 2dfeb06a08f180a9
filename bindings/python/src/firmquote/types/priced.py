"""Responses with a price."""

from __future__ import annotations

from .responses import Quote, QuotedSwap

Priced = Quote | QuotedSwap
"""A quote, signed or not: its amounts, its price, and what the price was computed with."""
