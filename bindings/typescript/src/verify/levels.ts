/**
 * Holds quotes of price levels to the book that promised them. A quote states itself what the levels give; only a book that
 * was received before, or the formula, proves it.
 */

import type { LevelBook } from '../api/responses.js'
import type { Decimal } from '../json/decimal.js'
import type { Knot } from '../levels/book.js'
import { isSameHex } from '../responses/values.js'
import { type Check, compare } from './checks.js'
import type { QuoteVerification } from './recompute.js'

/** Whether the quote is of levels, and of those that the request named: no other levels count. */
export function isOfRequestedLevels({ request, quote }: QuoteVerification): boolean {
  return (
    request.levels_id !== undefined && quote.levels_id !== undefined && isSameHex(quote.levels_id, request.levels_id)
  )
}

/** Checks that the quote is of the requested levels, and gives no less than they do by its own `levels_output`. */
export function levelsCheck(verification: QuoteVerification): Check {
  const { request, quote } = verification
  if (!isOfRequestedLevels(verification)) return compare('levels', quote.levels_id, request.levels_id)
  return { name: 'levels', outcome: keepsToLevels(verification) ? 'ok' : 'differs', detail: levelsDetail(verification) }
}

/**
 * The check of a fee that is not the published one, for a quote of requested levels: at most that of the book. It is lower,
 * without the margin of the promise, where the service gives more than the levels.
 */
export function levelsFeeCheck(verification: QuoteVerification, published: Decimal | undefined): Check {
  const { fee_in_basis_points: fee } = verification.quote
  const book = bookOf(verification)
  if (book === undefined) {
    if (published !== undefined && fee.compare(published) < 0) return compare('fee', fee, published)
    return { name: 'fee', outcome: 'undecided', detail: `${fee}, of levels whose book is missing` }
  }
  if (fee.compare(book.fee_in_basis_points) > 0) return compare('fee', fee, book.fee_in_basis_points)
  return { name: 'fee', outcome: 'levels', detail: `${fee}, of levels at ${book.fee_in_basis_points}` }
}

/** The check of the amounts of a quote of requested levels. `meetsFormula`: they are no worse than the formula's, at a right fee. */
export function levelsAmountsCheck(verification: QuoteVerification, meetsFormula: boolean): Check {
  const { request, quote } = verification
  const check = (outcome: Check['outcome'], detail: string): Check => ({ name: 'amounts', outcome, detail })
  const amounts = `output_amount ${quote.output_amount} for ${quote.input_amount}`
  if (!keepsToLevels(verification)) return check('differs', levelsDetail(verification))
  if (meetsFormula) return check('ok', `${amounts}, no worse than the formula`)
  const book = bookOf(verification)
  if (book === undefined) return check('undecided', `${amounts}, of levels whose book is missing`)
  const isOfPair =
    isSameHex(book.pool_address, quote.pool_address) &&
    isSameHex(book.input_asset_address, quote.input_asset_address) &&
    isSameHex(book.output_asset_address, quote.output_asset_address)
  if (!isOfPair) return check('differs', 'the book is of another pool, input or output')
  if (book.knots === undefined) return check('undecided', 'the book has no knots')
  if (quote.fee_in_basis_points.compare(book.fee_in_basis_points) > 0) {
    return check('differs', `${amounts}, at a higher fee than that of the book`)
  }
  const promised = leastOutput(book, quote.input_amount)
  if (promised === undefined) return check('differs', `${amounts}, which the book does not cover`)
  // An input for a wanted output is rounded up: one base unit less must not have been enough everywhere.
  const isKept =
    request.input_amount === undefined
      ? (leastOutput(book, quote.input_amount - 1n) ?? 0n) < quote.output_amount
      : quote.output_amount >= promised
  return check(isKept ? 'levels' : 'differs', `${amounts}, the book gives at least ${promised}`)
}

/**
 * What a firm book gives for `input` at least, in base units, rounded down, no matter which part of its budget other quotes use.
 * The line through the knots begins at nothing for nothing. `undefined` beyond the budget, and without a promise or knots.
 */
export function leastOutput(
  { knots = [], firm, firm_budget_input }: Pick<LevelBook, 'knots' | 'firm' | 'firm_budget_input'>,
  input: bigint,
): bigint | undefined {
  const last = knots.at(-1)?.[0] ?? 0n
  const budget = min(firm_budget_input ?? 0n, last)
  if (!firm || firm_budget_input === null || input > budget) return undefined
  // Prices fall from knot to knot, so the last part is the worst; up to the first knot, rounding may be worse.
  return min(rise(knots, 0n, input), rise(knots, budget - input, budget))
}

/** The rise of the line from one input to another, rounded down once: no part of the line between rounded outputs gives less. */
function rise(knots: readonly Knot[], from: bigint, to: bigint): bigint {
  const [start, end] = [outputAt(knots, from), outputAt(knots, to)]
  return (end[0] * start[1] - start[0] * end[1]) / (start[1] * end[1])
}

/** The output of the line, as a fraction. */
function outputAt(knots: readonly Knot[], input: bigint): readonly [numerator: bigint, denominator: bigint] {
  const position = knots.findIndex(([knot]) => knot >= input)
  const [x, y] = knots[position - 1] ?? [0n, 0n]
  const [endX, endY] = knots[position] ?? [x, y]
  return input === x ? [y, 1n] : [y * (endX - x) + (input - x) * (endY - y), endX - x]
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The book of the quote's levels, if it was given. */
function bookOf({ quote, book }: QuoteVerification): LevelBook | undefined {
  const isSame = book !== undefined && quote.levels_id !== undefined && isSameHex(book.levels_id, quote.levels_id)
  return isSame ? book : undefined
}

function keepsToLevels({ quote: { levels_output, output_amount } }: QuoteVerification): boolean {
  return levels_output !== undefined && output_amount >= levels_output
}

function levelsDetail({ quote }: QuoteVerification): string {
  return `output_amount ${quote.output_amount}, the levels give ${quote.levels_output}`
}
