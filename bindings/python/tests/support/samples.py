"""Responses of the service, as JSON values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"
ETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
POOL = "0x655eDCE464CC797526600a462A8154650EEe4B77"
SIGNER = "0xBce21856aE24dBB4fb92306ef4EFe7406a3f1191"
TAKER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
QUOTE_ID = "bdb2784e-107b-4dab-a125-b6f62540d958"
STATE_ID = "35f625ec3a875e5a030fc3a785396199"
LEVELS_ID = "6e51c3a9e7c94e04a1ce2a3ba1a6ab71"

PRICED: dict[str, Any] = {
    "id": QUOTE_ID,
    "created_at": 1_795_223_030,
    "input_value_in_usd": 2080.527,
    "output_value_in_usd": 2078.539413,
    "rate": 2078.539413,
    "pool_address": POOL,
    "state_id": STATE_ID,
    "fee_in_basis_points": 8.63,
    "largest_trade_in_usd": 197868.24964244,
}

SWAPPED: dict[str, Any] = {
    "chain_id": 1,
    "input_asset_address": ETH,
    "input_amount": "1000000000000000000",
    "output_asset_address": USDC,
    "output_amount": "2078539413",
}

QUOTE: dict[str, Any] = {
    **PRICED,
    **SWAPPED,
    "must_accept_by": "2026-11-21 01:04:02.704406+00:00",
    "good_until": 1_795_223_102,
}

SIGNED: dict[str, Any] = {
    **SWAPPED,
    "good_until": "1305967964221884476954132374366490859220409286614282592359675628416574",
    "expires_at": 1_795_223_102,
    "destination_address": TAKER,
    "signature": {"v": 28, "r": "0x" + "1a" * 32, "s": "0x" + "2b" * 32},
    "service_exchange_address": POOL,
    "execution": "best_effort",
}

STATUS: dict[str, Any] = {
    "quote_id": QUOTE_ID,
    "state": "settled",
    "chain_id": 1,
    "pool_address": POOL,
    "created_at": 1_795_223_030,
    "must_accept_by": "2026-11-21 01:04:02.704406+00:00",
    "good_until": 1_795_223_102,
    "signed_at": "2026-11-21 01:03:55.120000+00:00",
    "execution": "guaranteed",
    "settled": {
        "transaction_hash": "0x" + "5c" * 32,
        "log_index": 12,
        "block_number": 21_000_000,
        "block_timestamp": 1_795_223_043,
        "confirmations": None,
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
    },
}

BOOK: dict[str, Any] = {
    "seq": 1,
    "levels_id": LEVELS_ID,
    "state_id": STATE_ID,
    "pool_address": POOL,
    "input_asset_symbol": "ETH",
    "input_asset_address": ETH,
    "input_asset_decimals": 18,
    "output_asset_symbol": "USDC",
    "output_asset_address": USDC,
    "output_asset_decimals": 6,
    "as_of_ms": 10_000,
    "published_ms": 10_000,
    "valid_until_ms": 15_000,
    "time_in_seconds": 60,
    "fee_in_basis_points": 8.63,
    "firm": False,
    "certain": True,
    "firm_budget_input": None,
    "minimum_input": "100",
    "maximum_input": "300",
    "max_shortfall_bps": 29.98,
    "semantics": "cumulative_input_output_floor",
    "knots": [["100", "1000"], ["200", "1999"], ["300", "2900"]],
}

GRID: dict[str, Any] = {
    "chain_id": 1,
    "pool_address": POOL,
    "state_id": STATE_ID,
    "input_asset_address": ETH,
    "output_asset_address": USDC,
    "input_amounts": ["1000000000000000000", "1"],
    "rows": [{"time_in_seconds": 15, "fee_in_basis_points": 7.23, "output_amounts": ["2078830598", None]}],
}

_HEAD: dict[str, Any] = {
    "chain_id": 1,
    "address": POOL,
    "signer_address": SIGNER,
    "eip712_domain": {"name": "ClipperDirect", "version": "1.0.0", "chainId": 1, "verifyingContract": POOL},
    "state_id": STATE_ID,
    "block_number": 21_000_000,
    "block_timestamp": 1_795_223_029,
    "num_assets": 2,
    "swaps_enabled": True,
    "largest_trade_in_usd": None,
}


def _asset(name: str, address: str, decimals: int, price: str, balance: str, weight: int) -> dict[str, Any]:
    return {
        "name": name,
        "address": address,
        "decimals": decimals,
        "price_in_usd": float(price),
        "outstanding_inflow": "0",
        "outstanding_outflow": "0",
        "balance": balance,
        "value_in_usd": 992157.3107812497,
        "target_value_in_usd": None,
        "listing_weight": weight,
    }


RECORD: dict[str, Any] = {
    "pool": {
        **_HEAD,
        "pool_tokens": 1.3792871898369242e24,
        "value_in_usd": None,
        "k": 0.06,
        "max_improvement_bps": 100,
        "time_in_seconds": 60,
        "default_time_in_seconds": 60,
    },
    "assets": [
        _asset("ETH", ETH, 18, "2080.527", "476877882758190421102", 79),
        _asset("USDC", USDC, 6, "1", "417751254142", 188),
    ],
    "pairs": [{"assets": ["ETH", "USDC"], "fee_in_basis_points": 8.63}],
}

POOLS: dict[str, Any] = {"pool_type": "all", "pools": [RECORD]}
POOL_V1: dict[str, Any] = {"pool_type": "all", **RECORD}


def message(number: int, kind: str, **members: Any) -> str:
    """A message of a stream of levels."""
    return json.dumps({"type": kind, "n": number, **members})


def hello(number: int = 1, server_time_ms: int = 10_000) -> str:
    """The first message of a stream."""
    return message(
        number,
        "hello",
        protocol="firmquote-levels/1",
        epoch="3b523998",
        server_time_ms=server_time_ms,
        chain_id=1,
        heartbeat_ms=5000,
        min_interval_ms=100,
    )
