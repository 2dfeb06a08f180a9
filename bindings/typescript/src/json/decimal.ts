/**
 * Exact decimal numbers: prices, fees and constants are published as JSON numbers whose digits matter. No operation
 * of this module goes through a double, except `toNumber`, which is for display.
 */

const PATTERN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/

/** The most decimals that a number may have; more is no number of this interface. */
const MAX_DECIMALS = 400

/** An exact decimal number, `units / 10^decimals`, without trailing zeros. */
export class Decimal {
  private constructor(
    /** The digits, with the sign. */
    readonly units: bigint,
    /** How many of the digits follow the decimal point; never negative. */
    readonly decimals: number,
  ) {}

  /**
   * Parses plain or exponent notation, such as `0.06` or `1e-7`.
   *
   * @throws {RangeError} for anything else, and for more than 400 decimals or zeros.
   */
  static parse(text: string): Decimal {
    const match = PATTERN.exec(text)
    if (match === null) throw new RangeError('not a decimal number')
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
    const decimals = fraction.length - Number(exponent)
    if (Math.abs(decimals) > MAX_DECIMALS) throw new RangeError('a decimal number with too many digits')
    const digits = BigInt(whole + fraction)
    const units = decimals < 0 ? digits * 10n ** BigInt(-decimals) : digits
    return Decimal.of(sign === '-' ? -units : units, Math.max(decimals, 0))
  }

  /** `units / 10^decimals`. */
  static of(units: bigint, decimals: number): Decimal {
    let [shortest, left] = [units, decimals]
    while (left > 0 && shortest % 10n === 0n) [shortest, left] = [shortest / 10n, left - 1]
    return new Decimal(shortest, left)
  }

  /**
   * The number in steps of `10^-decimals`: `toUnits(8)` of a price is the number that the chain sees.
   *
   * @throws {RangeError} if the number has more decimals: nothing is rounded.
   */
  toUnits(decimals: number): bigint {
    if (this.decimals > decimals) throw new RangeError(`${this} has more than ${decimals} decimals`)
    return this.units * 10n ** BigInt(decimals - this.decimals)
  }

  /** Whether both are the same number. */
  equals(other: Decimal): boolean {
    return this.units === other.units && this.decimals === other.decimals
  }

  /** Negative, zero or positive, as this number is less than, equal to or greater than the other. */
  compare(other: Decimal): number {
    const decimals = Math.max(this.decimals, other.decimals)
    const difference = this.toUnits(decimals) - other.toUnits(decimals)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }

  /** The nearest double: for display only. */
  toNumber(): number {
    return Number(this.toString())
  }

  /** Plain notation with all digits. */
  toString(): string {
    const digits = (this.units < 0n ? -this.units : this.units).toString().padStart(this.decimals + 1, '0')
    const point = digits.length - this.decimals
    const text = this.decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
    return this.units < 0n ? `-${text}` : text
  }

  /** A string of all digits: a JSON number would be read as a double elsewhere. */
  toJSON(): string {
    return this.toString()
  }
}
