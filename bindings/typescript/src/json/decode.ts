/**
 * Decoders of response values: a decoder turns a JSON value into a typed one or throws `DecodeError` with the path of
 * the wrong member. Unknown members are ignored, so that later releases of the service may add some.
 */
import { Decimal } from './decimal.js'
import { JsonNumber, type JsonObject, type JsonValue } from './reader.js'

/** A response that is not of the expected shape. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** Turns a JSON value into a `T`; `path` is where it stands, for the error. */
export type Decoder<T> = (value: JsonValue, path: string) => T

/** A decoder of a member that may be absent. */
export interface OptionalDecoder<T> {
  readonly whenPresent: Decoder<T>
}

/** The decoders of the members of `T`: an optional member of the type is an optional member of the response. */
type Members<T> = {
  readonly [K in keyof Required<T>]: object extends Pick<T, K> ? OptionalDecoder<Required<T>[K]> : Decoder<T[K]>
}

const MAX_AMOUNT = 2n ** 256n - 1n
const MAX_TEXT_CHARS = 300

/** Reduces untrusted text to one line of at most 300 characters, fit for an error message. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_TEXT_CHARS)
}

/** An object with these members. */
export function object<T>(members: Members<T>): Decoder<T> {
  const entries = Object.entries(members) as [string, Decoder<unknown> | OptionalDecoder<unknown>][]
  return (value, path) => {
    const map = jsonObject(value, path)
    const decoded: Record<string, unknown> = {}
    for (const [name, decoder] of entries) {
      const [member, place] = [map.get(name), `${path}.${name}`]
      if (typeof decoder === 'function') {
        if (member === undefined) throw new DecodeError(`${place} is missing`)
        decoded[name] = decoder(member, place)
      } else if (member !== undefined && member !== null) {
        decoded[name] = decoder.whenPresent(member, place)
      }
    }
    return decoded as T
  }
}

/** A member that may be absent or null. */
export function optional<T>(decoder: Decoder<T>): OptionalDecoder<T> {
  return { whenPresent: decoder }
}

/** A value or null. */
export function nullable<T>(decoder: Decoder<T>): Decoder<T | null> {
  return (value, path) => (value === null ? null : decoder(value, path))
}

/** A list. */
export function list<T>(item: Decoder<T>): Decoder<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new DecodeError(`${path} is not a list`)
    return (value as readonly JsonValue[]).map((entry, index) => item(entry, `${path}[${index}]`))
  }
}

/** A list of exactly two items. */
export function pair<T>(item: Decoder<T>): Decoder<readonly [T, T]> {
  return (value, path) => {
    const [first, second, ...others] = list(item)(value, path)
    if (first === undefined || second === undefined || others.length > 0) throw new DecodeError(`${path} is no pair`)
    return [first, second]
  }
}

/** The members of an object. */
export function jsonObject(value: JsonValue, path: string): JsonObject {
  if (!(value instanceof Map)) throw new DecodeError(`${path} is not an object`)
  return value as JsonObject
}

/** A string. */
export const text: Decoder<string> = (value, path) => {
  if (typeof value !== 'string') throw new DecodeError(`${path} is not a string`)
  return value
}

/** A string that the pattern matches as a whole. */
export function matching<T extends string>(pattern: RegExp, what: string): Decoder<T> {
  return (value, path) => {
    const found = text(value, path)
    if (!pattern.test(found)) throw new DecodeError(`${path} is not ${what}`)
    return found as T
  }
}

/** One of these words. */
export function oneOf<const T extends string>(words: readonly T[]): Decoder<T> {
  return (value, path) => {
    const found = words.find((word) => word === value)
    if (found === undefined) throw new DecodeError(`${path} is not one of ${words.join(', ')}`)
    return found
  }
}

/** A boolean. */
export const flag: Decoder<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new DecodeError(`${path} is not a boolean`)
  return value
}

/** An integer without sign that a double holds exactly. */
export const integer: Decoder<number> = (value, path) => {
  const digits = value instanceof JsonNumber ? value.text : ''
  const found = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(found)) throw new DecodeError(`${path} is not a safe integer`)
  return found
}

/** An integer of a range. */
export function integerIn(minimum: number, maximum: number): Decoder<number> {
  return (value, path) => {
    const found = integer(value, path)
    if (found < minimum || found > maximum) throw new DecodeError(`${path} is not from ${minimum} to ${maximum}`)
    return found
  }
}

/** A number that the interface defines as a float: for display. */
export const float: Decoder<number> = (value, path) => {
  const found = value instanceof JsonNumber ? Number(value.text) : Number.NaN
  if (!Number.isFinite(found)) throw new DecodeError(`${path} is not a number`)
  return found
}

/** A number with all its digits. */
export const decimal: Decoder<Decimal> = (value, path) =>
  parsedDecimal(value instanceof JsonNumber ? value.text : '', path)

/** A string that is a decimal number. */
export const decimalText: Decoder<Decimal> = (value, path) => parsedDecimal(text(value, path), path)

/** A string of decimal digits, from 0 to 2^256 - 1. */
export const baseUnits: Decoder<bigint> = (value, path) => {
  const digits = text(value, path)
  const found = /^\d{1,78}$/.test(digits) ? BigInt(digits) : MAX_AMOUNT + 1n
  if (found > MAX_AMOUNT) throw new DecodeError(`${path} is not a number of base units`)
  return found
}

/** A string of decimal digits, from 1 to 2^256 - 1. */
export const amount: Decoder<bigint> = (value, path) => {
  const found = baseUnits(value, path)
  if (found === 0n) throw new DecodeError(`${path} is zero`)
  return found
}

function parsedDecimal(digits: string, path: string): Decimal {
  try {
    return Decimal.parse(digits)
  } catch {
    throw new DecodeError(`${path} is not a decimal number`)
  }
}
