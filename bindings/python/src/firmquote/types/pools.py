"""Pool data and chains, as the service returns them: every digit of what quotes are computed with.

`OnchainPools` says what the contracts hold, `OffchainPools` what the formula uses, and `AllPools` both from one
instant, from which `firmquote.verify` recomputes quotes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .wire import Address, Amount, BaseUnits, Number, StateId


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningDomain:
    """The EIP-712 domain of a pool's signatures."""

    name: str
    version: str
    chain_id: int = field(metadata={"name": "chainId"})
    verifying_contract: Address = field(metadata={"name": "verifyingContract"})
    """The pool contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolHead:
    """What every set of pool data says about the pool as a whole."""

    chain_id: int
    address: Address
    signer_address: Address
    """The account whose signatures the contract should accept, as the service says."""
    eip712_domain: SigningDomain
    state_id: StateId
    num_assets: int
    swaps_enabled: bool
    largest_trade_in_usd: Number | None
    """The largest single trade that is signed for this client; `None` if only the reserves limit it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainPool(PoolHead):
    """A pool with what its contract holds."""

    pool_tokens: Number
    """Pool tokens in circulation, in base units, as the nearest double."""
    value_in_usd: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainPool(PoolHead):
    """A pool with the parameters of its formula."""

    k: Number
    """The constant of the formula, exactly, from 0 to below 1, with at most 18 decimals."""
    time_in_seconds: int
    """The validity that the fees of the pairs are for."""
    default_time_in_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPool(OnchainPool):
    """A pool with both sets of data."""

    k: Number
    """The constant of the formula, exactly, from 0 to below 1, with at most 18 decimals."""
    time_in_seconds: int
    """The validity that the fees of the pairs are for."""
    default_time_in_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetHead:
    """What every set of pool data says about an asset."""

    name: str
    """The symbol, as requests use it."""
    address: Address
    decimals: int
    price_in_usd: Number | None
    """The price, exactly, with at most 8 decimals; `None` while the asset is not quoted."""
    outstanding_inflow: BaseUnits
    """The most that signed swaps would bring in: quotes that take the asset are priced as if it had come in."""
    outstanding_outflow: BaseUnits
    """The most that signed swaps would take out: quotes that give the asset are priced as if it had gone out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainAsset(AssetHead):
    """An asset and the pool's reserve of it."""

    balance: Amount | None
    """The reserve in base units; `None` while unknown."""
    value_in_usd: Number | None
    target_value_in_usd: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainAsset(AssetHead):
    """An asset and its weight."""

    listing_weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AllAsset(OnchainAsset):
    """An asset with both sets of data."""

    listing_weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two assets that can be swapped for each other, in either direction."""

    assets: tuple[str, str]
    fee_in_basis_points: Number
    """The fee for the pool's `time_in_seconds`, exactly, with at most 2 decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainRecord:
    """One pool with what its contract holds."""

    pool: OnchainPool
    assets: tuple[OnchainAsset, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainRecord:
    """One pool with the parameters of its formula."""

    pool: OffchainPool
    assets: tuple[OffchainAsset, ...]
    pairs: tuple[Pair, ...]
    """The pairs that are quoted; those of an asset without a price are absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllRecord:
    """One pool with both sets of data, from the same instant."""

    pool: AllPool
    assets: tuple[AllAsset, ...]
    pairs: tuple[Pair, ...]
    """The pairs that are quoted; those of an asset without a price are absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnchainPools:
    """Pools of a chain with what their contracts hold."""

    pool_type: str
    pools: tuple[OnchainRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OffchainPools:
    """Pools of a chain with the parameters of their formulas."""

    pool_type: str
    pools: tuple[OffchainRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPools:
    """Pools of a chain with both sets of data."""

    pool_type: str
    pools: tuple[AllRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TradedAsset:
    """An asset of a pool."""

    name: str
    address: Address
    decimals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TradedPool:
    """A pool and what it trades."""

    address: Address
    swaps_enabled: bool
    smallest_trade_in_usd: Number
    largest_trade_in_usd: Number | None
    """`None` if only the reserves limit a trade, 0 while the value of the pool is not known."""
    assets: tuple[TradedAsset, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain with its pools."""

    chain_id: int
    native_symbol: str
    wrapped_native_symbol: str | None
    """The symbol of the wrapped native coin in the pools; `None` if none lists it."""
    wrapped_native_address: Address
    pools: tuple[TradedPool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """Every supported chain."""

    chains: tuple[Chain, ...]
