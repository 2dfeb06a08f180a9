/** What a pool offers: the formula, as far as it is not better than the prices by more than the pool's bound. */
import { type Curve, E6, inputForOutput, MAX_AMOUNT, outputForInput, type Solution } from './formula.js'
import { ceilDivide, max, min } from './interval.js'

/** A curve and the bound on what it gives. */
export interface Offer extends Curve {
  /** How much better than the two prices the rate may be, in steps of 1e-6; without a bound, `undefined`. */
  readonly maxImprovement?: bigint | undefined
}

/**
 * The output that is offered for an input, in base units: the lesser of the formula's and the bounded one, rounded down.
 *
 * @throws {RangeError} as `outputForInput`.
 */
export function offeredOutput(offer: Offer, input: bigint): Solution {
  const output = outputForInput(offer, input)
  const bound = boundedRate(offer)
  if (typeof output !== 'bigint' || bound === undefined) return output
  return min(output, (input * bound.numerator) / bound.denominator)
}

/**
 * The input for which an output is offered, in base units: the greater of the formula's and the bounded one, rounded up.
 *
 * @throws {RangeError} as `inputForOutput`.
 */
export function offeredInput(offer: Offer, output: bigint): Solution {
  const input = inputForOutput(offer, output)
  const bound = boundedRate(offer)
  if (typeof input !== 'bigint' || bound === undefined) return input
  const bounded = ceilDivide(output * bound.denominator, bound.numerator)
  if (bounded > MAX_AMOUNT) return 'too_large'
  return max(input, bounded)
}

/** Base units of the output for one of the input, at the prices and the bound. */
function boundedRate({ input, output, maxImprovement }: Offer): { numerator: bigint; denominator: bigint } | undefined {
  if (maxImprovement === undefined) return undefined
  if (maxImprovement < 0n) throw new RangeError('the bound on the improvement is at least 0')
  return {
    numerator: input.price * 10n ** BigInt(output.decimals) * (E6 + maxImprovement),
    denominator: output.price * 10n ** BigInt(input.decimals) * E6,
  }
}
