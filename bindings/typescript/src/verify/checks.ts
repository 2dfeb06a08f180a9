/** Named checks with their outcomes: what was compared, and what came of it. */

/** What a check found. */
export type Outcome =
  /** It is right. */
  | 'ok'
  /**
   * The amounts, or the fee, are those of the book of price levels that the request named, which was given to compare with:
   * the output is no less than the book promises, no matter which part of its budget is used.
   */
  | 'levels'
  /**
   * Worse for the taker than the formula. The contract of a `verified` pool may make it so: the service then lowers an
   * output, or raises an input, to what the contract accepts.
   */
  | 'lower'
  /** It could not be told, because something to compare with is missing or of another moment. */
  | 'undecided'
  /** It is wrong. */
  | 'differs'

/** One thing that was compared. */
export interface Check {
  /** What was compared, such as `amounts`, `signer` or `calldata.outputAmount`. */
  readonly name: string
  readonly outcome: Outcome
  /** What was found, and what was expected if that is something else. */
  readonly detail: string
}

/** A swap that must not be relied on. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'

  /** @param failures The checks that did not pass. */
  constructor(readonly failures: readonly Check[]) {
    super(failures.map(({ name, outcome, detail }) => `${name} ${outcome}: ${detail}`).join('; '))
  }
}

/** Outcomes that `assertVerified` accepts unless told otherwise. */
export const ACCEPTED: readonly Outcome[] = ['ok', 'levels']

/**
 * Returns if every check has an accepted outcome: `ok` and `levels` by default. `lower` and `undecided` have to be accepted
 * knowingly.
 *
 * @throws {VerificationError} with the checks that do not pass, and for no checks at all.
 */
export function assertVerified(checks: readonly Check[], accepted: readonly Outcome[] = ACCEPTED): void {
  const failures = checks.filter(({ outcome }) => !accepted.includes(outcome))
  if (failures.length > 0 || checks.length === 0) throw new VerificationError(failures)
}

/** `ok` if both are the same value; hex texts count in any case. */
export function compare(name: string, found: unknown, expected: unknown): Check {
  const [a, b] = [text(found), text(expected)]
  if (a.toLowerCase() === b.toLowerCase()) return { name, outcome: 'ok', detail: a }
  return { name, outcome: 'differs', detail: `${a}, expected: ${b}` }
}

function text(value: unknown): string {
  return value === undefined ? 'absent' : String(value)
}
