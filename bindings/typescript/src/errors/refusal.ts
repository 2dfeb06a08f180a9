/** Error responses of the service: one class for each kind, made from the Error object and the headers. */

import { type Quote, quote } from '../api/responses.js'
import { Decimal } from '../json/decimal.js'
import { oneLine } from '../json/decode.js'
import { JsonNumber, type JsonObject, type JsonValue, readJson, writeJson } from '../json/reader.js'
import { FirmquoteError } from './errors.js'
import { ERROR_TYPES, type Failure, type Reaction, reactionTo } from './reaction.js'
import { CONFLICT_REASONS, LEVELS_REASONS } from './reasons.js'

/** One input that is invalid. */
export interface InvalidField {
  /** The kind of error, such as `missing`. */
  readonly type: string
  /** The path to the input; empty for the body as a whole. */
  readonly loc: readonly string[]
  /** What would have been valid. */
  readonly msg: string
  /** What was received, as JSON text. */
  readonly input: string
  /** A page that explains the kind. */
  readonly url: string
}

/** Everything that an error response tells. */
export interface RefusalDetails {
  /** HTTP status. */
  readonly status: number
  /** `errorType`; empty if the response has no Error object, as those of proxies. */
  readonly errorType: string
  /** `errorMessage`. */
  readonly errorMessage: string
  /** `errorCode`: 422 for invalid input, 409 for a problem with a quote. */
  readonly errorCode?: number
  /** `data`: every invalid input. */
  readonly data: readonly InvalidField[]
  /** `reason`: one of `Reason`, or of a later release. */
  readonly reason?: string
  /** `field`: the input that the reason is about. */
  readonly field?: string
  /** The largest amount for `field` that is served, in base units. */
  readonly maxAmount?: bigint
  /** The smallest amount for `field` that is served, in base units. */
  readonly minAmount?: bigint
  /** The value of the largest trade that is signed. */
  readonly largestTradeInUsd?: Decimal
  /** The output that would be signed now, in base units. */
  readonly outputLeft?: bigint
  /** How much less the pool would give now, in basis points of the quoted output, rounded up. */
  readonly movedBps?: Decimal
  /**
   * A quote for the same amount at current prices, to be signed like any other. `signQuote` discards one of another chain,
   * pool or token, or with both amounts changed; `quoteAndSign` one that does not match the request; `sign` checks nothing.
   */
  readonly freshQuote?: Quote
  /** `retry_after_ms`, otherwise `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
  /** The request id. */
  readonly requestId: string
}

/** A refusal by the service, or by a proxy before it. */
export class RefusedError extends FirmquoteError {
  readonly reaction: Reaction

  constructor(readonly details: RefusalDetails) {
    super(describe(details), details.requestId)
    this.reaction = reactionTo(failureOf(details))
  }

  get status(): number {
    return this.details.status
  }

  get errorType(): string {
    return this.details.errorType
  }

  override get freshQuote(): Quote | undefined {
    return this.details.freshQuote
  }
}

/** The request is invalid, or asks for something that the service does not have; `details.data` lists invalid inputs. */
export class BadDataError extends RefusedError {}
/** The amount or the quote is not acceptable. */
export class QuoteProblemError extends RefusedError {}
/** The quote no longer holds: `details` has what moved, and a fresh quote where one can be made. */
export class ConflictError extends QuoteProblemError {}
/** The levels that the request named do not hold for it: `details.reason` says why. */
export class LevelsRefusedError extends QuoteProblemError {}
/** A limit on what is signed and not executed is reached. */
export class OutstandingLimitError extends QuoteProblemError {}
/** Credentials are required. */
export class UnauthorizedError extends RefusedError {}
/** The credentials, the destination or the sender are refused, or the quote is another client's. */
export class ForbiddenError extends RefusedError {}
/** No such path, or no such quote for its status. */
export class NotFoundError extends RefusedError {}
/** The path does not support the method. */
export class MethodNotAllowedError extends RefusedError {}
/** Too many requests. */
export class RateLimitedError extends RefusedError {}
/** Something that the service depends on is unavailable. */
export class ServiceUnavailableError extends RefusedError {}
/** A mistake of the service: report the request id to its operator. */
export class ServiceFailureError extends RefusedError {}

type ErrorType = (typeof ERROR_TYPES)[number]

const CLASSES: Record<ErrorType, typeof RefusedError> = {
  BadData: BadDataError,
  QuoteProblem: QuoteProblemError,
  Unauthorized: UnauthorizedError,
  Forbidden: ForbiddenError,
  NotFound: NotFoundError,
  MethodNotAllowed: MethodNotAllowedError,
  RateLimited: RateLimitedError,
  ExternalServiceError: ServiceUnavailableError,
  InternalError: ServiceFailureError,
}

const MAX_FIELDS = 20

/** Makes the error for a response. A body that is not an Error object counts as empty. */
export function refusalFrom(
  status: number,
  body: string,
  requestId: string,
  retryAfterMs: number | undefined,
): RefusedError {
  const members = errorMembers(body)
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs }
  const details: RefusalDetails = { ...retry, ...members, status, requestId }
  const kind = ERROR_TYPES.find((type) => type === members.errorType)
  const RefusalClass = kind === 'QuoteProblem' ? quoteProblemClass(details) : kind ? CLASSES[kind] : RefusedError
  return new RefusalClass(details)
}

/** Returns `error`, without its fresh quote if that has a problem. */
export function filterFreshQuote(error: unknown, problem: (fresh: Quote) => string | undefined): unknown {
  if (!(error instanceof RefusedError)) return error
  const { freshQuote, ...details } = error.details
  if (freshQuote === undefined || problem(freshQuote) === undefined) return error
  return new (error.constructor as typeof RefusedError)(details)
}

function quoteProblemClass({ reason = '' }: RefusalDetails): typeof RefusedError {
  if (reason === 'outstanding_limit') return OutstandingLimitError
  if (CONFLICT_REASONS.includes(reason)) return ConflictError
  return LEVELS_REASONS.includes(reason) ? LevelsRefusedError : QuoteProblemError
}

function failureOf({ status, errorType, errorMessage, reason, retryAfterMs }: RefusalDetails): Failure {
  const failure = {
    cause: 'refusal',
    status,
    error_type: errorType,
    message: errorMessage,
    reason: reason ?? '',
  } as const
  return retryAfterMs === undefined ? failure : { ...failure, after_ms: retryAfterMs }
}

/** One line: the message, the status and the first invalid inputs. */
function describe({ errorMessage, status, data }: RefusalDetails): string {
  const message = errorMessage === '' ? 'the service refused the request' : errorMessage
  const fields = data.slice(0, MAX_FIELDS).map(({ loc, msg }) => `; ${oneLine(loc.join('.'))}: ${oneLine(msg)}`)
  return `${oneLine(message)} (HTTP ${status})${fields.join('')}`
}

type ErrorMembers = Omit<RefusalDetails, 'status' | 'requestId'>

function errorMembers(body: string): ErrorMembers {
  const members = parsed(body)
  const [errorType, errorMessage] = [textOf(members.get('errorType')), textOf(members.get('errorMessage'))]
  if (errorType === undefined || errorMessage === undefined) return { errorType: '', errorMessage: '', data: [] }
  const [code, reason, field] = [members.get('errorCode'), textOf(members.get('reason')), textOf(members.get('field'))]
  const [maxAmount, minAmount] = [amountOf(members.get('max_amount')), amountOf(members.get('min_amount'))]
  const outputLeft = amountOf(members.get('output_left'))
  const largestTradeInUsd = decimalOf(members.get('largest_trade_in_usd'))
  const retryAfter = members.get('retry_after_ms')
  const freshQuote = attempt(() => quote(members.get('fresh_quote') ?? null, 'fresh_quote'))
  const movedBps = decimalOf(members.get('moved_bps'))
  const data = members.get('data')
  return {
    errorType,
    errorMessage,
    data: Array.isArray(data) ? (data as readonly JsonValue[]).map(invalidField) : [],
    ...(code instanceof JsonNumber && { errorCode: Number(code.text) }),
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && { field }),
    ...(maxAmount !== undefined && { maxAmount }),
    ...(minAmount !== undefined && { minAmount }),
    ...(outputLeft !== undefined && { outputLeft }),
    ...(largestTradeInUsd && { largestTradeInUsd }),
    ...(retryAfter instanceof JsonNumber && isCount(retryAfter.text) && { retryAfterMs: Number(retryAfter.text) }),
    ...(movedBps && { movedBps }),
    ...(freshQuote && { freshQuote }),
  }
}

function invalidField(item: JsonValue): InvalidField {
  const members: JsonObject = item instanceof Map ? (item as JsonObject) : new Map()
  const [steps, input] = [members.get('loc'), members.get('input')]
  const loc = Array.isArray(steps) ? (steps as readonly JsonValue[]).map((step) => textOf(step) ?? writeJson(step)) : []
  const [type, msg, url] = ['type', 'msg', 'url'].map((name) => textOf(members.get(name)) ?? '')
  return { type: type ?? '', loc, msg: msg ?? '', input: writeJson(input ?? null), url: url ?? '' }
}

function parsed(body: string): JsonObject {
  const value = attempt(() => readJson(body))
  return value instanceof Map ? (value as JsonObject) : new Map<string, JsonValue>()
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isCount(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text)
}

function decimalOf(value: JsonValue | undefined): Decimal | undefined {
  return value instanceof JsonNumber ? attempt(() => Decimal.parse(value.text)) : undefined
}

function amountOf(value: JsonValue | undefined): bigint | undefined {
  return typeof value === 'string' && /^[0-9]{1,78}$/.test(value) ? BigInt(value) : undefined
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
