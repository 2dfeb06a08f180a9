/** What is traded where. */
import type { Decimal } from '../json/decimal.js'
import { decimal, flag, integer, list, nullable, object, pair } from '../json/decode.js'
import { type Address, address, symbol } from './values.js'

/** A chain with its pools. */
export interface Chain {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The symbol of the native coin. */
  readonly native_symbol: string
  /** The symbol of the wrapped native coin in the pools; null if none lists it. */
  readonly wrapped_native_symbol: string | null
  /** The contract that wraps the native coin. */
  readonly wrapped_native_address: Address
  /** The pools; the first one is the default. */
  readonly pools: readonly TradedPool[]
}

/** A pool and what it trades. */
export interface TradedPool {
  /** The pool contract. */
  readonly address: Address
  readonly swaps_enabled: boolean
  /** The smallest trade that is quoted, by the value of its input in US dollars. */
  readonly smallest_trade_in_usd: Decimal
  /** The largest trade that is signed for this client, in US dollars; null if only the reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  readonly assets: readonly TradedAsset[]
  /** The symbols of each pair that trades, in either order. */
  readonly pairs: readonly (readonly [string, string])[]
}

/** A token that a pool lists. */
export interface TradedAsset {
  /** The symbol, as quote requests use it. */
  readonly name: string
  /** The token contract; the wrapped one for the chain's native coin. */
  readonly address: Address
  /** Decimals of the token. */
  readonly decimals: number
}

/** The response of the list of chains. */
export interface Chains {
  readonly chains: readonly Chain[]
}

const tradedPool = object<TradedPool>({
  address,
  swaps_enabled: flag,
  smallest_trade_in_usd: decimal,
  largest_trade_in_usd: nullable(decimal),
  assets: list(object<TradedAsset>({ name: symbol, address, decimals: integer })),
  pairs: list(pair(symbol)),
})

const chain = object<Chain>({
  chain_id: integer,
  native_symbol: symbol,
  wrapped_native_symbol: nullable(symbol),
  wrapped_native_address: address,
  pools: list(tradedPool),
})

export const chains = object<Chains>({ chains: list(chain) })
