/** Sends requests, repeats those that may be repeated, and turns responses into values or errors. */
import { FirmquoteError, InvalidResponseError, InvalidSettingsError } from '../errors/errors.js'
import { refusalFrom } from '../errors/refusal.js'
import { DecodeError, type Decoder, oneLine } from '../json/decode.js'
import { readJson } from '../json/reader.js'
import { sleep } from './clock.js'
import { freshRequestId, isRequestId, metaOf, retryAfterMs } from './meta.js'
import type { CallOptions } from './requests.js'
import type { Route } from './route.js'
import type { ResolvedSettings, RetryPolicy } from './settings.js'
import { type Exchange, exchange, openStream, type RawResponse } from './transport.js'

/** A value with what its response said about itself. */
export interface Answer<T> {
  readonly value: T
  readonly requestId: string
  readonly headers: Headers
}

/** An open stream of events. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  readonly requestId: string
}

export class RequestExecutor {
  constructor(readonly settings: ResolvedSettings) {}

  /** Sends a request, more than once where that is safe and may help, and decodes the response. */
  async execute<T>(route: Route, decoder: Decoder<T>, options: CallOptions): Promise<Answer<T>> {
    return this.#persist(route, options, async (request, attempt) => {
      const response = await exchange(this.settings, request)
      const requestId = this.#accept(response, request, attempt)
      return { value: this.#decode(response, decoder, requestId), requestId, headers: response.headers }
    })
  }

  /** Like `execute` with an entity tag: `undefined` if nothing changed since. */
  async executeIfChanged<T>(
    route: Route,
    decoder: Decoder<T>,
    etag: string | undefined,
    options: CallOptions,
  ): Promise<Answer<T> | undefined> {
    const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
    return this.#persist(route, options, async (request, attempt) => {
      const response = await exchange(this.settings, { ...request, headers })
      if (response.status === 304 && etag !== undefined) {
        this.settings.onResponse(metaOf(response.status, response.headers, request.requestId, attempt))
        return undefined
      }
      const requestId = this.#accept(response, request, attempt)
      return { value: this.#decode(response, decoder, requestId), requestId, headers: response.headers }
    })
  }

  /** Opens a stream of events, once. */
  async openEvents(route: Route, options: CallOptions): Promise<EventStream> {
    const request = this.#exchange(route, options)
    const opened = await openStream(this.settings, request)
    if ('stream' in opened) {
      const meta = metaOf(200, opened.headers, request.requestId, 1)
      this.settings.onResponse(meta)
      return { body: opened.stream, requestId: meta.requestId }
    }
    const requestId = this.#accept(opened, request, 1)
    throw new InvalidResponseError(opened.status, 'it is not a stream of events', requestId)
  }

  async #persist<T>(
    route: Route,
    options: CallOptions,
    once: (request: Exchange, attempt: number) => Promise<T>,
  ): Promise<T> {
    const request = this.#exchange(route, options)
    const { clock, random, retry } = this.settings
    const attempts = route.isRepeatable && options.retry !== false ? retry.attempts : 1
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(request, attempt)
      } catch (error) {
        const pauseMs = attempt < attempts ? pauseBefore(error, attempt, retry, random) : undefined
        const resumesAt = clock.unixMs() + (pauseMs ?? 0)
        const isLate = options.retryUntil !== undefined && resumesAt >= options.retryUntil * 1000
        if (pauseMs === undefined || isLate) throw error
        await sleep(clock, pauseMs, options.signal)
      }
    }
  }

  #exchange(route: Route, options: CallOptions): Exchange {
    const requestId = options.requestId ?? freshRequestId()
    if (!isRequestId(requestId)) throw new InvalidSettingsError('the service would not accept this request id')
    const timeoutMs = options.timeoutMs ?? this.settings.timeoutMs
    return { route, requestId, timeoutMs, ...(options.signal && { signal: options.signal }) }
  }

  /** Reports a response and returns its request id, or throws what it refuses. */
  #accept({ status, headers, body }: RawResponse, { requestId }: Exchange, attempt: number): string {
    const meta = metaOf(status, headers, requestId, attempt)
    this.settings.onResponse(meta)
    if (this.settings.secrets.some((secret) => body.includes(secret))) {
      throw new InvalidResponseError(status, 'it contains the credential', meta.requestId)
    }
    if (status !== 200) throw refusalFrom(status, body, meta.requestId, retryAfterMs(headers))
    return meta.requestId
  }

  #decode<T>({ status, body }: RawResponse, decoder: Decoder<T>, requestId: string): T {
    try {
      return decoder(readJson(body), 'response')
    } catch (error) {
      if (!(error instanceof DecodeError) && !(error instanceof SyntaxError)) throw error
      throw new InvalidResponseError(status, oneLine(error.message), requestId)
    }
  }
}

/** From half of a pause to all of it, so that clients do not come back together. */
export function withJitter(pauseMs: number, random: () => number): number {
  return pauseMs * (0.5 + random() / 2)
}

/** The pause before the next attempt; `undefined` if another attempt does not help, or would be too far away. */
function pauseBefore(
  error: unknown,
  attempt: number,
  { baseDelayMs, maxDelayMs }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!(error instanceof FirmquoteError) || error.reaction.kind !== 'retry') return undefined
  const pauseMs = withJitter(Math.min(baseDelayMs * 2 ** (attempt - 1), maxDelayMs), random)
  const afterMs = error.reaction.after_ms
  if (afterMs === undefined) return pauseMs
  return afterMs > maxDelayMs ? undefined : Math.max(afterMs, pauseMs)
}
