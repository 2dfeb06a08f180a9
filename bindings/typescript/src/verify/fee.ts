/**
 * The fee formula. A taker holds a free option from the quote until the swap lands; the fee grows with that time:
 *
 *     base + 10000 * 0.4 * volatility * sqrt((acceptance window + time) / year)
 *
 * in basis points, with a year of 365 days, rounded up to 0.01. In integers, without a double.
 */
import { Decimal } from '../json/decimal.js'
import { ceilDivide } from './interval.js'

/** What the fee of a pair is computed with. Pool data publish the result only: these come from the operator. */
export interface FeeParameters {
  /** The fee for no time at all. */
  readonly base_bps: Decimal
  /** The annual volatility of the pair, as a fraction. */
  readonly volatility: Decimal
  readonly acceptance_window_seconds: number
  /** The `time_in_seconds` of the quote. */
  readonly time_in_seconds: number
}

const YEAR_SECONDS = 365n * 86_400n
/** 10000 * 0.4 basis points, in hundredths. */
const OPTION_HUNDREDTHS = 400_000n

/**
 * The fee in basis points, a multiple of 0.01. Rounded up, in favour of the pool.
 *
 * @throws {RangeError} for negative values and fractions of a second.
 */
export function feeInBasisPoints({ base_bps, volatility, ...times }: FeeParameters): Decimal {
  const seconds = BigInt(times.acceptance_window_seconds) + BigInt(times.time_in_seconds)
  if (base_bps.units < 0n || volatility.units < 0n || seconds < 0n) throw new RangeError('a fee has no negative part')
  // All in steps of 10^-decimals of a hundredth of a basis point: the root is rounded up to such a step, which changes
  // nothing, since an integer is at least a root if and only if it is at least the root rounded up.
  const decimals = Math.max(base_bps.decimals, volatility.decimals)
  const spread = OPTION_HUNDREDTHS * volatility.toUnits(decimals)
  const option = ceilRoot(ceilDivide(spread * spread * seconds, YEAR_SECONDS))
  const hundredths = ceilDivide(100n * base_bps.toUnits(decimals) + option, 10n ** BigInt(decimals))
  return Decimal.of(hundredths, 2)
}

/** The square root of an integer that is not negative, rounded up. */
function ceilRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root * root === value ? root : root + 1n
    root = next
  }
}
