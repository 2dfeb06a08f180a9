/** The parameters of requests, named as on the wire. Amounts are in base units. */
import type { Address, Hex } from '../responses/values.js'

/** Exactly one of the two amounts; the service computes the other. */
export type FixedAmount =
  /** The exact input; the output is rounded down. */
  | { readonly input_amount: bigint; readonly output_amount?: never }
  /** The exact output; the input is rounded up. */
  | { readonly output_amount: bigint; readonly input_amount?: never }

/** A request for a quote. */
export type QuoteRequest = FixedAmount & {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The input asset, by its name in the pool data; case-sensitive. */
  readonly input_asset_symbol: string
  /** The output asset, by its name in the pool data; case-sensitive. */
  readonly output_asset_symbol: string
  /** Seconds between accepting the quote and the transaction on chain; the pool's default if absent. A longer time costs more. */
  readonly time_in_seconds?: number
  /** The pool, instead of the one with the best price. Needs an API key. */
  readonly pool_address?: Address
  /** The levels that the quote has to keep to. Needs an API key. */
  readonly levels_id?: string
}

/** The terms a quote is signed for. The first terms are final; `calldata` is not one of them. */
export interface SwapTerms {
  /** The account that receives the output. */
  readonly destination_address: Address
  /** The account that the input comes from; the destination if absent. */
  readonly sender_address?: Address
  /** 32 bytes that the event of the swap repeats; the service's name if absent. */
  readonly aux_data?: Hex
  /** Whether the response contains the calldata. */
  readonly calldata?: boolean
  /** Whether the input is the chain's native coin. */
  readonly native_input?: boolean
  /** Whether the output is the chain's native coin. */
  readonly native_output?: boolean
  /**
   * Whether the call pulls the input from its caller. Set it for a plain wallet: tokens sent to the pool in one
   * transaction can be taken by another account's swap before the next transaction.
   */
  readonly transmit?: boolean
  /** Whether the swap has to be guaranteed to execute; the service refuses where it cannot. */
  readonly guarantee?: boolean
}

/** A request to sign a quote. */
export interface SignRequest extends SwapTerms {
  /** The `id` of the quote. */
  readonly quote_id: string
}

/** Which set of pool data: on-chain data if absent, `offchain-data`, or `all` of both from one instant. */
export type Fieldset = 'offchain-data' | 'all'

/** A request for pool data. */
export interface PoolsRequest {
  /** EIP-155 chain id. */
  readonly chain_id: number
  readonly fieldset?: Fieldset
  /** One pool instead of all of the chain. Needs an API key; without one, only the chain's default pool is returned. */
  readonly pool_address?: Address
  /** The seconds that the fees of the pairs are for; each pool's default if absent. */
  readonly time_in_seconds?: number
  /** The state of a quote instead of the current one, for a minute. Needs an API key. */
  readonly state_id?: string
}

/** A request for what quotes of many sizes would be. */
export interface CurveRequest {
  /** EIP-155 chain id. */
  readonly chain_id: number
  readonly input_asset_symbol: string
  readonly output_asset_symbol: string
  /** The inputs in base units, 1 to 32 of them. */
  readonly amounts: readonly bigint[]
  /** Values of `time_in_seconds`, at most 8; the pool's default if absent. */
  readonly times?: readonly number[]
  /** The pool, instead of the one that serves most of the sizes. */
  readonly pool_address?: Address
}

/** A request for signed swaps of this client; all of them if empty. */
export interface SwapsRequest {
  /** Only swaps that were signed in this Unix second or later. */
  readonly since?: number
  /** Only swaps that were signed before this Unix second. */
  readonly until?: number
  /** The `next_cursor` of the page before. */
  readonly cursor?: string
  /** The most swaps of a page, 1 to 100; 100 if absent. */
  readonly limit?: number
}

/** A request for price levels. */
export interface LevelsRequest {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** Symbols of input and output of each book; all pairs in both directions if absent. */
  readonly pairs?: readonly (readonly [input: string, output: string])[]
  /** One pool instead of all of the chain. */
  readonly pool_address?: Address
  /** The `time_in_seconds` that the fee in the levels is for; the pool's default if absent. */
  readonly time_in_seconds?: number
  /** The most knots of a book, 2 to 64; 16 if absent. */
  readonly knots?: number
  /** `cumulative` knots, the default, or `incremental` bands. */
  readonly format?: 'cumulative' | 'incremental'
}

/** What a single call may change. */
export interface CallOptions {
  /** Cancels the call, also between retries; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** The time for one attempt in milliseconds, instead of that of the settings. */
  readonly timeoutMs?: number
  /** The request id, 1 to 64 letters, digits, dots, underscores and hyphens; a fresh one by default. */
  readonly requestId?: string
  /** `false` for a single attempt. */
  readonly retry?: false
  /** The Unix second after which the request is not repeated any more. */
  readonly retryUntil?: number
}
