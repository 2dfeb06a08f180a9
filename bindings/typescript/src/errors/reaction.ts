/**
 * What to do about an error: by the reason of a refusal, otherwise by one table for everything that happens on the way to
 * the service and for refusals without a known reason.
 */

import { REACTIONS_BY_REASON, type ReasonReaction } from './reasons.js'

/** What to do next. */
export type Reaction =
  /**
   * Send the same request again, `after_ms` from now if the service names a time. A quote, a signature for the same
   * terms and pool data may be requested again; but each quote with a `levels_id` reserves a part of the levels' budget
   * until its `must_accept_by`, and each `quoteAndSign` makes another signature.
   */
  | { readonly kind: 'retry'; readonly after_ms?: number }
  /** This quote will not be signed for these terms: sign `fresh_quote` if its amounts are acceptable, or request a quote. */
  | { readonly kind: 'requote' }
  /** The same request will be refused again: change it, or report the request id to the operator. */
  | { readonly kind: 'give_up' }

/** What the reaction depends on. */
export interface Failure {
  /** `connection`: no complete response; `refusal`: an error response; `unusable`: any other response, or nothing sent. */
  readonly cause: 'connection' | 'refusal' | 'unusable'
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** `errorType`; empty if the response has no Error object, as those of proxies. */
  readonly error_type: string
  /** `errorMessage`. */
  readonly message: string
  /** `reason`, empty if there is none. */
  readonly reason: string
  /** `retry_after_ms`, otherwise `Retry-After`. */
  readonly after_ms?: number
}

/** Error types that this release of the interface has. */
export const ERROR_TYPES = [
  'BadData',
  'QuoteProblem',
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'MethodNotAllowed',
  'RateLimited',
  'ExternalServiceError',
  'InternalError',
] as const

interface Row {
  readonly applies: (failure: Failure) => boolean
  readonly reaction: Reaction['kind']
}

const TRANSIENT_STATUSES: readonly number[] = [408, 429, 502, 503, 504]

/** The first row that applies decides, where no known reason does. */
const REACTIONS: readonly Row[] = [
  { applies: ({ cause }) => cause === 'connection', reaction: 'retry' },
  { applies: ({ cause }) => cause === 'unusable', reaction: 'give_up' },
  // A limit of the minute, or of what is outstanding, that time restores.
  { applies: (failure) => isQuoteProblem(failure) && failure.after_ms !== undefined, reaction: 'retry' },
  { applies: (failure) => isQuoteProblem(failure) && isAboutThisQuote(failure), reaction: 'requote' },
  { applies: isQuoteProblem, reaction: 'give_up' },
  { applies: ({ status }) => TRANSIENT_STATUSES.includes(status), reaction: 'retry' },
  // A type of a later release, or an error without a type.
  { applies: ({ status, error_type }) => status === 409 && !isListed(error_type), reaction: 'requote' },
]

/** The reaction to a failure. */
export function reactionTo(failure: Failure): Reaction {
  const kind = byReason(failure) ?? REACTIONS.find(({ applies }) => applies(failure))?.reaction ?? 'give_up'
  if (kind !== 'retry' || failure.after_ms === undefined) return { kind }
  return { kind, after_ms: failure.after_ms }
}

function byReason({ reason, after_ms }: Failure): Reaction['kind'] | undefined {
  const known: Readonly<Record<string, ReasonReaction>> = REACTIONS_BY_REASON
  const reaction = Object.hasOwn(known, reason) ? known[reason] : undefined
  if (reaction !== 'retry_if_told') return reaction
  return after_ms === undefined ? 'give_up' : 'retry'
}

function isQuoteProblem({ error_type }: Failure): boolean {
  return error_type === 'QuoteProblem'
}

function isListed(errorType: string): boolean {
  return ERROR_TYPES.some((listed) => listed === errorType)
}

/** Whether another quote for the same amount could succeed. */
function isAboutThisQuote({ message }: Failure): boolean {
  const words = message.toLowerCase()
  return words.includes('request a new quote') || words.includes('signed for other terms')
}
