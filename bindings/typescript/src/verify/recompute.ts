/** Recomputes a quote from the pool data of its state, to the base unit. */

import type { LevelBook, PoolData, Quote, QuotedSwap } from '../api/responses.js'
import type { QuoteRequest } from '../client/requests.js'
import type { Decimal } from '../json/decimal.js'
import { isSameHex, unixMilliseconds } from '../responses/values.js'
import { type Check, compare } from './checks.js'
import type { Solution } from './formula.js'
import { isOfRequestedLevels, levelsAmountsCheck, levelsCheck, levelsFeeCheck } from './levels.js'
import { type Offer, offeredInput, offeredOutput } from './offer.js'

/** The members of a quote that are verified. */
export type VerifiableQuote = Omit<Quote, 'must_accept_by'> & Partial<Pick<Quote, 'must_accept_by'>>

/** What a quote is verified with. */
export interface QuoteVerification {
  /** The request that was sent. */
  readonly request: QuoteRequest
  /** The quote; of a swap that was quoted and signed at once, `quoteOf`. */
  readonly quote: VerifiableQuote
  /** Pool data with `fieldset: 'all'`, the `state_id` of the quote and the `time_in_seconds` of the request. */
  readonly pool: PoolData
  /** The kind of the pool, if known: for a `plain` one, amounts below the formula are wrong. */
  readonly poolKind?: 'plain' | 'verified'
  /**
   * The firm book, with knots, whose `levels_id` the request named, as it was received before the quote. Without it, amounts
   * of levels that are worse than the formula, and a fee of levels above the published one, are `undecided`.
   */
  readonly book?: LevelBook
}

/** The quote within a swap that was quoted and signed at once. */
export function quoteOf(swap: QuotedSwap): VerifiableQuote {
  return { ...swap, good_until: swap.expires_at }
}

/**
 * What quotes between two assets of a pool are computed with, or `undefined` if the pool data lack an asset, its balance or
 * its price, or nothing is left of its reserve. Assets are given by symbol or by token address.
 */
export function offerOf(pool: PoolData, input: string, output: string, fee: Decimal): Offer | undefined {
  const [x, y] = [input, output].map((asset) =>
    pool.assets.find(({ name, address }) => name === asset || isSameHex(address, asset)),
  )
  if (x?.balance == null || y?.balance == null || x.price_in_usd === null || y.price_in_usd === null) return undefined
  const [inputReserve, outputReserve] = [x.balance + x.outstanding_inflow, y.balance - y.outstanding_outflow]
  if (outputReserve <= 0n) return undefined
  const side = (asset: typeof x, price: Decimal, reserve: bigint) => ({
    reserve,
    price: price.toUnits(8),
    weight: BigInt(asset.listing_weight),
    decimals: asset.decimals,
  })
  return {
    input: side(x, x.price_in_usd, inputReserve),
    output: side(y, y.price_in_usd, outputReserve),
    k: pool.pool.k.toUnits(18),
    fee: fee.toUnits(2),
    maxImprovement: pool.pool.max_improvement_bps?.toUnits(2),
  }
}

/** The published fee of a pair, in either order; `undefined` if the pair is not quoted. */
export function pairFee(pool: PoolData, one: string, other: string): Decimal | undefined {
  return pool.pairs.find(({ assets }) => assets.includes(one) && assets.includes(other))?.fee_in_basis_points
}

/** Recomputes the amount that the service computed: the output of a fixed input, or the input of a fixed output. */
export function recompute(offer: Offer, request: Pick<QuoteRequest, 'input_amount' | 'output_amount'>): Solution {
  if (request.input_amount !== undefined) return offeredOutput(offer, request.input_amount)
  if (request.output_amount !== undefined) return offeredInput(offer, request.output_amount)
  throw new RangeError('a request has an amount')
}

/**
 * Compares a quote with its request and with what the published numbers give. Checks `chain`, `pool`, `assets`,
 * `fixed_amount`, `expiry`, `state`, `fee`, `amounts` and, for a quote of price levels, `levels`.
 *
 * Levels count only if the request named them; others are `differs`. What a quote says about its levels proves nothing: its
 * amounts are `ok` if they are no worse for the taker than the formula at the quote's own fee and that is the published fee
 * or at most the one of `book`; they are `levels` if they keep to `book`, `undecided` without one, and otherwise `differs`.
 */
export function verifyQuote(verification: QuoteVerification): Check[] {
  const { request, quote, pool } = verification
  const [state, fee] = [stateCheck(quote, pool), feeCheck(verification)]
  return [
    compare('chain', quote.chain_id, request.chain_id),
    compare('pool', quote.pool_address, request.pool_address ?? pool.pool.address),
    compare('assets', assetsOf(quote), tokensOf(pool, request)),
    fixedAmountCheck(verification),
    expiryCheck(verification),
    state,
    fee,
    amountsCheck(verification, state, fee),
    ...(quote.levels_id === undefined && request.levels_id === undefined ? [] : [levelsCheck(verification)]),
  ]
}

function stateCheck(quote: VerifiableQuote, { pool }: PoolData): Check {
  const isSame = quote.state_id === pool.state_id && isSameHex(quote.pool_address, pool.address)
  if (isSame) return { name: 'state', outcome: 'ok', detail: quote.state_id }
  return {
    name: 'state',
    outcome: 'undecided',
    detail: `the pool data are of state ${pool.state_id}, not ${quote.state_id}`,
  }
}

function fixedAmountCheck({ request, quote }: QuoteVerification): Check {
  return request.input_amount === undefined
    ? compare('fixed_amount', quote.output_amount, request.output_amount)
    : compare('fixed_amount', quote.input_amount, request.input_amount)
}

function expiryCheck({ request, quote, pool }: QuoteVerification): Check {
  if (quote.must_accept_by === undefined) {
    return { name: 'expiry', outcome: 'ok', detail: `${quote.good_until}; a quote that is signed names no deadline` }
  }
  const seconds = Math.floor(unixMilliseconds(quote.must_accept_by) / 1000)
  return compare('expiry', quote.good_until, seconds + (request.time_in_seconds ?? pool.pool.default_time_in_seconds))
}

function feeCheck(verification: QuoteVerification): Check {
  const { request, quote, pool } = verification
  const listed = pairFee(pool, request.input_asset_symbol, request.output_asset_symbol)
  const seconds = request.time_in_seconds ?? pool.pool.default_time_in_seconds
  const published = pool.pool.time_in_seconds === seconds ? listed : undefined
  const isPublished = published !== undefined && quote.fee_in_basis_points.equals(published)
  if (!isPublished && isOfRequestedLevels(verification)) return levelsFeeCheck(verification, published)
  if (published !== undefined) return compare('fee', quote.fee_in_basis_points, published)
  const detail =
    listed === undefined
      ? 'the pool data have no such pair'
      : `the pool data are for ${pool.pool.time_in_seconds} s, the quote for ${seconds} s`
  return { name: 'fee', outcome: 'undecided', detail }
}

function amountsCheck(verification: QuoteVerification, state: Check, fee: Check): Check {
  const { request, quote, pool, poolKind } = verification
  const name = 'amounts'
  const isOfLevels = isOfRequestedLevels(verification)
  const offer = offerOf(pool, request.input_asset_symbol, request.output_asset_symbol, quote.fee_in_basis_points)
  if (state.outcome !== 'ok' || offer === undefined) {
    if (isOfLevels) return levelsAmountsCheck(verification, false)
    const undecided: Check = { name, outcome: 'undecided', detail: 'the pool data lack a balance or a price' }
    return state.outcome !== 'ok' ? { ...state, name } : undecided
  }
  const isInputFixed = request.input_amount !== undefined
  const [found, solution] = [isInputFixed ? quote.output_amount : quote.input_amount, recompute(offer, request)]
  const isWorse = typeof solution !== 'bigint' || (isInputFixed ? found < solution : found > solution)
  if (isOfLevels) {
    return levelsAmountsCheck(verification, !isWorse && (fee.outcome === 'ok' || fee.outcome === 'levels'))
  }
  const side = isInputFixed ? 'output_amount' : 'input_amount'
  if (found === solution) return { name, outcome: 'ok', detail: `${side} ${found}` }
  const detail = `${side} ${found}, expected: ${solution}`
  if (solution === 'undecided') return { name, outcome: 'undecided', detail }
  const isLower = typeof solution === 'bigint' && isWorse && poolKind !== 'plain'
  return { name, outcome: isLower ? 'lower' : 'differs', detail }
}

function assetsOf(quote: VerifiableQuote): string {
  return `${quote.input_asset_address} for ${quote.output_asset_address}`
}

function tokensOf(pool: PoolData, request: QuoteRequest): string {
  const token = (symbol: string) => pool.assets.find(({ name }) => name === symbol)?.address ?? symbol
  return `${token(request.input_asset_symbol)} for ${token(request.output_asset_symbol)}`
}
