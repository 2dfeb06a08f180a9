/**
 * Decides whether two amounts solve the pricing equation exactly. No precision of an enclosure decides that, so it is
 * done in integers.
 *
 * With a = 1 - k and g = price * quantity * weight, an asset is worth g^a / weight. Times both weights, the equation is
 * a sum of four radicals with integer coefficients:
 *
 *     wY gX'^a - wY gX^a + wX gY'^a - wX gY^a = 0
 *
 * Positive real radicals are linearly independent over the rational numbers unless the ratio of two of them is rational
 * (Mordell 1953, Siegel 1971). So the sum is zero if and only if it is zero in each class of terms with rational ratios.
 * With a = m/N in lowest terms, (g/h)^a is rational if and only if g/h is the N-th power of a rational number.
 */
import type { Curve } from './formula.js'
import { bitLength } from './interval.js'

/** 10^18, the steps of k; 10^6, the steps of the fee. */
const E18 = 10n ** 18n
const E6 = 10n ** 6n

interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Whether a swap of `input` for `output`, both in base units, leaves the worth of the pool exactly as it was. */
export function isExactSolution(curve: Curve, input: bigint, output: bigint): boolean {
  const { input: x, output: y } = curve
  const scaleX = x.weight * x.price * 10n ** BigInt(y.decimals)
  const scaleY = y.weight * y.price * 10n ** BigInt(x.decimals) * E6
  const before = scaleX * x.reserve * E6
  const after = before + scaleX * (E6 - curve.fee) * input
  const terms: [coefficient: bigint, base: bigint][] = [
    [y.weight, after],
    [-y.weight, before],
    [x.weight, scaleY * (y.reserve - output)],
    [-x.weight, scaleY * y.reserve],
  ]
  const divisor = gcd(E18 - curve.k, E18)
  return isZeroSum(terms, (E18 - curve.k) / divisor, E18 / divisor)
}

/** Whether the sum of `coefficient * base^(m/n)` is zero. */
function isZeroSum(terms: readonly [bigint, bigint][], m: bigint, n: bigint): boolean {
  const classes: { readonly base: bigint; sum: Fraction }[] = []
  for (const [coefficient, base] of terms) {
    if (base === 0n) continue
    const term: Fraction = { numerator: coefficient, denominator: 1n }
    const kin = classes.find((known) => root({ numerator: base, denominator: known.base }, n) !== undefined)
    const ratio = kin && root({ numerator: base, denominator: kin.base }, n)
    if (kin === undefined || ratio === undefined) {
      classes.push({ base, sum: term })
      continue
    }
    // Where n exceeds the bits of the numbers, only 1 has a root, and no power of another number is taken.
    const power = ratio.numerator === ratio.denominator ? { numerator: 1n, denominator: 1n } : raise(ratio, m)
    kin.sum = sumOf(kin.sum, { numerator: coefficient * power.numerator, denominator: power.denominator })
  }
  return classes.every(({ sum }) => sum.numerator === 0n)
}

/** The rational n-th root of a positive fraction, if there is one. */
function root({ numerator, denominator }: Fraction, n: bigint): Fraction | undefined {
  const divisor = gcd(numerator, denominator)
  const over = integerRoot(numerator / divisor, n)
  const under = over === undefined ? undefined : integerRoot(denominator / divisor, n)
  return over === undefined || under === undefined ? undefined : { numerator: over, denominator: under }
}

/** The integer n-th root of a positive integer, if there is one. */
function integerRoot(value: bigint, n: bigint): bigint | undefined {
  if (value === 1n || n === 1n) return value
  const bits = bitLength(value)
  if (n >= BigInt(bits)) return undefined
  // Newton's iteration from above falls until it reaches the root, rounded down.
  let guess = 1n << (BigInt(bits) / n + 1n)
  for (;;) {
    const next = ((n - 1n) * guess + value / guess ** (n - 1n)) / n
    if (next >= guess) return guess ** n === value ? guess : undefined
    guess = next
  }
}

function raise({ numerator, denominator }: Fraction, power: bigint): Fraction {
  return { numerator: numerator ** power, denominator: denominator ** power }
}

function sumOf(a: Fraction, b: Fraction): Fraction {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator
  return { numerator, denominator: a.denominator * b.denominator }
}

function gcd(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}
