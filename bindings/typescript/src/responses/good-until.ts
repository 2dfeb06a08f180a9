/**
 * `good_until` of a signature: the Unix second of expiry (`plain` pools), or that second packed with what the contract
 * checks the swap against (`verified` pools). From the highest bit: price of the input and of the output (64 bits each, in
 * steps of 1e-8 US dollars), k (64, in steps of 1e-18), weight of the input and of the output (16 each), Unix second (32).
 */
/** What `good_until` says. */
export type GoodUntil =
  | { readonly kind: 'plain'; readonly expires_at: bigint }
  | {
      readonly kind: 'verified'
      /** In steps of 1e-8 US dollars. */
      readonly input_price: bigint
      readonly output_price: bigint
      /** In steps of 1e-18. */
      readonly k: bigint
      readonly input_weight: bigint
      readonly output_weight: bigint
      /** The last Unix second. */
      readonly expires_at: bigint
    }

/** The contract takes a number above this one, the year 3000, as packed. */
const MAX_PLAIN_SECONDS = 32_503_708_800n

/**
 * Unpacks the number that is signed.
 *
 * @throws {RangeError} for a number outside 256 bits.
 */
export function unpackGoodUntil(word: bigint): GoodUntil {
  if (word < 0n || word >> 256n !== 0n) throw new RangeError('good_until is a number of 256 bits')
  if (word <= MAX_PLAIN_SECONDS) return { kind: 'plain', expires_at: word }
  const field = (shift: bigint, bits: number) => BigInt.asUintN(bits, word >> shift)
  return {
    kind: 'verified',
    input_price: field(192n, 64),
    output_price: field(128n, 64),
    k: field(64n, 64),
    input_weight: field(48n, 16),
    output_weight: field(32n, 16),
    expires_at: field(0n, 32),
  }
}
