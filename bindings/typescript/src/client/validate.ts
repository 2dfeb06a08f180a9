/** Checks that a response matches its request. A signed swap is sent to the chain unchanged, so nothing else may pass. */

import type { OffchainData, OnchainData, PoolData, Quote, QuotedSwap, QuoteGrid, SignedSwap } from '../api/responses.js'
import { InvalidResponseError } from '../errors/errors.js'
import { unpackGoodUntil } from '../responses/good-until.js'
import { isSameHex } from '../responses/values.js'
import type { CurveRequest, PoolsRequest, QuoteRequest, SwapTerms } from './requests.js'

/** What is wrong with a response; `undefined` if nothing is. */
type Problem = string | undefined

/** Throws `InvalidResponseError` for the first problem. */
export function refuse(requestId: string, ...problems: readonly Problem[]): void {
  const problem = problems.find((found) => found !== undefined)
  if (problem !== undefined) throw new InvalidResponseError(200, problem, requestId)
}

/** Chain, fixed amount, pool and levels. */
export function amountsProblem(request: QuoteRequest, found: Quote | QuotedSwap, pool: string): Problem {
  if (found.chain_id !== request.chain_id) return 'chain_id differs from the request'
  const isInput = request.input_amount === undefined || request.input_amount === found.input_amount
  const isOutput = request.output_amount === undefined || request.output_amount === found.output_amount
  if (!isInput || !isOutput) return 'it is for another amount'
  const isPool = request.pool_address === undefined || isSameHex(request.pool_address, pool)
  if (!isPool) return 'pool_address differs from the request'
  const isOfLevels = (request.levels_id ?? '').toLowerCase() === (found.levels_id ?? '').toLowerCase()
  return isOfLevels ? undefined : 'levels_id differs from the request'
}

/** Destination and calldata, which is what a response shows of its terms, and that `expires_at` is that of `good_until`. */
export function termsProblem(terms: SwapTerms, swap: SignedSwap): Problem {
  if (!isSameHex(swap.destination_address, terms.destination_address)) return 'it pays to another destination'
  const { expires_at } = unpackGoodUntil(swap.good_until)
  if (BigInt(swap.expires_at) !== expires_at) return 'its expires_at is not that of good_until'
  const hasCalldata = swap.calldata !== undefined
  return hasCalldata === (terms.calldata === true)
    ? undefined
    : 'it has unrequested calldata, or lacks requested calldata'
}

/** Whether the swap is what was quoted. */
export function quoteProblem(quote: Quote, swap: SignedSwap): Problem {
  const isSame =
    quote.chain_id === swap.chain_id &&
    isSameHex(quote.input_asset_address, swap.input_asset_address) &&
    isSameHex(quote.output_asset_address, swap.output_asset_address) &&
    isSameHex(quote.pool_address, swap.service_exchange_address) &&
    quote.input_amount === swap.input_amount &&
    quote.output_amount === swap.output_amount &&
    quote.good_until === swap.expires_at
  return isSame ? undefined : 'the swap differs from the quote'
}

/** Whether `fresh` may replace `quote`: the same swap, and one of its amounts, since a quote does not say which one was fixed. */
export function freshQuoteProblem(quote: Quote, fresh: Quote): Problem {
  const isSameSwap =
    quote.chain_id === fresh.chain_id &&
    isSameHex(quote.pool_address, fresh.pool_address) &&
    isSameHex(quote.input_asset_address, fresh.input_asset_address) &&
    isSameHex(quote.output_asset_address, fresh.output_asset_address)
  if (!isSameSwap) return 'it is for another swap'
  const isSameAmount = quote.input_amount === fresh.input_amount || quote.output_amount === fresh.output_amount
  return isSameAmount ? undefined : 'it is for another amount'
}

/**
 * Count, chain, pool, state and time of pool data. The service refuses a chain without a pool. On-chain data has no time.
 */
export function poolsProblem(
  { chain_id, pool_address, state_id, time_in_seconds }: PoolsRequest,
  records: readonly (OnchainData | OffchainData | PoolData)[],
): Problem {
  const isSingle = pool_address !== undefined || state_id !== undefined
  if (isSingle && records.length !== 1) return 'expected exactly one pool'
  if (records.length === 0) return 'it has no pool'
  for (const { pool } of records) {
    if (pool.chain_id !== chain_id) return 'chain_id differs from the request'
    if (pool_address !== undefined && !isSameHex(pool_address, pool.address))
      return 'pool_address differs from the request'
    if (state_id !== undefined && !isSameHex(state_id, pool.state_id)) return 'state_id differs from the request'
    const isSameTime =
      !('time_in_seconds' in pool) || (time_in_seconds ?? pool.time_in_seconds) === pool.time_in_seconds
    if (!isSameTime) return 'time_in_seconds differs from the request'
  }
  return undefined
}

/** Whether the grid is about the chain, pool, inputs and times of the request. */
export function gridProblem(request: CurveRequest, grid: QuoteGrid): Problem {
  const { amounts, times, pool_address } = request
  const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
    a.length === b.length && a.every((item, index) => item === b[index])
  const rowTimes = grid.rows.map((row) => row.time_in_seconds)
  const answers =
    grid.chain_id === request.chain_id &&
    (pool_address === undefined || isSameHex(pool_address, grid.pool_address)) &&
    isSame(grid.input_amounts, amounts) &&
    (times === undefined || times.length === 0 ? rowTimes.length === 1 : isSame(rowTimes, times)) &&
    grid.rows.every((row) => row.output_amounts.length === amounts.length)
  return answers ? undefined : 'it does not match the request'
}
