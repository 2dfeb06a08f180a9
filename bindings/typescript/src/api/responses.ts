// Generated from ../openapi.json by `npm run generate`. Do not edit.
import type { Decimal } from '../json/decimal.js'
import { amount, baseUnits, decimal, decimalText, flag, float, integer, integerIn, list, nullable, object, oneOf, optional, pair, text } from '../json/decode.js'
import { type Address, type Execution, type Hex, type UtcTime, address, bytes32, execution, hexBytes, id, symbol, utcTime, uuid } from '../responses/values.js'

/** The EIP-712 domain of the signatures, with the member names of that standard. */
export interface SigningDomain {
  /** The `name` of the contract's domain. */
  readonly name: string
  /** The `version` of the contract's domain. */
  readonly version: string
  /** The chain id (EIP-155). */
  readonly chainId: number
  /** The pool contract. */
  readonly verifyingContract: Address
}

export const signingDomain = object<SigningDomain>({
  name: text,
  version: text,
  chainId: integer,
  verifyingContract: address,
})

/** A pool with its holdings and its pricing parameters. */
export interface Pool {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract. */
  readonly address: Address
  /** The account whose signatures the pool contract should accept; absent from earlier releases. */
  readonly signer_address: Address
  /** The EIP-712 domain of the signatures; absent from earlier releases. */
  readonly eip712_domain: SigningDomain
  /** The state that quotes are computed in: block, book and prices; absent from earlier releases. */
  readonly state_id: string
  /** The block of the reserves; null if they are configured. Absent from earlier releases. */
  readonly block_number: number | null
  /** The Unix second of that block; null if the reserves do not age. Absent from earlier releases. */
  readonly block_timestamp: number | null
  /** The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from earlier releases. */
  readonly max_improvement_bps: Decimal | null
  /** The number of listed assets. */
  readonly num_assets: number
  /** Whether swaps are enabled. */
  readonly swaps_enabled: boolean
  /** The largest single trade that is signed for the client at the current pool value; null if only reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** Pool tokens in circulation, in base units, for display. */
  readonly pool_tokens: number
  /** The value of the reserves in US dollars, for display; null if any price or reserve is unknown. */
  readonly value_in_usd: number | null
  /** The pool constant of the pricing formula. */
  readonly k: Decimal
  /** Maximum seconds until the transaction, for the fees of `pairs`. */
  readonly time_in_seconds: number
  /** The `time_in_seconds` of requests without one. */
  readonly default_time_in_seconds: number
}

export const pool = object<Pool>({
  chain_id: integer,
  address: address,
  signer_address: address,
  eip712_domain: signingDomain,
  state_id: id,
  block_number: nullable(integer),
  block_timestamp: nullable(integer),
  max_improvement_bps: nullable(decimal),
  num_assets: integer,
  swaps_enabled: flag,
  largest_trade_in_usd: nullable(decimal),
  pool_tokens: float,
  value_in_usd: nullable(float),
  k: decimal,
  time_in_seconds: integer,
  default_time_in_seconds: integer,
})

/** An asset, the pool's reserve of it, and its weight. */
export interface PoolAsset {
  /** The symbol, as quote requests use it. */
  readonly name: string
  /** The token contract; the wrapped one for the native coin of the chain. */
  readonly address: Address
  /** The price of a whole token; null while it is not quoted. */
  readonly price_in_usd: Decimal | null
  /** Decimals of the token. */
  readonly decimals: number
  /** Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had. */
  readonly outstanding_inflow: bigint
  /** Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had. */
  readonly outstanding_outflow: bigint
  /** The reserve in base units; null while unknown. */
  readonly balance: bigint | null
  /** The value of the reserve in US dollars, for display; null while price or reserve is unknown. */
  readonly value_in_usd: number | null
  /** The target value in US dollars, for display; null if any price or reserve is unknown. */
  readonly target_value_in_usd: number | null
  /** The weight in the pricing formula. */
  readonly listing_weight: number
}

export const poolAsset = object<PoolAsset>({
  name: symbol,
  address: address,
  price_in_usd: nullable(decimal),
  decimals: integer,
  outstanding_inflow: baseUnits,
  outstanding_outflow: baseUnits,
  balance: nullable(amount),
  value_in_usd: nullable(float),
  target_value_in_usd: nullable(float),
  listing_weight: integer,
})

/** Two assets that can be swapped for each other. */
export interface PairFee {
  /** The two symbols. */
  readonly assets: readonly [string, string]
  /** The fee in either direction, for `time_in_seconds`. */
  readonly fee_in_basis_points: Decimal
}

export const pairFee = object<PairFee>({
  assets: pair(symbol),
  fee_in_basis_points: decimal,
})

/** A pool with both sets of data, from the same instant: everything that determines its quotes. */
export interface PoolData {
  /** The pool as a whole. */
  readonly pool: Pool
  /** The assets. */
  readonly assets: readonly PoolAsset[]
  /** The pairs that trade at present. */
  readonly pairs: readonly PairFee[]
}

export const poolData = object<PoolData>({
  pool: pool,
  assets: list(poolAsset),
  pairs: list(pairFee),
})

/** Pools of a chain. */
export interface AllPools {
  /** The set of data in a response. */
  readonly pool_type: string
  readonly pools: readonly PoolData[]
}

export const allPools = object<AllPools>({
  pool_type: text,
  pools: list(poolData),
})

/** An asset that a pool lists. */
export interface TradedAsset {
  /** The symbol, as quote requests use it. */
  readonly name: string
  /** The token contract; the wrapped one for the native coin of the chain. */
  readonly address: Address
  /** Decimals of the token. */
  readonly decimals: number
}

export const tradedAsset = object<TradedAsset>({
  name: symbol,
  address: address,
  decimals: integer,
})

/** A pool and what it trades. */
export interface TradedPool {
  /** The pool contract. */
  readonly address: Address
  /** Whether swaps are enabled. */
  readonly swaps_enabled: boolean
  /** The smallest trade that is quoted, by input value. */
  readonly smallest_trade_in_usd: Decimal
  /** The largest trade that is signed for the client at the current pool value; null if only reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** The assets. */
  readonly assets: readonly TradedAsset[]
  /** The symbols of each pair that trades, in either order. */
  readonly pairs: readonly (readonly [string, string])[]
}

export const tradedPool = object<TradedPool>({
  address: address,
  swaps_enabled: flag,
  smallest_trade_in_usd: decimal,
  largest_trade_in_usd: nullable(decimal),
  assets: list(tradedAsset),
  pairs: list(pair(symbol)),
})

/** A chain with its pools. */
export interface Chain {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The symbol of the native coin. */
  readonly native_symbol: string
  /** The symbol of the wrapped native coin in its pools; null if none lists it. */
  readonly wrapped_native_symbol: string | null
  /** The contract that wraps the native coin. */
  readonly wrapped_native_address: Address
  /** The pools; the first is the default. */
  readonly pools: readonly TradedPool[]
}

export const chain = object<Chain>({
  chain_id: integer,
  native_symbol: symbol,
  wrapped_native_symbol: nullable(symbol),
  wrapped_native_address: address,
  pools: list(tradedPool),
})

/** Every supported chain. */
export interface Chains {
  /** The chains. */
  readonly chains: readonly Chain[]
}

export const chains = object<Chains>({
  chains: list(chain),
})

/** Levels of one pair in one direction: for an input between two knots, a quote in the state pays at least the output of the straight line between them, rounded down. */
export interface LevelBook {
  /** Sequence number, increasing for each pair and direction, possibly with gaps. */
  readonly seq: number
  /** Identifies these levels. */
  readonly levels_id: string
  /** The state that the levels were computed in. */
  readonly state_id: string
  /** The pool contract. */
  readonly pool_address: Address
  /** The asset paid to the pool. */
  readonly input_asset_symbol: string
  /** Its token. */
  readonly input_asset_address: Address
  /** Its decimals. */
  readonly input_asset_decimals: number
  /** The asset paid by the pool. */
  readonly output_asset_symbol: string
  /** Its token. */
  readonly output_asset_address: Address
  /** Its decimals. */
  readonly output_asset_decimals: number
  /** The Unix time of the oldest price or reserve in the levels, in milliseconds. */
  readonly as_of_ms: number
  /** The Unix time of publication, in milliseconds. */
  readonly published_ms: number
  /** The Unix time in milliseconds from which the levels no longer hold, by the clock of the service. */
  readonly valid_until_ms: number
  /** The maximum time from acceptance to execution that the fee in the levels covers, in seconds. */
  readonly time_in_seconds: number
  /** The fee included in the levels. */
  readonly fee_in_basis_points: Decimal
  /** Whether the levels are firm for quotes that name them; otherwise they are indicative. */
  readonly firm: boolean
  /** Whether quotes pay the stated output at every size. If not, the contract of a `verified` pool may refuse the output of the formula, and a quote may be lower or refused. */
  readonly certain: boolean
  /** The maximum firm input of a client, in base units; null for indicative levels. */
  readonly firm_budget_input: bigint | null
  /** The input of the first knot, in base units. */
  readonly minimum_input: bigint | null
  /** The input of the last knot, in base units. */
  readonly maximum_input: bigint | null
  /** The maximum shortfall of the line between two knots against a quote, excluding rounding. */
  readonly max_shortfall_bps: Decimal
  /** What the levels are: `cumulative_input_output_floor`: `knots`, with straight lines between them, rounded down; `incremental_price_size`: `bands`. */
  readonly semantics: string
  /** Cumulative input and output in base units, from small to large. */
  readonly knots?: readonly (readonly [input: bigint, output: bigint])[]
  /** Price in whole output tokens for each whole input token, and size in whole input tokens, best first. The first band reaches from nothing to the smallest input. */
  readonly bands?: readonly (readonly [price: Decimal, size: Decimal])[]
}

export const levelBook = object<LevelBook>({
  seq: integer,
  levels_id: id,
  state_id: id,
  pool_address: address,
  input_asset_symbol: symbol,
  input_asset_address: address,
  input_asset_decimals: integer,
  output_asset_symbol: symbol,
  output_asset_address: address,
  output_asset_decimals: integer,
  as_of_ms: integer,
  published_ms: integer,
  valid_until_ms: integer,
  time_in_seconds: integer,
  fee_in_basis_points: decimal,
  firm: flag,
  certain: flag,
  firm_budget_input: nullable(amount),
  minimum_input: nullable(amount),
  maximum_input: nullable(amount),
  max_shortfall_bps: decimal,
  semantics: text,
  knots: optional(list(pair(amount))),
  bands: optional(list(pair(decimalText))),
})

/** A pair in one direction for which nothing is quoted at present. */
export interface WithdrawnLevels {
  /** The pool contract. */
  readonly pool_address: Address
  /** The asset paid to the pool. */
  readonly input_asset_symbol: string
  /** The asset paid by the pool. */
  readonly output_asset_symbol: string
  /** The reason for the withdrawal, such as `stale_prices`. */
  readonly reason: string
}

export const withdrawnLevels = object<WithdrawnLevels>({
  pool_address: address,
  input_asset_symbol: symbol,
  output_asset_symbol: symbol,
  reason: text,
})

/** The current levels of a chain's pools. */
export interface LevelsSnapshot {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The books that are live. */
  readonly books: readonly LevelBook[]
  /** The books for which nothing is quoted at present. */
  readonly withdrawn: readonly WithdrawnLevels[]
}

export const levelsSnapshot = object<LevelsSnapshot>({
  chain_id: integer,
  books: list(levelBook),
  withdrawn: list(withdrawnLevels),
})

/** An asset and its weight. */
export interface OffchainAsset {
  /** The symbol, as quote requests use it. */
  readonly name: string
  /** The token contract; the wrapped one for the native coin of the chain. */
  readonly address: Address
  /** The price of a whole token; null while it is not quoted. */
  readonly price_in_usd: Decimal | null
  /** Decimals of the token. */
  readonly decimals: number
  /** Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had. */
  readonly outstanding_inflow: bigint
  /** Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had. */
  readonly outstanding_outflow: bigint
  /** The weight in the pricing formula. */
  readonly listing_weight: number
}

export const offchainAsset = object<OffchainAsset>({
  name: symbol,
  address: address,
  price_in_usd: nullable(decimal),
  decimals: integer,
  outstanding_inflow: baseUnits,
  outstanding_outflow: baseUnits,
  listing_weight: integer,
})

/** A pool with its pricing parameters. */
export interface OffchainPool {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract. */
  readonly address: Address
  /** The account whose signatures the pool contract should accept; absent from earlier releases. */
  readonly signer_address: Address
  /** The EIP-712 domain of the signatures; absent from earlier releases. */
  readonly eip712_domain: SigningDomain
  /** The state that quotes are computed in: block, book and prices; absent from earlier releases. */
  readonly state_id: string
  /** The block of the reserves; null if they are configured. Absent from earlier releases. */
  readonly block_number: number | null
  /** The Unix second of that block; null if the reserves do not age. Absent from earlier releases. */
  readonly block_timestamp: number | null
  /** The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from earlier releases. */
  readonly max_improvement_bps: Decimal | null
  /** The number of listed assets. */
  readonly num_assets: number
  /** Whether swaps are enabled. */
  readonly swaps_enabled: boolean
  /** The largest single trade that is signed for the client at the current pool value; null if only reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** The pool constant of the pricing formula. */
  readonly k: Decimal
  /** Maximum seconds until the transaction, for the fees of `pairs`. */
  readonly time_in_seconds: number
  /** The `time_in_seconds` of requests without one. */
  readonly default_time_in_seconds: number
}

export const offchainPool = object<OffchainPool>({
  chain_id: integer,
  address: address,
  signer_address: address,
  eip712_domain: signingDomain,
  state_id: id,
  block_number: nullable(integer),
  block_timestamp: nullable(integer),
  max_improvement_bps: nullable(decimal),
  num_assets: integer,
  swaps_enabled: flag,
  largest_trade_in_usd: nullable(decimal),
  k: decimal,
  time_in_seconds: integer,
  default_time_in_seconds: integer,
})

/** The parameters that quotes of a pool are computed with. */
export interface OffchainData {
  /** The pool as a whole. */
  readonly pool: OffchainPool
  /** The assets. */
  readonly assets: readonly OffchainAsset[]
  /** The pairs that trade at present. */
  readonly pairs: readonly PairFee[]
}

export const offchainData = object<OffchainData>({
  pool: offchainPool,
  assets: list(offchainAsset),
  pairs: list(pairFee),
})

/** Pools of a chain. */
export interface OffchainPools {
  /** The set of data in a response. */
  readonly pool_type: string
  readonly pools: readonly OffchainData[]
}

export const offchainPools = object<OffchainPools>({
  pool_type: text,
  pools: list(offchainData),
})

/** An asset and the pool's reserve of it. */
export interface OnchainAsset {
  /** The symbol, as quote requests use it. */
  readonly name: string
  /** The token contract; the wrapped one for the native coin of the chain. */
  readonly address: Address
  /** The price of a whole token; null while it is not quoted. */
  readonly price_in_usd: Decimal | null
  /** Decimals of the token. */
  readonly decimals: number
  /** Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had. */
  readonly outstanding_inflow: bigint
  /** Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had. */
  readonly outstanding_outflow: bigint
  /** The reserve in base units; null while unknown. */
  readonly balance: bigint | null
  /** The value of the reserve in US dollars, for display; null while price or reserve is unknown. */
  readonly value_in_usd: number | null
  /** The target value in US dollars, for display; null if any price or reserve is unknown. */
  readonly target_value_in_usd: number | null
}

export const onchainAsset = object<OnchainAsset>({
  name: symbol,
  address: address,
  price_in_usd: nullable(decimal),
  decimals: integer,
  outstanding_inflow: baseUnits,
  outstanding_outflow: baseUnits,
  balance: nullable(amount),
  value_in_usd: nullable(float),
  target_value_in_usd: nullable(float),
})

/** A pool with its holdings. */
export interface OnchainPool {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract. */
  readonly address: Address
  /** The account whose signatures the pool contract should accept; absent from earlier releases. */
  readonly signer_address: Address
  /** The EIP-712 domain of the signatures; absent from earlier releases. */
  readonly eip712_domain: SigningDomain
  /** The state that quotes are computed in: block, book and prices; absent from earlier releases. */
  readonly state_id: string
  /** The block of the reserves; null if they are configured. Absent from earlier releases. */
  readonly block_number: number | null
  /** The Unix second of that block; null if the reserves do not age. Absent from earlier releases. */
  readonly block_timestamp: number | null
  /** The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from earlier releases. */
  readonly max_improvement_bps: Decimal | null
  /** The number of listed assets. */
  readonly num_assets: number
  /** Whether swaps are enabled. */
  readonly swaps_enabled: boolean
  /** The largest single trade that is signed for the client at the current pool value; null if only reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** Pool tokens in circulation, in base units, for display. */
  readonly pool_tokens: number
  /** The value of the reserves in US dollars, for display; null if any price or reserve is unknown. */
  readonly value_in_usd: number | null
}

export const onchainPool = object<OnchainPool>({
  chain_id: integer,
  address: address,
  signer_address: address,
  eip712_domain: signingDomain,
  state_id: id,
  block_number: nullable(integer),
  block_timestamp: nullable(integer),
  max_improvement_bps: nullable(decimal),
  num_assets: integer,
  swaps_enabled: flag,
  largest_trade_in_usd: nullable(decimal),
  pool_tokens: float,
  value_in_usd: nullable(float),
})

/** The holdings of a pool, valued at current prices. */
export interface OnchainData {
  /** The pool as a whole. */
  readonly pool: OnchainPool
  /** The assets. */
  readonly assets: readonly OnchainAsset[]
}

export const onchainData = object<OnchainData>({
  pool: onchainPool,
  assets: list(onchainAsset),
})

/** Pools of a chain. */
export interface OnchainPools {
  /** The set of data in a response. */
  readonly pool_type: string
  readonly pools: readonly OnchainData[]
}

export const onchainPools = object<OnchainPools>({
  pool_type: text,
  pools: list(onchainData),
})

/** A firm quote: the amounts of a swap that the pool executes if it is signed before `must_accept_by`. */
export interface Quote {
  /** The id; pass it as `quote_id` to sign the quote. */
  readonly id: string
  /** The first instant at which the quote can no longer be signed, by the clock of the service. */
  readonly must_accept_by: UtcTime
  /** The last Unix second in which the signed swap is valid on chain. */
  readonly good_until: number
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The amount that the pool receives, in base units. */
  readonly input_amount: bigint
  /** The amount that the pool pays, in base units. */
  readonly output_amount: bigint
  /** The value of the input in US dollars, for display. */
  readonly input_value_in_usd: number
  /** The value of the output in US dollars, for display. */
  readonly output_value_in_usd: number
  /** The Unix second in which the quote was made. */
  readonly created_at: number
  /** Whole tokens of output for one whole token of input, for display. */
  readonly rate: number
  /** The token that the pool receives; the wrapped one for the native coin of the chain. */
  readonly input_asset_address: Address
  /** The token that the pool pays; the wrapped one for the native coin of the chain. */
  readonly output_asset_address: Address
  /** The pool contract that would execute the swap; absent from earlier releases. */
  readonly pool_address: Address
  /** The state that the swap was computed in; absent from earlier releases. */
  readonly state_id: string
  /** The fee included in the amounts; absent from earlier releases. */
  readonly fee_in_basis_points: Decimal
  /** The largest single trade of the pair that is signed for the client; null if only reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** The requested levels. */
  readonly levels_id?: string
  /** The output of the requested levels for the input, at most the quoted one. */
  readonly levels_output?: bigint
  /** The client's remaining budget for the requested levels, in base units of the input. */
  readonly firm_budget_left_input?: bigint
}

export const quote = object<Quote>({
  id: uuid,
  must_accept_by: utcTime,
  good_until: integer,
  chain_id: integer,
  input_amount: amount,
  output_amount: amount,
  input_value_in_usd: float,
  output_value_in_usd: float,
  created_at: integer,
  rate: float,
  input_asset_address: address,
  output_asset_address: address,
  pool_address: address,
  state_id: id,
  fee_in_basis_points: decimal,
  largest_trade_in_usd: nullable(decimal),
  levels_id: optional(id),
  levels_output: optional(amount),
  firm_budget_left_input: optional(baseUnits),
})

/** Indicative quotes for one validity. */
export interface QuoteGridRow {
  /** The seconds between acceptance and the transaction on chain. */
  readonly time_in_seconds: number
  /** The fee included in the outputs. */
  readonly fee_in_basis_points: Decimal
  /** The output of each input amount in base units; null where a quote is refused as too small or too large. */
  readonly output_amounts: readonly (bigint | null)[]
}

export const quoteGridRow = object<QuoteGridRow>({
  time_in_seconds: integer,
  fee_in_basis_points: decimal,
  output_amounts: list(nullable(amount)),
})

/** Indicative quotes in one state of one pool. */
export interface QuoteGrid {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract that would execute the swaps. */
  readonly pool_address: Address
  /** The state that the outputs were computed in. */
  readonly state_id: string
  /** The input token. */
  readonly input_asset_address: Address
  /** The output token. */
  readonly output_asset_address: Address
  /** The input amounts in base units, in the order of the request. */
  readonly input_amounts: readonly bigint[]
  /** The outputs for each validity, in the order of the request. */
  readonly rows: readonly QuoteGridRow[]
}

export const quoteGrid = object<QuoteGrid>({
  chain_id: integer,
  pool_address: address,
  state_id: id,
  input_asset_address: address,
  output_asset_address: address,
  input_amounts: list(amount),
  rows: list(quoteGridRow),
})

/** The execution of a signed swap, as the event of the pool contract states it. */
export interface Settlement {
  /** The transaction. */
  readonly transaction_hash: Hex
  /** The position of the event among those of its block. */
  readonly log_index: number
  /** The block. */
  readonly block_number: number
  /** The Unix second of the block. */
  readonly block_timestamp: number
  /** The number of blocks from this one to the newest, both included; null until the replica has read this block. */
  readonly confirmations: number | null
  /** The amount paid to the pool, in base units. */
  readonly input_amount: bigint
  /** The amount paid by the pool, in base units. */
  readonly output_amount: bigint
}

export const settlement = object<Settlement>({
  transaction_hash: bytes32,
  log_index: integer,
  block_number: integer,
  block_timestamp: integer,
  confirmations: nullable(integer),
  input_amount: baseUnits,
  output_amount: baseUnits,
})

/** The status of a quote. */
export interface QuoteStatus {
  /** The quote. */
  readonly quote_id: string
  /** The state of the quote and of its swap. */
  readonly state: 'created' | 'signed' | 'settled' | 'lapsed'
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract. */
  readonly pool_address: Address
  /** The Unix second in which the quote was made. */
  readonly created_at: number
  /** The first instant at which the quote can no longer be signed, by the clock of the service. */
  readonly must_accept_by: UtcTime
  /** The last Unix second in which the signed swap is valid on chain. */
  readonly good_until: number
  /** The time of signing; null for an unsigned quote. */
  readonly signed_at: UtcTime | null
  /** Whether the signed swap executes regardless of other swaps; null for an unsigned quote. */
  readonly execution: Execution | null
  /** The execution; null unless the swap is settled. */
  readonly settled: Settlement | null
}

export const quoteStatus = object<QuoteStatus>({
  quote_id: uuid,
  state: oneOf(['created', 'signed', 'settled', 'lapsed']),
  chain_id: integer,
  pool_address: address,
  created_at: integer,
  must_accept_by: utcTime,
  good_until: integer,
  signed_at: nullable(utcTime),
  execution: nullable(execution),
  settled: nullable(settlement),
})

/** An ECDSA signature with a low `s` (EIP-2). */
export interface Signature {
  /** 27 or 28, by the parity of the point's y coordinate. */
  readonly v: number
  /** The `r` value. */
  readonly r: Hex
  /** The `s` value. */
  readonly s: Hex
}

export const signature = object<Signature>({
  v: integerIn(27, 28),
  r: bytes32,
  s: bytes32,
})

/** A swap that was quoted and signed in one request. */
export interface QuotedSwap {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The token that the pool receives; the wrapped one for the native coin of the chain. */
  readonly input_asset_address: Address
  /** The token that the pool pays; the wrapped one for the native coin of the chain. */
  readonly output_asset_address: Address
  /** The amount that the pool receives, in base units. */
  readonly input_amount: bigint
  /** The amount that the pool pays, in base units. */
  readonly output_amount: bigint
  /** When the swap stops being valid on chain, as it is signed. */
  readonly good_until: bigint
  /** The last Unix second in which the swap is valid on chain; absent from earlier releases. */
  readonly expires_at: number
  /** The account that receives the output. */
  readonly destination_address: Address
  /** The signature of the service. */
  readonly signature: Signature
  /** The pool contract, the recipient of the transaction. */
  readonly service_exchange_address: Address
  /** Whether the swap executes regardless of other swaps; absent from earlier releases. */
  readonly execution: Execution
  /** The encoded call; only if `calldata` was requested. */
  readonly calldata?: Hex
  /** The id of the quote. Signing it again for the same terms returns the same signature. */
  readonly id: string
  /** The value of the input in US dollars, for display. */
  readonly input_value_in_usd: number
  /** The value of the output in US dollars, for display. */
  readonly output_value_in_usd: number
  /** The Unix second in which the quote was made. */
  readonly created_at: number
  /** Whole tokens of output for one whole token of input, for display. */
  readonly rate: number
  /** The pool contract that would execute the swap; absent from earlier releases. */
  readonly pool_address: Address
  /** The state that the swap was computed in; absent from earlier releases. */
  readonly state_id: string
  /** The fee included in the amounts; absent from earlier releases. */
  readonly fee_in_basis_points: Decimal
  /** The largest single trade of the pair that is signed for the client; null if only reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** The requested levels. */
  readonly levels_id?: string
  /** The output of the requested levels for the input, at most the quoted one. */
  readonly levels_output?: bigint
  /** The client's remaining budget for the requested levels, in base units of the input. */
  readonly firm_budget_left_input?: bigint
}

export const quotedSwap = object<QuotedSwap>({
  chain_id: integer,
  input_asset_address: address,
  output_asset_address: address,
  input_amount: amount,
  output_amount: amount,
  good_until: baseUnits,
  expires_at: integer,
  destination_address: address,
  signature: signature,
  service_exchange_address: address,
  execution: execution,
  calldata: optional(hexBytes),
  id: uuid,
  input_value_in_usd: float,
  output_value_in_usd: float,
  created_at: integer,
  rate: float,
  pool_address: address,
  state_id: id,
  fee_in_basis_points: decimal,
  largest_trade_in_usd: nullable(decimal),
  levels_id: optional(id),
  levels_output: optional(amount),
  firm_budget_left_input: optional(baseUnits),
})

/** A swap that the service has signed, for the pool contract to honor until `good_until`. */
export interface SignedSwap {
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The token that the pool receives; the wrapped one for the native coin of the chain. */
  readonly input_asset_address: Address
  /** The token that the pool pays; the wrapped one for the native coin of the chain. */
  readonly output_asset_address: Address
  /** The amount that the pool receives, in base units. */
  readonly input_amount: bigint
  /** The amount that the pool pays, in base units. */
  readonly output_amount: bigint
  /** When the swap stops being valid on chain, as it is signed. */
  readonly good_until: bigint
  /** The last Unix second in which the swap is valid on chain; absent from earlier releases. */
  readonly expires_at: number
  /** The account that receives the output. */
  readonly destination_address: Address
  /** The signature of the service. */
  readonly signature: Signature
  /** The pool contract, the recipient of the transaction. */
  readonly service_exchange_address: Address
  /** Whether the swap executes regardless of other swaps; absent from earlier releases. */
  readonly execution: Execution
  /** The encoded call; only if `calldata` was requested. */
  readonly calldata?: Hex
}

export const signedSwap = object<SignedSwap>({
  chain_id: integer,
  input_asset_address: address,
  output_asset_address: address,
  input_amount: amount,
  output_amount: amount,
  good_until: baseUnits,
  expires_at: integer,
  destination_address: address,
  signature: signature,
  service_exchange_address: address,
  execution: execution,
  calldata: optional(hexBytes),
})

/** A signed swap, and what became of it. */
export interface Swap {
  /** The quote. */
  readonly quote_id: string
  /** The state of the swap. */
  readonly state: 'created' | 'signed' | 'settled' | 'lapsed'
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract. */
  readonly pool_address: Address
  /** The token paid to the pool. */
  readonly input_asset_address: Address
  /** The token paid by the pool. */
  readonly output_asset_address: Address
  /** The signed input amount, in base units. */
  readonly input_amount: bigint
  /** The signed output amount, in base units. */
  readonly output_amount: bigint
  /** The account that receives the output. */
  readonly destination_address: Address
  /** The time of signing. */
  readonly signed_at: UtcTime
  /** The last Unix second in which the signed swap is valid on chain. */
  readonly good_until: number
  /** Whether the signed swap executes regardless of other swaps. */
  readonly execution: Execution
  /** The execution; null unless the swap is settled. */
  readonly settled: Settlement | null
}

export const swap = object<Swap>({
  quote_id: uuid,
  state: oneOf(['created', 'signed', 'settled', 'lapsed']),
  chain_id: integer,
  pool_address: address,
  input_asset_address: address,
  output_asset_address: address,
  input_amount: baseUnits,
  output_amount: baseUnits,
  destination_address: address,
  signed_at: utcTime,
  good_until: integer,
  execution: execution,
  settled: nullable(settlement),
})

/** A page of signed swaps, in the order of their signatures. */
export interface Swaps {
  /** The swaps. There may be fewer than requested although there are more. */
  readonly swaps: readonly Swap[]
  /** The `cursor` of the next page, also for later swaps; null once there are no swaps after the cursor of the request. */
  readonly next_cursor: string | null
}

export const swaps = object<Swaps>({
  swaps: list(swap),
  next_cursor: nullable(text),
})
