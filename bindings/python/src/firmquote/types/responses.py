"""Responses of the service, generated from `openapi.json` by `npm run generate`. Do not edit."""
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from .methods import LevelBookMethods, QuotedSwapMethods, QuoteMethods, SignedSwapMethods
from .wire import Address, Amount, BaseUnits, Bytes32, DecimalString, HexBytes, LevelsId, Number, QuoteId, StateId, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningDomain:
    """The EIP-712 domain of the signatures, with the member names of that standard."""

    name: str
    """The `name` of the contract's domain."""
    version: str
    """The `version` of the contract's domain."""
    chain_id: int = field(metadata={"name": "chainId"})
    """The chain id (EIP-155)."""
    verifying_contract: Address = field(metadata={"name": "verifyingContract"})
    """The pool contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A pool with its holdings and its pricing parameters."""

    chain_id: int
    """The chain id (EIP-155)."""
    address: Address
    """The pool contract."""
    signer_address: Address
    """The account whose signatures the pool contract should accept; absent from earlier releases."""
    eip712_domain: SigningDomain
    """The EIP-712 domain of the signatures; absent from earlier releases."""
    state_id: StateId
    """The state that quotes are computed in: block, book and prices; absent from earlier releases."""
    block_number: int | None
    """The block of the reserves; null if they are configured. Absent from earlier releases."""
    block_timestamp: int | None
    """The Unix second of that block; null if the reserves do not age. Absent from earlier releases."""
    max_improvement_bps: Number | None
    """The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from earlier releases."""
    num_assets: int
    """The number of listed assets."""
    swaps_enabled: bool
    """Whether swaps are enabled."""
    largest_trade_in_usd: Number | None
    """The largest single trade that is signed for the client at the current pool value; null if only reserves limit it."""
    pool_tokens: Number
    """Pool tokens in circulation, in base units, for display."""
    value_in_usd: Number | None
    """The value of the reserves in US dollars, for display; null if any price or reserve is unknown."""
    k: Number
    """The pool constant of the pricing formula."""
    time_in_seconds: int
    """Maximum seconds until the transaction, for the fees of `pairs`."""
    default_time_in_seconds: int
    """The `time_in_seconds` of requests without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolAsset:
    """An asset, the pool's reserve of it, and its weight."""

    name: str
    """The symbol, as quote requests use it."""
    address: Address
    """The token contract; the wrapped one for the native coin of the chain."""
    price_in_usd: Number | None
    """The price of a whole token; null while it is not quoted."""
    decimals: int
    """Decimals of the token."""
    outstanding_inflow: BaseUnits
    """Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had."""
    outstanding_outflow: BaseUnits
    """Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had."""
    balance: Amount | None
    """The reserve in base units; null while unknown."""
    value_in_usd: Number | None
    """The value of the reserve in US dollars, for display; null while price or reserve is unknown."""
    target_value_in_usd: Number | None
    """The target value in US dollars, for display; null if any price or reserve is unknown."""
    listing_weight: int
    """The weight in the pricing formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFee:
    """Two assets that can be swapped for each other."""

    assets: tuple[str, str]
    """The two symbols."""
    fee_in_basis_points: Number
    """The fee in either direction, for `time_in_seconds`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolData:
    """A pool with both sets of data, from the same instant: everything that determines its quotes."""

    pool: Pool
    """The pool as a whole."""
    assets: tuple[PoolAsset, ...]
    """The assets."""
    pairs: tuple[PairFee, ...]
    """The pairs that trade at present."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPools:
    """Pools of a chain."""

    pool_type: str
    """The set of data in a response."""
    pools: tuple[PoolData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TradedAsset:
    """An asset that a pool lists."""

    name: str
    """The symbol, as quote requests use it."""
    address: Address
    """The token contract; the wrapped one for the native coin of the chain."""
    decimals: int
    """Decimals of the token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradedPool:
    """A pool and what it trades."""

    address: Address
    """The pool contract."""
    swaps_enabled: bool
    """Whether swaps are enabled."""
    smallest_trade_in_usd: Number
    """The smallest trade that is quoted, by input value."""
    largest_trade_in_usd: Number | None
    """The largest trade that is signed for the client at the current pool value; null if only reserves limit it."""
    assets: tuple[TradedAsset, ...]
    """The assets."""
    pairs: tuple[tuple[str, str], ...]
    """The symbols of each pair that trades, in either order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain with its pools."""

    chain_id: int
    """The chain id (EIP-155)."""
    native_symbol: str
    """The symbol of the native coin."""
    wrapped_native_symbol: str | None
    """The symbol of the wrapped native coin in its pools; null if none lists it."""
    wrapped_native_address: Address
    """The contract that wraps the native coin."""
    pools: tuple[TradedPool, ...]
    """The pools; the first is the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """Every supported chain."""

    chains: tuple[Chain, ...]
    """The chains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelBook(LevelBookMethods):
    """Levels of one pair in one direction: for an input between two knots, a quote in the state pays at least the output of the straight line between them, rounded down."""

    seq: int
    """Sequence number, increasing for each pair and direction, possibly with gaps."""
    levels_id: LevelsId
    """Identifies these levels."""
    state_id: StateId
    """The state that the levels were computed in."""
    pool_address: Address
    """The pool contract."""
    input_asset_symbol: str
    """The asset paid to the pool."""
    input_asset_address: Address
    """Its token."""
    input_asset_decimals: int
    """Its decimals."""
    output_asset_symbol: str
    """The asset paid by the pool."""
    output_asset_address: Address
    """Its token."""
    output_asset_decimals: int
    """Its decimals."""
    as_of_ms: int
    """The Unix time of the oldest price or reserve in the levels, in milliseconds."""
    published_ms: int
    """The Unix time of publication, in milliseconds."""
    valid_until_ms: int
    """The Unix time in milliseconds from which the levels no longer hold, by the clock of the service."""
    time_in_seconds: int
    """The maximum time from acceptance to execution that the fee in the levels covers, in seconds."""
    fee_in_basis_points: Number
    """The fee included in the levels."""
    firm: bool
    """Whether the levels are firm for quotes that name them; otherwise they are indicative."""
    certain: bool
    """Whether quotes pay the stated output at every size. If not, the contract of a `verified` pool may refuse the output of the formula, and a quote may be lower or refused."""
    firm_budget_input: Amount | None
    """The maximum firm input of a client, in base units; null for indicative levels."""
    minimum_input: Amount | None
    """The input of the first knot, in base units."""
    maximum_input: Amount | None
    """The input of the last knot, in base units."""
    max_shortfall_bps: Number
    """The maximum shortfall of the line between two knots against a quote, excluding rounding."""
    semantics: str
    """What the levels are: `cumulative_input_output_floor`: `knots`, with straight lines between them, rounded down; `incremental_price_size`: `bands`."""
    knots: tuple[tuple[Amount, Amount], ...] | None = None
    """Cumulative input and output in base units, from small to large."""
    bands: tuple[tuple[DecimalString, DecimalString], ...] | None = None
    """Price in whole output tokens for each whole input token, and size in whole input tokens, best first. The first band reaches from nothing to the smallest input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnLevels:
    """A pair in one direction for which nothing is quoted at present."""

    pool_address: Address
    """The pool contract."""
    input_asset_symbol: str
    """The asset paid to the pool."""
    output_asset_symbol: str
    """The asset paid by the pool."""
    reason: str
    """The reason for the withdrawal, such as `stale_prices`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelsSnapshot:
    """The current levels of a chain's pools."""

    chain_id: int
    """The chain id (EIP-155)."""
    books: tuple[LevelBook, ...]
    """The books that are live."""
    withdrawn: tuple[WithdrawnLevels, ...]
    """The books for which nothing is quoted at present."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainAsset:
    """An asset and its weight."""

    name: str
    """The symbol, as quote requests use it."""
    address: Address
    """The token contract; the wrapped one for the native coin of the chain."""
    price_in_usd: Number | None
    """The price of a whole token; null while it is not quoted."""
    decimals: int
    """Decimals of the token."""
    outstanding_inflow: BaseUnits
    """Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had."""
    outstanding_outflow: BaseUnits
    """Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had."""
    listing_weight: int
    """The weight in the pricing formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainPool:
    """A pool with its pricing parameters."""

    chain_id: int
    """The chain id (EIP-155)."""
    address: Address
    """The pool contract."""
    signer_address: Address
    """The account whose signatures the pool contract should accept; absent from earlier releases."""
    eip712_domain: SigningDomain
    """The EIP-712 domain of the signatures; absent from earlier releases."""
    state_id: StateId
    """The state that quotes are computed in: block, book and prices; absent from earlier releases."""
    block_number: int | None
    """The block of the reserves; null if they are configured. Absent from earlier releases."""
    block_timestamp: int | None
    """The Unix second of that block; null if the reserves do not age. Absent from earlier releases."""
    max_improvement_bps: Number | None
    """The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from earlier releases."""
    num_assets: int
    """The number of listed assets."""
    swaps_enabled: bool
    """Whether swaps are enabled."""
    largest_trade_in_usd: Number | None
    """The largest single trade that is signed for the client at the current pool value; null if only reserves limit it."""
    k: Number
    """The pool constant of the pricing formula."""
    time_in_seconds: int
    """Maximum seconds until the transaction, for the fees of `pairs`."""
    default_time_in_seconds: int
    """The `time_in_seconds` of requests without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainData:
    """The parameters that quotes of a pool are computed with."""

    pool: OffchainPool
    """The pool as a whole."""
    assets: tuple[OffchainAsset, ...]
    """The assets."""
    pairs: tuple[PairFee, ...]
    """The pairs that trade at present."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainPools:
    """Pools of a chain."""

    pool_type: str
    """The set of data in a response."""
    pools: tuple[OffchainData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainAsset:
    """An asset and the pool's reserve of it."""

    name: str
    """The symbol, as quote requests use it."""
    address: Address
    """The token contract; the wrapped one for the native coin of the chain."""
    price_in_usd: Number | None
    """The price of a whole token; null while it is not quoted."""
    decimals: int
    """Decimals of the token."""
    outstanding_inflow: BaseUnits
    """Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had."""
    outstanding_outflow: BaseUnits
    """Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had."""
    balance: Amount | None
    """The reserve in base units; null while unknown."""
    value_in_usd: Number | None
    """The value of the reserve in US dollars, for display; null while price or reserve is unknown."""
    target_value_in_usd: Number | None
    """The target value in US dollars, for display; null if any price or reserve is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainPool:
    """A pool with its holdings."""

    chain_id: int
    """The chain id (EIP-155)."""
    address: Address
    """The pool contract."""
    signer_address: Address
    """The account whose signatures the pool contract should accept; absent from earlier releases."""
    eip712_domain: SigningDomain
    """The EIP-712 domain of the signatures; absent from earlier releases."""
    state_id: StateId
    """The state that quotes are computed in: block, book and prices; absent from earlier releases."""
    block_number: int | None
    """The block of the reserves; null if they are configured. Absent from earlier releases."""
    block_timestamp: int | None
    """The Unix second of that block; null if the reserves do not age. Absent from earlier releases."""
    max_improvement_bps: Number | None
    """The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from earlier releases."""
    num_assets: int
    """The number of listed assets."""
    swaps_enabled: bool
    """Whether swaps are enabled."""
    largest_trade_in_usd: Number | None
    """The largest single trade that is signed for the client at the current pool value; null if only reserves limit it."""
    pool_tokens: Number
    """Pool tokens in circulation, in base units, for display."""
    value_in_usd: Number | None
    """The value of the reserves in US dollars, for display; null if any price or reserve is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainData:
    """The holdings of a pool, valued at current prices."""

    pool: OnchainPool
    """The pool as a whole."""
    assets: tuple[OnchainAsset, ...]
    """The assets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainPools:
    """Pools of a chain."""

    pool_type: str
    """The set of data in a response."""
    pools: tuple[OnchainData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote(QuoteMethods):
    """A firm quote: the amounts of a swap that the pool executes if it is signed before `must_accept_by`."""

    id: QuoteId
    """The id; pass it as `quote_id` to sign the quote."""
    must_accept_by: datetime
    """The first instant at which the quote can no longer be signed, by the clock of the service."""
    good_until: int
    """The last Unix second in which the signed swap is valid on chain."""
    chain_id: int
    """The chain id (EIP-155)."""
    input_amount: Amount
    """The amount that the pool receives, in base units."""
    output_amount: Amount
    """The amount that the pool pays, in base units."""
    input_value_in_usd: Number
    """The value of the input in US dollars, for display."""
    output_value_in_usd: Number
    """The value of the output in US dollars, for display."""
    created_at: int
    """The Unix second in which the quote was made."""
    rate: Number
    """Whole tokens of output for one whole token of input, for display."""
    input_asset_address: Address
    """The token that the pool receives; the wrapped one for the native coin of the chain."""
    output_asset_address: Address
    """The token that the pool pays; the wrapped one for the native coin of the chain."""
    pool_address: Address
    """The pool contract that would execute the swap; absent from earlier releases."""
    state_id: StateId
    """The state that the swap was computed in; absent from earlier releases."""
    fee_in_basis_points: Number
    """The fee included in the amounts; absent from earlier releases."""
    largest_trade_in_usd: Number | None
    """The largest single trade of the pair that is signed for the client; null if only reserves limit it."""
    levels_id: LevelsId | None = None
    """The requested levels."""
    levels_output: Amount | None = None
    """The output of the requested levels for the input, at most the quoted one."""
    firm_budget_left_input: BaseUnits | None = None
    """The client's remaining budget for the requested levels, in base units of the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteGridRow:
    """Indicative quotes for one validity."""

    time_in_seconds: int
    """The seconds between acceptance and the transaction on chain."""
    fee_in_basis_points: Number
    """The fee included in the outputs."""
    output_amounts: tuple[Amount | None, ...]
    """The output of each input amount in base units; null where a quote is refused as too small or too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteGrid:
    """Indicative quotes in one state of one pool."""

    chain_id: int
    """The chain id (EIP-155)."""
    pool_address: Address
    """The pool contract that would execute the swaps."""
    state_id: StateId
    """The state that the outputs were computed in."""
    input_asset_address: Address
    """The input token."""
    output_asset_address: Address
    """The output token."""
    input_amounts: tuple[Amount, ...]
    """The input amounts in base units, in the order of the request."""
    rows: tuple[QuoteGridRow, ...]
    """The outputs for each validity, in the order of the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The execution of a signed swap, as the event of the pool contract states it."""

    transaction_hash: Bytes32
    """The transaction."""
    log_index: int
    """The position of the event among those of its block."""
    block_number: int
    """The block."""
    block_timestamp: int
    """The Unix second of the block."""
    confirmations: int | None
    """The number of blocks from this one to the newest, both included; null until the replica has read this block."""
    input_amount: BaseUnits
    """The amount paid to the pool, in base units."""
    output_amount: BaseUnits
    """The amount paid by the pool, in base units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteStatus:
    """The status of a quote."""

    quote_id: QuoteId
    """The quote."""
    state: str
    """The state of the quote and of its swap."""
    chain_id: int
    """The chain id (EIP-155)."""
    pool_address: Address
    """The pool contract."""
    created_at: int
    """The Unix second in which the quote was made."""
    must_accept_by: datetime
    """The first instant at which the quote can no longer be signed, by the clock of the service."""
    good_until: int
    """The last Unix second in which the signed swap is valid on chain."""
    signed_at: datetime | None
    """The time of signing; null for an unsigned quote."""
    execution: str | None
    """Whether the signed swap executes regardless of other swaps; null for an unsigned quote."""
    settled: Settlement | None
    """The execution; null unless the swap is settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """An ECDSA signature with a low `s` (EIP-2)."""

    v: int
    """27 or 28, by the parity of the point's y coordinate."""
    r: Bytes32
    """The `r` value."""
    s: Bytes32
    """The `s` value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedSwap(QuotedSwapMethods):
    """A swap that was quoted and signed in one request."""

    chain_id: int
    """The chain id (EIP-155)."""
    input_asset_address: Address
    """The token that the pool receives; the wrapped one for the native coin of the chain."""
    output_asset_address: Address
    """The token that the pool pays; the wrapped one for the native coin of the chain."""
    input_amount: Amount
    """The amount that the pool receives, in base units."""
    output_amount: Amount
    """The amount that the pool pays, in base units."""
    good_until: Word
    """When the swap stops being valid on chain, as it is signed."""
    expires_at: int
    """The last Unix second in which the swap is valid on chain; absent from earlier releases."""
    destination_address: Address
    """The account that receives the output."""
    signature: Signature
    """The signature of the service."""
    service_exchange_address: Address
    """The pool contract, the recipient of the transaction."""
    execution: str
    """Whether the swap executes regardless of other swaps; absent from earlier releases."""
    calldata: HexBytes | None = None
    """The encoded call; only if `calldata` was requested."""
    id: QuoteId
    """The id of the quote. Signing it again for the same terms returns the same signature."""
    input_value_in_usd: Number
    """The value of the input in US dollars, for display."""
    output_value_in_usd: Number
    """The value of the output in US dollars, for display."""
    created_at: int
    """The Unix second in which the quote was made."""
    rate: Number
    """Whole tokens of output for one whole token of input, for display."""
    pool_address: Address
    """The pool contract that would execute the swap; absent from earlier releases."""
    state_id: StateId
    """The state that the swap was computed in; absent from earlier releases."""
    fee_in_basis_points: Number
    """The fee included in the amounts; absent from earlier releases."""
    largest_trade_in_usd: Number | None
    """The largest single trade of the pair that is signed for the client; null if only reserves limit it."""
    levels_id: LevelsId | None = None
    """The requested levels."""
    levels_output: Amount | None = None
    """The output of the requested levels for the input, at most the quoted one."""
    firm_budget_left_input: BaseUnits | None = None
    """The client's remaining budget for the requested levels, in base units of the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedSwap(SignedSwapMethods):
    """A swap that the service has signed, for the pool contract to honor until `good_until`."""

    chain_id: int
    """The chain id (EIP-155)."""
    input_asset_address: Address
    """The token that the pool receives; the wrapped one for the native coin of the chain."""
    output_asset_address: Address
    """The token that the pool pays; the wrapped one for the native coin of the chain."""
    input_amount: Amount
    """The amount that the pool receives, in base units."""
    output_amount: Amount
    """The amount that the pool pays, in base units."""
    good_until: Word
    """When the swap stops being valid on chain, as it is signed."""
    expires_at: int
    """The last Unix second in which the swap is valid on chain; absent from earlier releases."""
    destination_address: Address
    """The account that receives the output."""
    signature: Signature
    """The signature of the service."""
    service_exchange_address: Address
    """The pool contract, the recipient of the transaction."""
    execution: str
    """Whether the swap executes regardless of other swaps; absent from earlier releases."""
    calldata: HexBytes | None = None
    """The encoded call; only if `calldata` was requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A signed swap, and what became of it."""

    quote_id: QuoteId
    """The quote."""
    state: str
    """The state of the swap."""
    chain_id: int
    """The chain id (EIP-155)."""
    pool_address: Address
    """The pool contract."""
    input_asset_address: Address
    """The token paid to the pool."""
    output_asset_address: Address
    """The token paid by the pool."""
    input_amount: BaseUnits
    """The signed input amount, in base units."""
    output_amount: BaseUnits
    """The signed output amount, in base units."""
    destination_address: Address
    """The account that receives the output."""
    signed_at: datetime
    """The time of signing."""
    good_until: int
    """The last Unix second in which the signed swap is valid on chain."""
    execution: str
    """Whether the signed swap executes regardless of other swaps."""
    settled: Settlement | None
    """The execution; null unless the swap is settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swaps:
    """A page of signed swaps, in the order of their signatures."""

    swaps: tuple[Swap, ...]
    """The swaps. There may be fewer than requested although there are more."""
    next_cursor: str | None
    """The `cursor` of the next page, also for later swaps; null once there are no swaps after the cursor of the request."""
