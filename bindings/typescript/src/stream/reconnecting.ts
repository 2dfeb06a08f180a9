/** The messages of a stream, over one connection after another. */
import { SYSTEM_CLOCK, sleep } from '../client/clock.js'
import { type RequestExecutor, withJitter } from '../client/executor.js'
import { FirmquoteError, InterruptedError, InvalidResponseError } from '../errors/errors.js'
import { DecodeError, oneLine } from '../json/decode.js'
import type { MessageSource } from './sources.js'

/** A connection ended; another follows by itself, after a pause. No cause: the service said goodbye. */
export interface Disconnected {
  readonly kind: 'disconnected'
  readonly cause?: FirmquoteError
  readonly retryAfterMs: number
}

/** A message that arrived. */
export interface Arrival {
  readonly kind: 'message'
  readonly json: string
  /** Its number on its connection, from 1. */
  readonly position: number
  /** When it arrived, by the monotonic clock. */
  readonly at: number
}

/** A source of messages, and the id of the request that opened it. */
export interface OpenedSource {
  readonly source: MessageSource
  readonly requestId: string
}

interface Connection extends OpenedSource {
  received: number
  /** How long this stream has waited since the last message. Time in which none is requested is no silence. */
  silentMs: number
  /** The message that is being waited for, with the time of its arrival. */
  pending: Promise<{ readonly json: string | undefined; readonly at: number }> | undefined
}

const FIRST_PAUSE_MS = 250
export const MAX_PAUSE_MS = 10_000
/** The longest pause, also if the service asks for a longer one. */
const MAX_REQUESTED_PAUSE_MS = 60_000
/** The longest silence of a connection: three heartbeats. */
const MAX_SILENCE_MS = 15_000

/** Connects as often as needed; every failure before the stream is up to date lengthens the next pause. */
export class ReconnectingSource {
  readonly #executor: RequestExecutor
  readonly #open: (signal: AbortSignal | undefined) => Promise<OpenedSource>
  readonly #name: string
  #connection: Connection | undefined
  #reconnectAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #isClosed = false

  /** `name` is that of the stream in errors. */
  constructor(
    executor: RequestExecutor,
    name: string,
    open: (signal: AbortSignal | undefined) => Promise<OpenedSource>,
  ) {
    this.#executor = executor
    this.#name = name
    this.#open = open
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The stream is up to date: the next pause is the shortest again. */
  resetPauses(): void {
    this.#failures = 0
  }

  /**
   * The next message or end of a connection; `undefined` after connecting, at `wakeAt`, and once it is closed.
   *
   * @throws {FirmquoteError} that another connection cannot mend, and the reason of the signal.
   */
  async next(wakeAt: number, signal: AbortSignal | undefined): Promise<Arrival | Disconnected | undefined> {
    if (this.#connection === undefined) return this.#connect(signal)
    const connection = this.#connection
    const startedAt = this.#now()
    const silentAt = startedAt + MAX_SILENCE_MS - connection.silentMs
    const wokenAt = Math.min(silentAt, wakeAt)
    const arrival = await this.#receive(connection, wokenAt, signal)
    if (this.#isClosed) return undefined
    if (arrival instanceof FirmquoteError) return this.fail(arrival)
    if (arrival !== 'timeout') return arrival
    connection.silentMs += Math.max(wokenAt - startedAt, 0)
    return wokenAt < silentAt ? undefined : this.interrupt('nothing arrived for three heartbeats')
  }

  /** Ends the connection since a message cannot be read. */
  refuse(error: unknown): Disconnected {
    return this.fail(this.#unreadable(error, this.#connection?.requestId ?? ''))
  }

  /** Ends the connection for this reason. */
  interrupt(reason: string): Disconnected {
    return this.fail(this.#interrupted(reason, this.#connection?.requestId ?? ''))
  }

  /**
   * Ends the connection.
   *
   * @throws {FirmquoteError} the cause, if another connection cannot mend it.
   */
  fail(cause: FirmquoteError): Disconnected {
    const { reaction } = cause
    if (reaction.kind !== 'retry') {
      this.close()
      throw cause
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#failures, 10), MAX_PAUSE_MS)
    this.#failures += 1
    const jittered = withJitter(pauseMs, this.#executor.settings.random)
    return this.reconnectIn(Math.max(jittered, reaction.after_ms ?? 0), cause)
  }

  /** Ends the connection; the next one is opened after a pause. */
  reconnectIn(requestedMs: number, cause?: FirmquoteError): Disconnected {
    const retryAfterMs = Math.min(requestedMs, MAX_REQUESTED_PAUSE_MS)
    this.#disconnect()
    this.#reconnectAt = this.#now() + retryAfterMs
    return { kind: 'disconnected', retryAfterMs, ...(cause && { cause }) }
  }

  /** Ends the connection for good. */
  close(): void {
    this.#isClosed = true
    this.#disconnect()
  }

  async #connect(signal: AbortSignal | undefined): Promise<Disconnected | undefined> {
    const pauseMs = this.#reconnectAt - this.#now()
    if (pauseMs > 0) await sleep(this.#executor.settings.clock, pauseMs, signal)
    try {
      const opened = await this.#open(signal)
      if (this.#isClosed) {
        opened.source.close()
        return undefined
      }
      this.#connection = { ...opened, received: 0, silentMs: 0, pending: undefined }
      return undefined
    } catch (error) {
      if (!(error instanceof FirmquoteError)) throw error
      return this.fail(error)
    }
  }

  /** The next message, an error that ends the connection, or `timeout`. */
  async #receive(
    connection: Connection,
    wakeAt: number,
    signal: AbortSignal | undefined,
  ): Promise<Arrival | FirmquoteError | 'timeout'> {
    connection.pending ??= connection.source.next().then((json) => ({ json, at: this.#now() }))
    const timer = new AbortController()
    const wait = sleep(this.#executor.settings.clock, Math.max(wakeAt - this.#now(), 0), timer.signal)
    const timeout = wait.then(
      () => 'timeout' as const,
      () => 'timeout' as const,
    )
    const onAbort = () => timer.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      let arrival = await Promise.race([connection.pending, timeout])
      signal?.throwIfAborted()
      if (arrival === 'timeout') {
        // A message may have arrived that this program had no time to read.
        await sleep(SYSTEM_CLOCK, 0)
        arrival = await Promise.race([connection.pending, 'timeout' as const])
        signal?.throwIfAborted()
      }
      if (arrival === 'timeout') return arrival
      connection.pending = undefined
      connection.silentMs = 0
      if (arrival.json === undefined) return this.#interrupted('the stream ended', connection.requestId)
      connection.received += 1
      return { kind: 'message', json: arrival.json, position: connection.received, at: arrival.at }
    } catch (error) {
      if (signal?.aborted === true) {
        this.close()
        throw error
      }
      return this.#unreadable(error, connection.requestId)
    } finally {
      signal?.removeEventListener('abort', onAbort)
      timer.abort()
    }
  }

  #unreadable(error: unknown, requestId: string): FirmquoteError {
    const problem = oneLine(error instanceof Error ? error.message : String(error))
    const isUnreadable = error instanceof SyntaxError || error instanceof DecodeError || error instanceof RangeError
    return isUnreadable ? new InvalidResponseError(200, problem, requestId) : this.#interrupted(problem, requestId)
  }

  #interrupted(reason: string, requestId: string): FirmquoteError {
    return new InterruptedError(`the stream of ${this.#name} was interrupted: ${reason}`, requestId)
  }

  #disconnect(): void {
    this.#connection?.pending?.catch(() => {})
    this.#connection?.source.close()
    this.#connection = undefined
  }

  #now(): number {
    return this.#executor.settings.clock.monotonicMs()
  }
}

/** Iterates over what `next` returns until that is `undefined`. */
export function iterate<T extends object>(
  next: () => Promise<T | undefined>,
  close: () => void,
): AsyncIterator<T, undefined> {
  return {
    next: async () => {
      const value = await next()
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    return: async () => {
      close()
      return { done: true, value: undefined }
    },
  }
}
