/** What became of a quote. */
import { baseUnits, integer, nullable, object, oneOf } from '../json/decode.js'
import { execution } from './signed.js'
import { type Address, address, bytes32, type Execution, type Hex, type UtcTime, utcTime, uuid } from './values.js'

/** `created`: not signed; `signed`: may be executed; `settled`: executed; `lapsed`: expired without execution. */
export type SwapState = 'created' | 'signed' | 'settled' | 'lapsed'

/** What became of a quote. A reorganization of the chain turns `settled` and `lapsed` into `signed` again. */
export interface QuoteStatus {
  readonly quote_id: string
  readonly state: SwapState
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The pool contract. */
  readonly pool_address: Address
  /** The Unix second in which the quote was made. */
  readonly created_at: number
  /** The first instant at which the quote can no longer be signed. */
  readonly must_accept_by: UtcTime
  /** The last Unix second in which the signed swap is valid on chain. */
  readonly good_until: number
  /** When it was signed; null before that. */
  readonly signed_at: UtcTime | null
  /** Whether the signed swap executes no matter which other swaps execute first; null before it is signed. */
  readonly execution: Execution | null
  /** The execution; null unless the swap is settled. */
  readonly settled: Settlement | null
}

/** The execution of a swap, as the event of the pool contract states it. */
export interface Settlement {
  readonly transaction_hash: Hex
  /** The position of the event among those of its block. */
  readonly log_index: number
  readonly block_number: number
  /** The Unix second of the block. */
  readonly block_timestamp: number
  /** The number of blocks from this one to the newest, both included; null until the replica has read this block. */
  readonly confirmations: number | null
  /** Base units that were paid in. */
  readonly input_amount: bigint
  /** Base units that were paid out. */
  readonly output_amount: bigint
}

/** Whether the state is final: lapsed, or settled with that many confirmations. */
export function isFinal(status: QuoteStatus, confirmations: number): boolean {
  return status.state === 'lapsed' || (status.settled?.confirmations ?? 0) >= Math.max(confirmations, 1)
}

const settlement = object<Settlement>({
  transaction_hash: bytes32,
  log_index: integer,
  block_number: integer,
  block_timestamp: integer,
  confirmations: nullable(integer),
  input_amount: baseUnits,
  output_amount: baseUnits,
})

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
