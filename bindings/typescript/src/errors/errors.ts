/** Errors of a request: one class for each kind of failure. None of them contains a credential. */
import type { Quote } from '../api/responses.js'
import { type Failure, type Reaction, reactionTo } from './reaction.js'

/** Any error of this client, except for the reason of a cancelled call, which is passed on as it is. */
export abstract class FirmquoteError extends Error {
  /** The request id, by which the operator finds the request in the log; `undefined` if nothing was sent. */
  readonly requestId: string | undefined

  constructor(message: string, requestId: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.requestId = requestId
  }

  /** What to do next. */
  abstract readonly reaction: Reaction

  /** The quote that replaces the one to be signed, if the service offers one. */
  get freshQuote(): Quote | undefined {
    return undefined
  }
}

/** No complete response: see the subclasses. */
export abstract class NoResponseError extends FirmquoteError {
  readonly reaction: Reaction = reactionTo(withoutResponse('connection'))
}

/** No connection could be made: the request was not sent. A browser does not tell, and has `InterruptedError` instead. */
export class UnreachableError extends NoResponseError {}

/** The response was not complete in time. The service may have processed the request. */
export class TimedOutError extends NoResponseError {
  constructor(
    /** The timeout in milliseconds. */
    readonly timeoutMs: number,
    requestId: string,
  ) {
    super(`no response within ${timeoutMs} ms`, requestId)
  }
}

/** The connection ended before the response was complete. The service may have processed the request. */
export class InterruptedError extends NoResponseError {}

/** A response that violates the interface, does not match the request, is too long, or contains the credential. */
export class InvalidResponseError extends FirmquoteError {
  readonly reaction: Reaction = reactionTo(withoutResponse('unusable'))

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** What is wrong with it. */
    readonly problem: string,
    requestId: string | undefined,
  ) {
    super(`unusable response (HTTP ${status}): ${problem}`, requestId)
  }
}

/** The request was not sent: it needs version 2 of the API, and therefore an API key. */
export class NeedsApiKeyError extends FirmquoteError {
  readonly reaction: Reaction = reactionTo(withoutResponse('unusable'))

  constructor(what: string) {
    super(`${what} needs an API key`, undefined)
  }
}

/**
 * Quoting and signing without an API key has two steps, of which the second one failed. The quote may be signed
 * nevertheless; `signQuote` with the same terms finds out.
 */
export class QuoteNotSignedError extends FirmquoteError {
  readonly reaction: Reaction

  constructor(
    /** The quote. */
    readonly quote: Quote,
    override readonly cause: FirmquoteError,
  ) {
    super(`${cause.message}; quote ${quote.id} was to be signed`, cause.requestId)
    this.reaction = cause.reaction
  }

  override get freshQuote(): Quote | undefined {
    return this.cause.freshQuote
  }
}

/** Settings or a parameter of a call that no request can be made of. Never contains the rejected value. */
export class InvalidSettingsError extends TypeError {
  override readonly name = 'InvalidSettingsError'
}

function withoutResponse(cause: Failure['cause']): Failure {
  return { cause, status: 0, error_type: '', message: '', reason: '' }
}
