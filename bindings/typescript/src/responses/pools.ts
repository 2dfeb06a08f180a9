/** Pool data: what the contract holds (on-chain), what quotes are computed with (off-chain), and both from one instant. */
import type { Decimal } from '../json/decimal.js'
import { baseUnits, decimal, flag, float, integer, list, nullable, object, pair, text } from '../json/decode.js'
import { type Address, address, id, optionalAmount, symbol } from './values.js'

/** The EIP-712 domain of a pool's signatures, with the member names of that standard. */
export interface SigningDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

interface PoolMembers {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The pool contract. */
  readonly address: Address
  /** The account whose signatures the pool contract should accept, as the service says. */
  readonly signer_address: Address
  readonly eip712_domain: SigningDomain
  /** What quotes are computed with: block, outstanding swaps and prices. */
  readonly state_id: string
  /** The number of assets. */
  readonly num_assets: number
  readonly swaps_enabled: boolean
  /** The largest single trade that is signed for this client, in US dollars; null if only the reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
}

/** What the pool contract holds. */
export interface OnchainPool extends PoolMembers {
  /** Supply of pool tokens, in base units. A float: for display. */
  readonly pool_tokens: number
  /** Value of all reserves in US dollars; null unless each is known. A float: for display. */
  readonly value_in_usd: number | null
}

/** What quotes of the pool are computed with. */
export interface OffchainPool extends PoolMembers {
  /** The pool constant, exactly. */
  readonly k: Decimal
  /** The seconds that the fees of the pairs are for. */
  readonly time_in_seconds: number
  /** The `time_in_seconds` of a request without one. */
  readonly default_time_in_seconds: number
}

interface AssetMembers {
  /** The symbol, as quote requests use it. */
  readonly name: string
  /** The token contract; the wrapped one for the chain's native coin. */
  readonly address: Address
  /** US dollars for a whole token, exactly, with at most 8 decimals; null while the asset is not quoted. */
  readonly price_in_usd: Decimal | null
  /** Decimals of the token. */
  readonly decimals: number
  /** The most that signed swaps that have not been executed would bring in, in base units. */
  readonly outstanding_inflow: bigint
  /** The most that signed swaps that have not been executed would take out, in base units. */
  readonly outstanding_outflow: bigint
}

/** An asset and the pool's reserve of it. */
export interface OnchainAsset extends AssetMembers {
  /** The reserve in base units; null while unknown. */
  readonly balance: bigint | null
  /** Value of the reserve in US dollars. A float: for display. */
  readonly value_in_usd: number | null
  /** Target value in US dollars; null unless all are known. A float: for display. */
  readonly target_value_in_usd: number | null
}

/** An asset and its weight. */
export interface OffchainAsset extends AssetMembers {
  /** The weight in the pricing formula. */
  readonly listing_weight: number
}

/** Two assets that can be swapped for each other. */
export interface Pair {
  /** The two symbols, in either order. */
  readonly assets: readonly [string, string]
  /** The fee in either direction, exactly, for the pool's `time_in_seconds`. */
  readonly fee_in_basis_points: Decimal
}

/** A pool, without `fieldset`. */
export interface OnchainRecord {
  readonly pool: OnchainPool
  readonly assets: readonly OnchainAsset[]
}

/** A pool, with `fieldset=offchain-data`. */
export interface OffchainRecord {
  readonly pool: OffchainPool
  readonly assets: readonly OffchainAsset[]
  /** The pairs that are quoted at present. */
  readonly pairs: readonly Pair[]
}

/** A pool, with `fieldset=all`: every quote in this state can be recomputed from it. */
export interface AllRecord {
  readonly pool: OnchainPool & OffchainPool
  readonly assets: readonly (OnchainAsset & OffchainAsset)[]
  /** The pairs that are quoted at present. */
  readonly pairs: readonly Pair[]
}

const POOL = {
  chain_id: integer,
  address,
  signer_address: address,
  eip712_domain: object<SigningDomain>({ name: text, version: text, chainId: integer, verifyingContract: address }),
  state_id: id,
  num_assets: integer,
  swaps_enabled: flag,
  largest_trade_in_usd: nullable(decimal),
} as const
const ONCHAIN_POOL = { pool_tokens: float, value_in_usd: nullable(float) } as const
const OFFCHAIN_POOL = { k: decimal, time_in_seconds: integer, default_time_in_seconds: integer } as const

const ASSET = {
  name: symbol,
  address,
  price_in_usd: nullable(decimal),
  decimals: integer,
  outstanding_inflow: baseUnits,
  outstanding_outflow: baseUnits,
} as const
const ONCHAIN_ASSET = {
  balance: optionalAmount,
  value_in_usd: nullable(float),
  target_value_in_usd: nullable(float),
} as const
const OFFCHAIN_ASSET = { listing_weight: integer } as const

const pairs = list(object<Pair>({ assets: pair(symbol), fee_in_basis_points: decimal }))

export const onchainRecord = object<OnchainRecord>({
  pool: object<OnchainPool>({ ...POOL, ...ONCHAIN_POOL }),
  assets: list(object<OnchainAsset>({ ...ASSET, ...ONCHAIN_ASSET })),
})

export const offchainRecord = object<OffchainRecord>({
  pool: object<OffchainPool>({ ...POOL, ...OFFCHAIN_POOL }),
  assets: list(object<OffchainAsset>({ ...ASSET, ...OFFCHAIN_ASSET })),
  pairs,
})

export const allRecord = object<AllRecord>({
  pool: object<OnchainPool & OffchainPool>({ ...POOL, ...ONCHAIN_POOL, ...OFFCHAIN_POOL }),
  assets: list(object<OnchainAsset & OffchainAsset>({ ...ASSET, ...ONCHAIN_ASSET, ...OFFCHAIN_ASSET })),
  pairs,
})
