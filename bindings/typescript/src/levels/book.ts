/** Books of price levels, and what they give for an input. */
import type { Decimal } from '../json/decimal.js'
import {
  amount,
  DecodeError,
  type Decoder,
  decimal,
  decimalText,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  pair,
  text,
} from '../json/decode.js'
import { type Address, address, id, optionalAmount, symbol } from '../responses/values.js'

/** A knot: cumulative input and output, in base units. */
export type Knot = readonly [input: bigint, output: bigint]

/** Levels of one pair in one direction. */
export interface LevelBook {
  /** Grows from book to book of the same pool, input and output, and may skip numbers. */
  readonly seq: number
  /** Identifies these levels. */
  readonly levels_id: string
  /** What the levels were computed with. */
  readonly state_id: string
  /** The pool contract. */
  readonly pool_address: Address
  readonly input_asset_symbol: string
  readonly input_asset_address: Address
  readonly input_asset_decimals: number
  readonly output_asset_symbol: string
  readonly output_asset_address: Address
  readonly output_asset_decimals: number
  /** Unix milliseconds of the oldest price or reserve in the book. */
  readonly as_of_ms: number
  /** Unix milliseconds of the publication. */
  readonly published_ms: number
  /** Unix milliseconds from which on a price or a reserve is too old, by the clock of the service. */
  readonly valid_until_ms: number
  /** The `time_in_seconds` that the fee is for. */
  readonly time_in_seconds: number
  /** The fee included in the outputs, exactly. */
  readonly fee_in_basis_points: Decimal
  /** Whether the levels are a promise, to quotes that name them. */
  readonly firm: boolean
  /** Whether quotes give what the levels say at every size. */
  readonly certain: boolean
  /** What one client can use of the levels while they are firm, in base units of the input; null without a promise. */
  readonly firm_budget_input: bigint | null
  /** The input of the first knot, in base units. */
  readonly minimum_input: bigint | null
  /** The input of the last knot, in base units. */
  readonly maximum_input: bigint | null
  /** How much less than a quote the line gives at most, besides less than two base units of rounding. */
  readonly max_shortfall_bps: Decimal
  /** Whether the book has `knots` or `bands`. */
  readonly semantics: 'cumulative_input_output_floor' | 'incremental_price_size'
  /** From small to large, with straight lines between them. */
  readonly knots?: readonly Knot[]
  /** With `format: 'incremental'`: price and size in whole tokens, best first. */
  readonly bands?: readonly (readonly [price: Decimal, size: Decimal])[]
}

/** A pair in one direction for which nothing is quoted at present. */
export interface WithdrawnLevels {
  /** The pool contract. */
  readonly pool_address: Address
  readonly input_asset_symbol: string
  readonly output_asset_symbol: string
  /** Why, such as `stale_prices` or `paused`; later releases of the service may have more reasons. */
  readonly reason: string
}

/** The levels of a chain's pools. */
export interface LevelsSnapshot {
  /** EIP-155 chain id. */
  readonly chain_id: number
  /** The books that are live. */
  readonly books: readonly LevelBook[]
  /** The books for which nothing is quoted at present. */
  readonly withdrawn: readonly WithdrawnLevels[]
}

/**
 * What a quote for `input` gives at least, in base units: the straight line between two knots, rounded down.
 * `undefined` outside the knots, where nothing is promised, and for a book of bands.
 */
export function outputFor(book: Pick<LevelBook, 'knots'>, input: bigint): bigint | undefined {
  const knots = book.knots ?? []
  const position = knots.findIndex(([knot]) => knot >= input)
  const [end, start] = [knots[position], knots[position - 1]]
  if (end === undefined) return undefined
  if (end[0] === input) return end[1]
  if (start === undefined) return undefined
  return start[1] + ((input - start[0]) * (end[1] - start[1])) / (end[0] - start[0])
}

/** Whether the knots rise, and the price from knot to knot never does. */
export function isConcave(knots: readonly Knot[]): boolean {
  const steps = knots.slice(1).map(([input, output], index) => {
    const [previousInput, previousOutput] = knots[index] ?? [input, output]
    return [input - previousInput, output - previousOutput] as const
  })
  const rises = steps.every(([width, rise]) => width > 0n && rise > 0n)
  const falls = steps.slice(1).every(([width, rise], index) => {
    const [previousWidth, previousRise] = steps[index] ?? [width, rise]
    return rise * previousWidth <= previousRise * width
  })
  return knots.length > 0 && rises && falls
}

const members = object<LevelBook>({
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
  firm_budget_input: optionalAmount,
  minimum_input: optionalAmount,
  maximum_input: optionalAmount,
  max_shortfall_bps: decimal,
  semantics: oneOf(['cumulative_input_output_floor', 'incremental_price_size']),
  knots: optional(list(pair(amount))),
  bands: optional(list(pair(decimalText))),
})

/** A book; one whose prices rise is refused, since interpolation would promise what no quote gives. */
export const levelBook: Decoder<LevelBook> = (value, path) => {
  const book = members(value, path)
  if (book.semantics === 'cumulative_input_output_floor' && !isConcave(book.knots ?? [])) {
    throw new DecodeError(`${path}: prices within a book must not rise`)
  }
  return book
}

export const levelsSnapshot = object<LevelsSnapshot>({
  chain_id: integer,
  books: list(levelBook),
  withdrawn: list(
    object<WithdrawnLevels>({
      pool_address: address,
      input_asset_symbol: symbol,
      output_asset_symbol: symbol,
      reason: text,
    }),
  ),
})
