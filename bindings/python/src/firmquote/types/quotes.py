"""Quotes, signed swaps and what became of them, as the service returns them.

Amounts are integers of base units. `rate` and the values in US dollars are for display; they are `Decimal` because
that is how they are read, not because they are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .wire import Address, Amount, BaseUnits, Bytes32, HexBytes, LevelsId, Number, QuoteId, StateId, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """An ECDSA signature over an offer, with a low `s` (EIP-2)."""

    v: int
    """27 or 28."""
    r: Bytes32
    s: Bytes32


@dataclass(frozen=True, slots=True, kw_only=True)
class Swapped:
    """Chain, tokens and amounts of a swap. For native coin the token is the wrapped one."""

    chain_id: int
    """EIP-155 chain id."""
    input_asset_address: Address
    """The token that the pool receives."""
    input_amount: Amount
    """Base units that the pool receives; rounded up if the output was fixed."""
    output_asset_address: Address
    """The token that the pool pays."""
    output_amount: Amount
    """Base units that the pool pays; rounded down if the input was fixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced(Swapped):
    """A swap with its price and what the price was computed with."""

    id: QuoteId
    """The id of the quote, to sign it and to look up its status."""
    created_at: int
    """Unix second in which the quote was made."""
    input_value_in_usd: Number
    output_value_in_usd: Number
    rate: Number
    """Whole output tokens for one whole input token."""
    pool_address: Address
    """The pool contract that would execute the swap."""
    state_id: StateId
    """What the amounts were computed with, for `PoolRequest.state_id`."""
    fee_in_basis_points: Number
    """The fee included in the amounts, exactly, with at most 2 decimals."""
    largest_trade_in_usd: Number | None
    """The largest single trade that is signed for this client; `None` if only the reserves limit it."""
    levels_id: LevelsId | None = None
    """The levels that the request named."""
    levels_output: Amount | None = None
    """What these levels give for the input: no more than the output."""
    firm_budget_left_input: BaseUnits | None = None
    """What is left of the client's budget of these levels, in base units of the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote(Priced):
    """A firm quote: what the pool pays for what, if it is signed in time."""

    must_accept_by: datetime
    """The quote can be signed before this time (UTC)."""
    good_until: int
    """Unix second until which the signed swap is valid on chain, that second included."""

    @property
    def time_in_seconds(self) -> int:
        """The validity that the quote was priced for, in seconds after `must_accept_by`."""
        return self.good_until - int(self.must_accept_by.timestamp())


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction that executes a swap, to be sent unchanged."""

    to: str
    """The pool contract."""
    value: int
    """Wei to send along: the input if it is native coin, otherwise 0. Any excess would stay in the pool."""
    data: str
    """The calldata, hex with `0x`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedSwap(Swapped):
    """A signed quote, which the pool contract honours until `expires_at`."""

    good_until: Word
    """The number that is signed: the Unix second of expiry or, for a verified pool, that second packed with prices."""
    expires_at: int
    """Unix second until which the swap is valid on chain, that second included."""
    destination_address: Address
    """The account that receives the output."""
    signature: Signature
    service_exchange_address: Address
    """The pool contract, to which the transaction is sent."""
    execution: str
    """`guaranteed`: executes no matter which other swaps execute first. `best_effort`: may revert if they are."""
    calldata: HexBytes | None = None
    """The call of the pool contract, if it was requested."""

    def transaction(self, *, native_input: bool = False) -> Transaction:
        """Returns the transaction that executes the swap.

        Args:
            native_input: whether the swap was signed with `SwapTerms.native_input`; the response does not say.

        Raises:
            ValueError: no calldata was requested.
        """
        if self.calldata is None:
            raise ValueError("the swap has no calldata: sign it with calldata=True")
        value = self.input_amount if native_input else 0
        return Transaction(self.service_exchange_address, value, self.calldata)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedAndSignedSwap(Priced):
    """A swap that was quoted and signed in one step."""

    good_until: Word
    """As in `SignedSwap`."""
    expires_at: int
    destination_address: Address
    signature: Signature
    service_exchange_address: Address
    execution: str
    calldata: HexBytes | None = None

    @property
    def swap(self) -> SignedSwap:
        """The signed swap without its quote."""
        return SignedSwap(
            chain_id=self.chain_id,
            input_asset_address=self.input_asset_address,
            input_amount=self.input_amount,
            output_asset_address=self.output_asset_address,
            output_amount=self.output_amount,
            good_until=self.good_until,
            expires_at=self.expires_at,
            destination_address=self.destination_address,
            signature=self.signature,
            service_exchange_address=self.service_exchange_address,
            execution=self.execution,
            calldata=self.calldata,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The execution of a signed swap, as the event of the pool contract states it."""

    transaction_hash: Bytes32
    log_index: int
    block_number: int
    block_timestamp: int
    """Unix second of the block."""
    confirmations: int | None
    """Blocks from this one to the newest, both included; `None` until the replica has read this block."""
    input_amount: BaseUnits
    """What was paid in, in base units."""
    output_amount: BaseUnits
    """What was paid out, in base units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteStatus:
    """What became of a quote."""

    quote_id: QuoteId
    state: str
    """`created`, `signed`, `settled` or `lapsed`."""
    chain_id: int
    pool_address: Address
    created_at: int
    """Unix second in which the quote was made."""
    must_accept_by: datetime
    good_until: int
    """Unix second until which the signed swap is valid on chain."""
    signed_at: datetime | None
    execution: str | None
    """`guaranteed` or `best_effort`; `None` before the signature."""
    settled: Settlement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteGridRow:
    """What quotes of one validity would be."""

    time_in_seconds: int
    fee_in_basis_points: Number
    output_amounts: tuple[Amount | None, ...]
    """The output of each input in base units; `None` where a quote is refused as too small or too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteGrid:
    """What quotes of many sizes would be, in one state of one pool."""

    chain_id: int
    pool_address: Address
    state_id: StateId
    input_asset_address: Address
    output_asset_address: Address
    input_amounts: tuple[Amount, ...]
    """The inputs in base units, in the order of the request."""
    rows: tuple[QuoteGridRow, ...]
    """The outputs for each validity, in the order of the request."""
