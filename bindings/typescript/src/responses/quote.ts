/** The Quote object, and what quotes of many sizes would be. */
import type { Decimal } from '../json/decimal.js'
import { amount, baseUnits, decimal, float, integer, list, nullable, object, optional } from '../json/decode.js'
import { type Address, address, id, optionalAmount, type UtcTime, utcTime, uuid } from './values.js'

/** What a quote adds to its amounts; a quoted and signed swap has it as well. */
export interface Pricing {
  /** Identifies the quote when it is signed. */
  readonly id: string
  /** The Unix second in which the quote was made. */
  readonly created_at: number
  /** Value of the input in US dollars. A float: for display. */
  readonly input_value_in_usd: number
  /** Value of the output in US dollars. A float: for display. */
  readonly output_value_in_usd: number
  /** Whole output tokens for a whole input token. A float: the amounts are authoritative. */
  readonly rate: number
  /** The pool contract that pays. */
  readonly pool_address: Address
  /** What the amounts were computed with: the pool data of this state tell it. */
  readonly state_id: string
  /** The fee included in the amounts, exactly. */
  readonly fee_in_basis_points: Decimal
  /** The largest single trade that is signed for this client, in US dollars; null if only the reserves limit it. */
  readonly largest_trade_in_usd: Decimal | null
  /** The levels that the request named. */
  readonly levels_id?: string
  /** What these levels give for the input, in base units: no more than the output. */
  readonly levels_output?: bigint
  /** What is left of the client's budget of these levels, in base units of the input. */
  readonly firm_budget_left_input?: bigint
}

/** Chain, tokens and amounts of a swap. */
export interface SwapAmounts {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The token that the pool receives; the wrapped one for the chain's native coin. */
  readonly input_asset_address: Address
  /** Base units that the pool receives. Rounded up if the output was fixed. */
  readonly input_amount: bigint
  /** The token that the pool pays; the wrapped one for the chain's native coin. */
  readonly output_asset_address: Address
  /** Base units that the pool pays. Rounded down if the input was fixed. */
  readonly output_amount: bigint
}

/** A firm quote: what the pool pays for what, if it is signed in time. */
export interface Quote extends Pricing, SwapAmounts {
  /** The first instant at which the quote can no longer be signed, by the service's clock. */
  readonly must_accept_by: UtcTime
  /** The last Unix second in which the signed swap is valid on chain. */
  readonly good_until: number
}

/** What quotes would be, in one state of one pool. None of them is kept. */
export interface QuoteGrid {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The pool contract. */
  readonly pool_address: Address
  /** What the outputs were computed with. */
  readonly state_id: string
  /** The input token. */
  readonly input_asset_address: Address
  /** The output token. */
  readonly output_asset_address: Address
  /** The inputs in base units, in the order of the request. */
  readonly input_amounts: readonly bigint[]
  /** The outputs for each validity, in the order of the request. */
  readonly rows: readonly QuoteGridRow[]
}

/** What quotes of one validity would be. */
export interface QuoteGridRow {
  /** Seconds between accepting a quote and the transaction on chain. */
  readonly time_in_seconds: number
  /** The fee included in the outputs, exactly. */
  readonly fee_in_basis_points: Decimal
  /** The output of each input in base units; null where a quote is refused as too small or too large. */
  readonly output_amounts: readonly (bigint | null)[]
}

export const PRICING_MEMBERS = {
  id: uuid,
  created_at: integer,
  input_value_in_usd: float,
  output_value_in_usd: float,
  rate: float,
  pool_address: address,
  state_id: id,
  fee_in_basis_points: decimal,
  largest_trade_in_usd: nullable(decimal),
  levels_id: optional(id),
  levels_output: optional(amount),
  firm_budget_left_input: optional(baseUnits),
} as const

export const SWAP_MEMBERS = {
  chain_id: integer,
  input_asset_address: address,
  input_amount: amount,
  output_asset_address: address,
  output_amount: amount,
} as const

export const quote = object<Quote>({
  ...PRICING_MEMBERS,
  ...SWAP_MEMBERS,
  must_accept_by: utcTime,
  good_until: integer,
})

const quoteGridRow = object<QuoteGridRow>({
  time_in_seconds: integer,
  fee_in_basis_points: decimal,
  output_amounts: list(optionalAmount),
})

export const quoteGrid = object<QuoteGrid>({
  chain_id: integer,
  pool_address: address,
  state_id: id,
  input_asset_address: address,
  output_asset_address: address,
  input_amounts: list(amount),
  rows: list(quoteGridRow),
})
