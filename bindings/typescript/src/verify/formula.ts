/**
 * The pricing formula, correctly rounded: the output of an input rounded down, the input for an output rounded up,
 * both of the exact real solution. Never through a double.
 *
 * With u(q) = (price * q)^(1-k) / weight^k, a swap solves uX(qX + M in) - uX(qX) = uY(qY) - uY(qY - out), where
 * M = 1 - fee. The solution is enclosed by an interval; where that contains two candidates, the precision is doubled
 * (Ziv 1991), and a solution that is an integer itself is found by an exact test. For k = 0 all of it is rational.
 */
import { isExactSolution } from './exact-hit.js'
import {
  add,
  bitLength,
  ceilDivide,
  type FixedPoint,
  fixedPoint,
  type Interval,
  max,
  min,
  scale,
  subtract,
} from './interval.js'

/** One side of a swap. */
export interface CurveSide {
  /** Base units that the formula starts from: the balance with what is outstanding against the swap. */
  readonly reserve: bigint
  /** US dollars for a whole token, in steps of 1e-8. */
  readonly price: bigint
  /** Listing weight. */
  readonly weight: bigint
  /** Decimals of the token. */
  readonly decimals: number
}

/** What a quote is computed with. */
export interface Curve {
  readonly input: CurveSide
  readonly output: CurveSide
  /** The pool constant, in steps of 1e-18; less than 1. */
  readonly k: bigint
  /** The fee in hundredths of a basis point, which is in steps of 1e-6; less than 1. */
  readonly fee: bigint
}

/**
 * The amount, or why there is none: `beyond_reserve` if the swap would take the whole output reserve or more,
 * `too_large` if the input would exceed 2^256 - 1, `undecided` if 32,768 bits do not tell the rounded amount.
 */
export type Solution = bigint | 'beyond_reserve' | 'too_large' | 'undecided'

const E18 = 10n ** 18n
/** Steps of a fee, or of a bound, in the whole. */
export const E6 = 10n ** 6n
/** The largest amount of a token. */
export const MAX_AMOUNT = 2n ** 256n - 1n
const GUARD_BITS = 64
const MAX_BITS = 1 << 15

/**
 * The output for an exact input, in base units, rounded down.
 *
 * @throws {RangeError} if a value of the curve is out of range or the input is not positive.
 */
export function outputForInput(curve: Curve, input: bigint): Solution {
  checkCurve(curve, input)
  const { reserve } = curve.output
  if (curve.k === 0n) {
    const output = linear(curve, input)
    return output >= reserve ? 'beyond_reserve' : output
  }
  const solution = solve(curve, reserve, (arithmetic) => {
    const bounds = encloseOutput(arithmetic, curve, input)
    if (typeof bounds === 'string') return bounds
    const [lo, hi] = [bounds.lo >> arithmetic.bits, bounds.hi >> arithmetic.bits]
    if (lo === hi) return lo
    return hi === lo + 1n && isExactSolution(curve, input, hi) ? hi : undefined
  })
  return typeof solution === 'bigint' && solution >= reserve ? 'beyond_reserve' : solution
}

/**
 * The input for an exact output, in base units, rounded up.
 *
 * @throws {RangeError} if a value of the curve is out of range or the output is not positive.
 */
export function inputForOutput(curve: Curve, output: bigint): Solution {
  checkCurve(curve, output)
  if (output >= curve.output.reserve) return 'beyond_reserve'
  if (curve.k === 0n) {
    const input = inverseLinear(curve, output)
    return input > MAX_AMOUNT ? 'too_large' : input
  }
  return solve(curve, curve.input.reserve, (arithmetic) => {
    const bounds = encloseInput(arithmetic, curve, output)
    if (typeof bounds === 'string') return bounds
    const [lo, hi] = [ceilDivide(bounds.lo, arithmetic.one), ceilDivide(bounds.hi, arithmetic.one)]
    if (lo > MAX_AMOUNT) return 'too_large'
    if (lo === hi) return lo
    return hi === lo + 1n && isExactSolution(curve, lo, output) ? lo : undefined
  })
}

/** Tries one precision after another. The first one makes an enclosure far narrower than a base unit. */
function solve(curve: Curve, reserve: bigint, attempt: (arithmetic: FixedPoint) => Solution | undefined): Solution {
  const [x, y] = worths(curve)
  const imbalance = Math.abs(bitLength(x) - bitLength(y)) + bitLength(curve.input.weight * curve.output.weight)
  const stretch = bitLength(E18 / (E18 - curve.k))
  const first = bitLength(reserve) + imbalance + stretch + GUARD_BITS
  for (let bits = Math.ceil(first / 64) * 64; bits <= MAX_BITS; bits *= 2) {
    const solution = attempt(fixedPoint(bits))
    if (solution !== undefined) return solution
  }
  return 'undecided'
}

/** out = qY (1 - (1 - d)^(1/a)) with d = (uX/uY) ((1 + M in/qX)^a - 1). */
function encloseOutput(arithmetic: FixedPoint, curve: Curve, input: bigint): Interval | 'beyond_reserve' {
  const { one } = arithmetic
  const [x, y] = [curve.input.reserve * E6, curve.output.reserve]
  const ratio = lnWorthRatio(arithmetic, curve)
  const growth = scale(arithmetic.lnRatio(x + (E6 - curve.fee) * input, x), E18 - curve.k, E18)
  const gained = subtract(arithmetic.exp(add(ratio, growth)), arithmetic.exp(ratio))
  const left = subtract({ lo: one, hi: one }, gained)
  if (left.hi <= 0n) return 'beyond_reserve'
  const hi = min(power(arithmetic, left.hi, curve).hi, one)
  const lo = left.lo <= 0n ? 0n : min(power(arithmetic, left.lo, curve).lo, one)
  return { lo: y * (one - hi), hi: y * (one - lo) }
}

/** in = qX ((1 + e)^(1/a) - 1) / M with e = (uY/uX) (1 - (1 - out/qY)^a). */
function encloseInput(arithmetic: FixedPoint, curve: Curve, output: bigint): Interval | 'too_large' {
  const { one } = arithmetic
  const y = curve.output.reserve
  const ratio = subtract({ lo: 0n, hi: 0n }, lnWorthRatio(arithmetic, curve))
  const decline = scale(arithmetic.lnRatio(y - output, y), E18 - curve.k, E18)
  const paid = subtract(arithmetic.exp(ratio), arithmetic.exp(add(ratio, decline)))
  const total = add({ lo: one, hi: one }, { lo: max(paid.lo, 0n), hi: paid.hi })
  const exponent = scale(arithmetic.ln(total), E18, E18 - curve.k)
  // e^300 > 2^256: the smallest reserve is one base unit.
  if (exponent.lo > 300n * one) return 'too_large'
  const grown = arithmetic.exp({ lo: exponent.lo, hi: min(exponent.hi, 301n * one) })
  const [over, under] = [curve.input.reserve * E6, E6 - curve.fee]
  return scale(subtract({ lo: max(grown.lo, one), hi: grown.hi }, { lo: one, hi: one }), over, under)
}

/** v^(1/a) of one number. */
function power(arithmetic: FixedPoint, v: bigint, curve: Curve): Interval {
  return arithmetic.exp(scale(arithmetic.ln({ lo: v, hi: v }), E18, E18 - curve.k))
}

/** ln(uX/uY), from u = (price * q * weight)^(1-k) / weight. */
function lnWorthRatio(arithmetic: FixedPoint, curve: Curve): Interval {
  const [x, y] = worths(curve)
  const weights = arithmetic.lnRatio(curve.output.weight, curve.input.weight)
  return add(scale(arithmetic.lnRatio(x, y), E18 - curve.k, E18), weights)
}

/** price * quantity * weight of both sides, in one unit. */
function worths({ input: x, output: y }: Curve): [bigint, bigint] {
  const worth = (side: CurveSide, other: CurveSide) =>
    side.weight * side.price * side.reserve * 10n ** BigInt(other.decimals)
  return [worth(x, y), worth(y, x)]
}

/** The output at k = 0, where values are swapped as they are. */
function linear({ input: x, output: y, fee }: Curve, input: bigint): bigint {
  return (x.price * (E6 - fee) * input * 10n ** BigInt(y.decimals)) / (y.price * E6 * 10n ** BigInt(x.decimals))
}

function inverseLinear({ input: x, output: y, fee }: Curve, output: bigint): bigint {
  return ceilDivide(y.price * E6 * output * 10n ** BigInt(x.decimals), x.price * (E6 - fee) * 10n ** BigInt(y.decimals))
}

function checkCurve({ input, output, k, fee }: Curve, amount: bigint): void {
  for (const { reserve, price, weight, decimals } of [input, output]) {
    if (reserve <= 0n || price <= 0n || weight <= 0n) throw new RangeError('reserve, price and weight are positive')
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > 77) throw new RangeError('decimals are 0 to 77')
  }
  if (k < 0n || k >= E18) throw new RangeError('k is at least 0 and less than 1')
  if (fee < 0n || fee >= E6) throw new RangeError('the fee is at least 0 and less than 10,000 basis points')
  if (amount <= 0n || amount > MAX_AMOUNT) throw new RangeError('an amount is 1 to 2^256 - 1')
}
