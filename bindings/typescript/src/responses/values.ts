/** Values that several responses share, with their decoders. */
import { type Decoder, matching, oneOf } from '../json/decode.js'

/** Hex digits with `0x`. */
export type Hex = `0x${string}`

/** An account or a contract: 20 bytes, with the checksum of EIP-55 in responses. */
export type Address = Hex

/** An instant in UTC, `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
export type UtcTime = string

/** Whether a signed swap executes until it expires, no matter which other swaps execute first. */
export type Execution = 'guaranteed' | 'best_effort'

export const address: Decoder<Address> = matching(/^0x[0-9a-fA-F]{40}$/, 'an address')
export const bytes32: Decoder<Hex> = matching(/^0x[0-9a-f]{64}$/, '32 bytes of hex')
export const hexBytes: Decoder<Hex> = matching(/^0x(?:[0-9a-f]{2})+$/, 'hex')
export const id: Decoder<string> = matching(/^[0-9a-f]{32}$/, 'an id')
export const symbol: Decoder<string> = matching(/^[!-~]{1,32}$/, 'a symbol')
export const uuid: Decoder<string> = matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a quote id')
export const utcTime: Decoder<UtcTime> = matching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$/, 'a time')
export const execution: Decoder<Execution> = oneOf(['guaranteed', 'best_effort'])

/** Whether two addresses, ids or other hex texts are the same, in any case. */
export function isSameHex(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/**
 * Milliseconds since 1970 of an instant, rounded down.
 *
 * @throws {RangeError} for text that is no instant.
 */
export function unixMilliseconds(time: UtcTime): number {
  const milliseconds = Date.parse(time.replace(' ', 'T').replace(/(\.\d{3})\d*/, '$1'))
  if (Number.isNaN(milliseconds)) throw new RangeError('not an instant')
  return milliseconds
}
