/** The messages of a stream of levels. */

import type { LevelBook } from '../api/responses.js'
import { type Decoder, integer, jsonObject, list, object, text } from '../json/decode.js'
import { readJson } from '../json/reader.js'
import { id } from '../responses/values.js'
import { levelBook } from './book.js'

/** How long books hold, by the clock of the service, in Unix milliseconds. */
export interface Period {
  readonly as_of_ms: number
  readonly published_ms: number
  readonly valid_until_ms: number
}

/** The first message of a connection. */
export interface Hello {
  readonly protocol: string
  /** Identifies the connection. */
  readonly epoch: string
  /** Unix milliseconds of the service. */
  readonly server_time_ms: number
  readonly chain_id: number
  /** The longest time without a message, in milliseconds. */
  readonly heartbeat_ms: number
  /** The shortest time between two books of a pair and direction, on average, in milliseconds. */
  readonly min_interval_ms: number
}

/** These books hold for longer. */
export interface Renewal extends Period {
  readonly levels_ids: readonly string[]
}

/** Nothing is quoted for these books any more. */
export interface Withdrawal {
  readonly levels_ids: readonly string[]
  /** Why, such as `stale_prices`. */
  readonly reason: string
}

/** The service ends the stream. */
export interface Goodbye {
  readonly reason: string
  readonly reconnect_after_ms: number
}

/** A message; `other` are heartbeats and types of later releases. */
export type LevelsMessage =
  | { readonly type: 'hello'; readonly hello: Hello }
  | { readonly type: 'book'; readonly book: LevelBook }
  | { readonly type: 'snapshot_end' }
  | { readonly type: 'renew'; readonly renewal: Renewal }
  | { readonly type: 'withdraw'; readonly withdrawal: Withdrawal }
  | { readonly type: 'goodbye'; readonly goodbye: Goodbye }
  | { readonly type: 'other' }

/** A message and its number in the connection. */
export interface NumberedMessage {
  readonly n: number
  readonly message: LevelsMessage
}

const hello = object<Hello>({
  protocol: text,
  epoch: text,
  server_time_ms: integer,
  chain_id: integer,
  heartbeat_ms: integer,
  min_interval_ms: integer,
})
const renewal = object<Renewal>({
  levels_ids: list(id),
  as_of_ms: integer,
  published_ms: integer,
  valid_until_ms: integer,
})
const withdrawal = object<Withdrawal>({ levels_ids: list(id), reason: text })
const goodbye = object<Goodbye>({ reason: text, reconnect_after_ms: integer })

const MESSAGES: Readonly<Record<string, Decoder<LevelsMessage>>> = {
  hello: (value, path) => ({ type: 'hello', hello: hello(value, path) }),
  book: (value, path) => ({ type: 'book', book: levelBook(value, path) }),
  snapshot_end: () => ({ type: 'snapshot_end' }),
  renew: (value, path) => ({ type: 'renew', renewal: renewal(value, path) }),
  withdraw: (value, path) => ({ type: 'withdraw', withdrawal: withdrawal(value, path) }),
  goodbye: (value, path) => ({ type: 'goodbye', goodbye: goodbye(value, path) }),
}

/**
 * Reads a message.
 *
 * @throws {SyntaxError | DecodeError} if it is not JSON, or a member is missing or malformed.
 */
export function readMessage(json: string): NumberedMessage {
  const value = readJson(json)
  const members = jsonObject(value, 'message')
  const type = text(members.get('type') ?? null, 'message.type')
  const decoder = Object.hasOwn(MESSAGES, type) ? MESSAGES[type] : undefined
  const n = integer(members.get('n') ?? null, 'message.n')
  return { n, message: decoder?.(value, 'message') ?? { type: 'other' } }
}
