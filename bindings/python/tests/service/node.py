"""A node that executes nothing: it takes transactions, and says that they succeeded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from eth_account import Account
from hexbytes import HexBytes
from rlp import decode

from support.stub import Answer, Received, Stub


@dataclass(frozen=True)
class Sent:
    """A transaction that was sent."""

    sender: str
    to: str
    value: int
    data: str


class StubNode(Stub):
    """A node of one chain for one account."""

    def __init__(self, chain_id: int) -> None:
        self.sent: list[Sent] = []
        self._chain_id = chain_id
        self._polls = 0
        super().__init__(Answer())

    def respond(self, received: Received) -> Answer:
        """Answers a call."""
        call = json.loads(received.body)
        return Answer(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": self._result(call)}))

    def _result(self, call: dict[str, Any]) -> Any:
        method, params = call["method"], call["params"]
        if method == "eth_sendRawTransaction":
            self.sent.append(_read(HexBytes(params[0])))
            return f"0x{len(self.sent):064x}"
        if method == "eth_getTransactionReceipt":
            # The first time, the block is not there yet.
            self._polls += 1
            return {"status": "0x1", "transactionHash": params[0]} if self._polls % 2 == 0 else None
        numbers = {
            "eth_chainId": self._chain_id,
            "eth_estimateGas": 100_000,
            "eth_gasPrice": 10**9,
            "eth_getTransactionCount": len(self.sent),
        }
        return hex(numbers[method])


def _read(raw: HexBytes) -> Sent:
    _, _, _, to, value, data, *_ = decode(raw)
    return Sent(str(Account.recover_transaction(raw)), f"0x{to.hex()}", int.from_bytes(value, "big"), f"0x{data.hex()}")
