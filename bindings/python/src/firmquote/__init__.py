"""A client for firm swap quotes, signatures and price levels of a Firmquote server.

`Client` blocks, `AsyncClient` is for asyncio; both have the same methods and raise the same errors, each of which says
what to do about it. `firmquote.verify` recomputes quotes and checks signatures and calldata.
"""

from firmquote.client.asynchronous import AsyncClient
from firmquote.client.meta import ResponseMeta
from firmquote.client.settings import NO_RETRIES, ClientSettings, RetryPolicy
from firmquote.client.sync import Client
from firmquote.errors import FirmquoteError, GiveUp, Reaction, Requote, Retry
from firmquote.events.follower import AsyncQuoteEvents, QuoteEvents
from firmquote.events.messages import QuoteEvent
from firmquote.events.session import EventsChange, EventsReset, UpToDate
from firmquote.levels.follower import AsyncLevels, Levels
from firmquote.levels.session import BooksChanged, LevelsChange
from firmquote.stream.session import Disconnected
from firmquote.types.levels import output_for
from firmquote.types.methods import Transaction
from firmquote.types.requests import LevelsRequest, PoolRequest, QuoteGridRequest, QuoteRequest, SwapsRequest, SwapTerms
from firmquote.types.responses import (
    AllPools,
    Chain,
    Chains,
    LevelBook,
    LevelsSnapshot,
    OffchainAsset,
    OffchainData,
    OffchainPool,
    OffchainPools,
    OnchainAsset,
    OnchainData,
    OnchainPool,
    OnchainPools,
    PairFee,
    Pool,
    PoolAsset,
    PoolData,
    Quote,
    QuotedSwap,
    QuoteGrid,
    QuoteGridRow,
    QuoteStatus,
    Settlement,
    Signature,
    SignedSwap,
    SigningDomain,
    Swap,
    Swaps,
    TradedAsset,
    TradedPool,
    WithdrawnLevels,
)
from firmquote.version import API_VERSION, Compatibility, __version__, compare_versions

__all__ = [
    "API_VERSION",
    "NO_RETRIES",
    "AllPools",
    "AsyncClient",
    "AsyncLevels",
    "AsyncQuoteEvents",
    "BooksChanged",
    "Chain",
    "Chains",
    "Client",
    "ClientSettings",
    "Compatibility",
    "Disconnected",
    "EventsChange",
    "EventsReset",
    "FirmquoteError",
    "GiveUp",
    "LevelBook",
    "Levels",
    "LevelsChange",
    "LevelsRequest",
    "LevelsSnapshot",
    "OffchainAsset",
    "OffchainData",
    "OffchainPool",
    "OffchainPools",
    "OnchainAsset",
    "OnchainData",
    "OnchainPool",
    "OnchainPools",
    "PairFee",
    "Pool",
    "PoolAsset",
    "PoolData",
    "PoolRequest",
    "Quote",
    "QuoteEvent",
    "QuoteEvents",
    "QuoteGrid",
    "QuoteGridRequest",
    "QuoteGridRow",
    "QuoteRequest",
    "QuoteStatus",
    "QuotedSwap",
    "Reaction",
    "Requote",
    "ResponseMeta",
    "Retry",
    "RetryPolicy",
    "Settlement",
    "Signature",
    "SignedSwap",
    "SigningDomain",
    "Swap",
    "SwapTerms",
    "Swaps",
    "SwapsRequest",
    "TradedAsset",
    "TradedPool",
    "Transaction",
    "UpToDate",
    "WithdrawnLevels",
    "__version__",
    "compare_versions",
    "output_for",
]
