/** Checks `good_until` of a signature. */

import type { PoolData, SignedSwap } from '../api/responses.js'
import { unpackGoodUntil } from '../responses/good-until.js'
import { isSameHex } from '../responses/values.js'
import { type Check, compare } from './checks.js'

/** What `good_until` is compared with. */
export interface ExpectedGoodUntil {
  /** The last Unix second of the quote. */
  readonly expires_at: number
  /** The pool data of the quote's state; without them the packed values are not compared. */
  readonly pool?: PoolData
  readonly poolKind?: 'plain' | 'verified'
}

/**
 * Compares `good_until` with the quote and its pool data: `good_until.kind`, `good_until.expires_at` and, if packed,
 * `good_until.prices`, `good_until.k` and `good_until.weights`. A pool that settles by price packs a k of 0 and a price of
 * the output at which it is worth less than the input.
 */
export function checkGoodUntil(swap: SignedSwap, { expires_at, pool, poolKind }: ExpectedGoodUntil): Check[] {
  const found = unpackGoodUntil(swap.good_until)
  const always = [
    compare('good_until.kind', found.kind, poolKind ?? found.kind),
    compare('good_until.expires_at', found.expires_at, expires_at),
    compare('expires_at', swap.expires_at, expires_at),
  ]
  if (found.kind === 'plain') return always
  const [x, y] = [swap.input_asset_address, swap.output_asset_address].map((token) =>
    pool?.assets.find(({ address }) => isSameHex(address, token)),
  )
  if (pool === undefined || x?.price_in_usd == null || y?.price_in_usd == null) {
    const detail = 'there are no pool data with prices of both assets'
    return [...always, { name: 'good_until.prices', outcome: 'undecided', detail }]
  }
  const [inputPrice, outputPrice, k] = [x.price_in_usd.toUnits(8), y.price_in_usd.toUnits(8), pool.pool.k.toUnits(18)]
  const bound = boundingPrice(swap, inputPrice, outputPrice, x.decimals, y.decimals)
  // Of a pool with a k of 0 both ways of settlement pack a k of 0, and only the price tells which it is.
  const byPrice = found.k === 0n && (k !== 0n || found.output_price !== outputPrice)
  const prices = `${inputPrice} and ${byPrice ? bound : outputPrice}`
  return [
    ...always,
    compare('good_until.prices', `${found.input_price} and ${found.output_price}`, prices),
    compare('good_until.k', found.k, byPrice ? 0n : k),
    compare(
      'good_until.weights',
      weights(found.input_weight, found.output_weight),
      weights(x.listing_weight, y.listing_weight),
    ),
  ]
}

/**
 * The price of the output that a pool with settlement by price packs, in steps of 1e-8: at most the one of the quote, and so
 * low that in the contract's arithmetic the output is worth less than the input. Amounts are taken to 18 decimals, and every
 * division truncates.
 */
function boundingPrice(
  { input_amount, output_amount }: SignedSwap,
  inputPrice: bigint,
  outputPrice: bigint,
  inputDecimals: number,
  outputDecimals: number,
): bigint {
  const [input, output] = [to18(input_amount, inputDecimals), to18(output_amount, outputDecimals)]
  if (output === 0n) return outputPrice
  const bound = (((inputPrice * input) / 10n ** 8n - 1n) * 10n ** 8n) / output
  return bound < outputPrice ? bound : outputPrice
}

function to18(amount: bigint, decimals: number): bigint {
  return decimals <= 18 ? amount * 10n ** BigInt(18 - decimals) : amount / 10n ** BigInt(decimals - 18)
}

function weights(input: bigint | number, output: bigint | number): string {
  return `${input} and ${output}`
}
