"""The swap of the README, as it stands there, against a running service and a node that executes nothing."""

from __future__ import annotations

import os
import subprocess
import sys

from eth_account import Account

from firmquote import Client, PoolRequest
from firmquote.verify import decode_calldata
from service.environment import key_settings
from service.node import StubNode
from service.test_operations import trade
from support.readme import swap_block

KEY = "0x" + "4c" * 32


def run_swap(node: StubNode, signer: str) -> subprocess.CompletedProcess[str]:
    _, request = trade(key_settings())
    environment = {
        **os.environ,
        "NODE_URL": node.url,
        "PRIVATE_KEY": KEY,
        "POOL_SIGNER": signer,
        "INPUT_SYMBOL": request.input_asset_symbol,
        "OUTPUT_SYMBOL": request.output_asset_symbol,
        "INPUT_AMOUNT": str(request.input_amount),
    }
    return subprocess.run(
        [sys.executable, "-c", swap_block()], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_swap_of_the_readme_approves_and_swaps() -> None:
    record, request = trade(key_settings())
    taker = Account.from_key(KEY).address
    with StubNode(request.chain_id) as node:
        done = run_swap(node, record.pool.signer_address)
        assert done.returncode == 0, done.stderr
        approval, swap = node.sent
    token = next(asset.address for asset in record.assets if asset.name == request.input_asset_symbol)
    call = decode_calldata(swap.data)
    assert (approval.sender, approval.to) == (taker, token.lower())
    assert approval.data.startswith("0x095ea7b3")
    assert int(approval.data[-64:], 16) == request.input_amount
    assert (swap.to, swap.value) == (record.pool.address.lower(), 0)
    assert (call.function, call.destination_address, call.input_amount) == (
        "transmitAndSwap",
        taker.lower(),
        request.input_amount,
    )
    assert done.stdout.startswith(f"{call.output_amount} for {call.input_amount} in 0x")


def test_with_another_signer_nothing_is_sent() -> None:
    with Client(key_settings()) as client:
        chain_id = client.chains().chains[0].chain_id
        pool = client.pools(PoolRequest(chain_id)).pools[0].pool.address
    with StubNode(chain_id) as node:
        done = run_swap(node, pool)
        assert done.returncode != 0
        assert "VerificationFailed: signer" in done.stderr
        assert node.sent == []
