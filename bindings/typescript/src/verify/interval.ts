/**
 * Interval arithmetic on fixed-point numbers: a real number is enclosed by two integers, in steps of 2^-bits. Every
 * operation rounds outward, so the true result always lies in the returned interval; no operation is exact by chance.
 */

/** The enclosed number is at least `lo / 2^bits` and at most `hi / 2^bits`. */
export interface Interval {
  readonly lo: bigint
  readonly hi: bigint
}

/** Halvings of the argument of `exp` before its series: 2^-8 * ln 2 makes each term 8 bits smaller, and more. */
const HALVINGS = 8n

/** Number of bits of a positive integer. */
export function bitLength(value: bigint): number {
  const hex = value.toString(16)
  return value === 0n ? 0 : 4 * hex.length - Math.clz32(Number.parseInt(hex[0] ?? '0', 16)) + 28
}

/** The quotient rounded down; the divisor is positive. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return quotient * divisor > dividend ? quotient - 1n : quotient
}

/** The quotient rounded up; the divisor is positive. */
export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return -floorDivide(-dividend, divisor)
}

export function add(a: Interval, b: Interval): Interval {
  return { lo: a.lo + b.lo, hi: a.hi + b.hi }
}

export function subtract(a: Interval, b: Interval): Interval {
  return { lo: a.lo - b.hi, hi: a.hi - b.lo }
}

/** Times the ratio of two positive integers. */
export function scale(a: Interval, numerator: bigint, denominator: bigint): Interval {
  return { lo: floorDivide(a.lo * numerator, denominator), hi: ceilDivide(a.hi * numerator, denominator) }
}

/** Logarithms and exponentials with `bits` bits after the point. */
export class FixedPoint {
  readonly bits: bigint
  /** The number 1. */
  readonly one: bigint
  readonly #ln2: Interval

  constructor(bits: number) {
    this.bits = BigInt(bits)
    this.one = 1n << this.bits
    this.#ln2 = this.#doubled(this.#atanh(1n, 3n)) // ln 2 = 2 atanh(1/3)
  }

  /** ln(numerator / denominator) of positive integers. */
  lnRatio(numerator: bigint, denominator: bigint): Interval {
    // Scaled by 2^exponent into [70/99, 99/70], just beyond [sqrt(1/2), sqrt(2)].
    let exponent = bitLength(numerator) - bitLength(denominator)
    let [n, d] = [numerator << BigInt(Math.max(-exponent, 0)), denominator << BigInt(Math.max(exponent, 0))]
    if (n * 70n > d * 99n) [d, exponent] = [d << 1n, exponent + 1]
    else if (n * 99n < d * 70n) [n, exponent] = [n << 1n, exponent - 1]
    const half = n >= d ? this.#atanh(n - d, n + d) : negate(this.#atanh(d - n, n + d))
    return add(this.#doubled(half), multiply(this.#ln2, BigInt(exponent)))
  }

  /** ln of an interval of positive numbers. */
  ln(a: Interval): Interval {
    return { lo: this.lnRatio(a.lo, this.one).lo, hi: this.lnRatio(a.hi, this.one).hi }
  }

  /** e to an interval; the caller bounds it from above, so that the result fits into memory. */
  exp(a: Interval): Interval {
    return { lo: this.#expOf(a.lo).lo, hi: this.#expOf(a.hi).hi }
  }

  /**
   * atanh(n / d) = z + z^3/3 + z^5/5 + ... for 0 <= z = n/d <= 1/3.
   *
   * All values are truncated, so the sum is at most the true one. With z^2 <= 1/9, a power is less than 2 steps below
   * its true value: from one to the next the shortfall e becomes at most e/9 + 5/9 + 1. Each summand loses that and
   * its own division, less than 3 steps, and so do the summands after the last one together.
   */
  #atanh(n: bigint, d: bigint): Interval {
    const z = (n << this.bits) / d
    const square = (z * z) >> this.bits
    let [power, sum, divisor] = [z, 0n, 1n]
    while (power > 0n) {
      sum += power / divisor
      power = (power * square) >> this.bits
      divisor += 2n
    }
    const summands = (divisor - 1n) / 2n
    return { lo: sum, hi: sum + 3n * (summands + 1n) }
  }

  /**
   * e^x of one number, as 2^n * (e^(r / 2^8))^(2^8) with r = x - n ln 2 >= 0.
   *
   * The series is taken at the lower end of r / 2^8, below 0.003. Its terms are truncated: each is less than 3 steps
   * below its true value, and those after the last one less than that together. For the upper end, which is `width`
   * steps higher, e^width <= 1 + 2 width and e^0.003 < 1.01 add less than 3 times the width.
   */
  #expOf(x: bigint): Interval {
    const n = x >= 0n ? x / this.#ln2.hi : -ceilDivide(-x, this.#ln2.lo)
    const rest = subtract({ lo: x, hi: x }, multiply(this.#ln2, n))
    const argument = rest.lo >> HALVINGS
    const width = (rest.hi >> HALVINGS) + 1n - argument
    let [term, sum, index] = [this.one, this.one, 0n]
    while (term > 0n) {
      index += 1n
      term = ((term * argument) >> this.bits) / index
      sum += term
    }
    let [lo, hi] = [sum, sum + 3n * (index + 1n) + 3n * width]
    for (let halving = 0n; halving < HALVINGS; halving += 1n) {
      lo = (lo * lo) >> this.bits
      hi = ceilShift(hi * hi, this.bits)
    }
    return n >= 0n ? { lo: lo << n, hi: hi << n } : { lo: lo >> -n, hi: ceilShift(hi, -n) }
  }

  #doubled(a: Interval): Interval {
    return { lo: 2n * a.lo, hi: 2n * a.hi }
  }
}

const arithmetics = new Map<number, FixedPoint>()

/** The arithmetic with this many bits; made once, since each holds its own ln 2. */
export function fixedPoint(bits: number): FixedPoint {
  const arithmetic = arithmetics.get(bits) ?? new FixedPoint(bits)
  arithmetics.set(bits, arithmetic)
  return arithmetic
}

function negate(a: Interval): Interval {
  return { lo: -a.hi, hi: -a.lo }
}

function multiply(a: Interval, factor: bigint): Interval {
  return factor >= 0n ? { lo: a.lo * factor, hi: a.hi * factor } : { lo: a.hi * factor, hi: a.lo * factor }
}

function ceilShift(value: bigint, bits: bigint): bigint {
  return -(-value >> bits)
}

/** The lesser of two numbers. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The greater of two numbers. */
export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
