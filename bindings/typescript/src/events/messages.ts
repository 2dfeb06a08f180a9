/** The messages of a stream of events. */
import { type Settlement, settlement } from '../api/responses.js'
import { integer, jsonObject, nullable, object, oneOf, text } from '../json/decode.js'
import { readJson } from '../json/reader.js'
import { type Address, address, type UtcTime, utcTime, uuid } from '../responses/values.js'

/** Something happened to a signed quote of this client. */
export interface QuoteEvent {
  /** What happened; `reorged`: a reorganization of the chain undid the outcome, and the swap may be executed again. */
  readonly event: 'signed' | 'settled' | 'lapsed' | 'reorged'
  /** The cursor after this event. */
  readonly id: string
  /** The quote. */
  readonly quote_id: string
  /** The chain id (EIP-155). */
  readonly chain_id: number
  /** The pool contract. */
  readonly pool_address: Address
  /** When the quote was signed, or the service recorded the outcome. */
  readonly recorded_at: UtcTime
  /** The execution; null unless the swap is settled. Its `confirmations` are null. */
  readonly settled: Settlement | null
}

const quoteEvent = object<QuoteEvent>({
  event: oneOf(['signed', 'settled', 'lapsed', 'reorged']),
  id: text,
  quote_id: uuid,
  chain_id: integer,
  pool_address: address,
  recorded_at: utcTime,
  settled: nullable(settlement),
})

/** A message; `other` are kinds of later releases. */
export type EventMessage =
  | { readonly kind: 'quote'; readonly id: string; readonly event: QuoteEvent }
  | { readonly kind: 'heartbeat' | 'reset'; readonly id: string }
  | { readonly kind: 'other' }

/**
 * Reads a message.
 *
 * @throws {SyntaxError | DecodeError} if it is not JSON, or a member is missing or malformed.
 */
export function readEvent(json: string): EventMessage {
  const value = readJson(json)
  const members = jsonObject(value, 'message')
  const kind = text(members.get('event') ?? null, 'message.event')
  switch (kind) {
    case 'signed':
    case 'settled':
    case 'lapsed':
    case 'reorged': {
      const event = quoteEvent(value, 'message')
      return { kind: 'quote', id: event.id, event }
    }
    case 'heartbeat':
    case 'reset':
      return { kind, id: text(members.get('id') ?? null, 'message.id') }
    default:
      return { kind: 'other' }
  }
}
