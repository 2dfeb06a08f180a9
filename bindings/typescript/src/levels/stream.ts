/** The stream of price levels: the live books, across reconnections. */

import type { LevelBook } from '../api/responses.js'
import { SYSTEM_CLOCK, sleep } from '../client/clock.js'
import { type RequestExecutor, withJitter } from '../client/executor.js'
import { freshRequestId } from '../client/meta.js'
import type { LevelsRequest } from '../client/requests.js'
import { levelSocketV2, levelStreamV2 } from '../client/route.js'
import { FirmquoteError, InterruptedError, InvalidResponseError, InvalidSettingsError } from '../errors/errors.js'
import { DecodeError, oneLine } from '../json/decode.js'
import { LiveBooks } from './live-books.js'
import { type LevelsMessage, readMessage } from './messages.js'
import { EventSourceBody, type MessageSource, SocketMessages, type WebSocketLike } from './sources.js'

/** How a stream is followed. */
export interface LevelStreamOptions {
  /** Ends the stream; the iteration rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /**
   * Makes the WebSocket that messages come over, instead of Server-Sent Events. It has to send the headers, which browsers
   * cannot: `(url, headers) => new WebSocket(url, { headers })` in Node.js from 22 on and with the package `ws`.
   */
  readonly webSocket?: (url: string, headers: Readonly<Record<string, string>>) => WebSocketLike
}

/** What changed. */
export type LevelsChange =
  /** A book arrived, replaced another, was renewed, or is gone: read `books()`. */
  | { readonly kind: 'books' }
  /** The connection ended, and with it all books; another follows by itself, after a pause. No cause: the service said goodbye. */
  | { readonly kind: 'disconnected'; readonly cause?: FirmquoteError; readonly retryAfterMs: number }

interface Connection {
  readonly source: MessageSource
  readonly requestId: string
  lastNumber: number
  /** How long this stream has waited since the last message. Time in which none is requested is no silence. */
  silentMs: number
  /** The message that is being waited for, with the time of its arrival. */
  pending: Promise<{ readonly json: string | undefined; readonly at: number }> | undefined
}

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000
/** The longest pause, also if the service asks for a longer one. */
const MAX_REQUESTED_PAUSE_MS = 60_000
/** The longest silence of a connection: three heartbeats. */
const MAX_SILENCE_MS = 15_000

/**
 * Books of price levels that are live, followed over one connection after another. Iterate over it for changes; nothing is
 * read in between. Books that expire or are withdrawn disappear by themselves, and so do all of them when the connection
 * ends, falls silent or loses a message. The iteration rejects with an error that another connection cannot mend, such as
 * refused credentials or an unknown pair.
 */
export class LevelStream implements AsyncIterable<LevelsChange> {
  readonly #executor: RequestExecutor
  readonly #request: LevelsRequest
  readonly #options: LevelStreamOptions
  readonly #books = new LiveBooks()
  #connection: Connection | undefined
  #reconnectAt = Number.NEGATIVE_INFINITY
  /** Connections in a row that ended before all books had arrived. */
  #failures = 0
  #isClosed = false

  constructor(executor: RequestExecutor, request: LevelsRequest, options: LevelStreamOptions) {
    this.#executor = executor
    this.#request = request
    this.#options = options
  }

  /** The books that are live at this moment, in the order of pools and symbols. */
  books(): LevelBook[] {
    return this.#books.at(this.#now())
  }

  /** Ends the stream. A loop over it ends as well, unless it is waiting for a change: use the signal to end that. */
  close(): void {
    this.#isClosed = true
    this.#disconnect()
  }

  [Symbol.asyncIterator](): AsyncIterator<LevelsChange, undefined> {
    return {
      next: async () => {
        const value = await this.#change()
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      return: async () => {
        this.close()
        return { done: true, value: undefined }
      },
    }
  }

  async #change(): Promise<LevelsChange | undefined> {
    const { signal } = this.#options
    while (!this.#isClosed) {
      signal?.throwIfAborted()
      if (this.#books.dropExpired(this.#now())) return { kind: 'books' }
      const change = await this.#step(signal)
      if (change !== undefined) return change
    }
    return undefined
  }

  /** Connects, or waits for one message, an expiry or the end of patience. */
  async #step(signal: AbortSignal | undefined): Promise<LevelsChange | undefined> {
    if (this.#connection === undefined) return this.#connect(signal)
    const connection = this.#connection
    const startedAt = this.#now()
    const silentAt = startedAt + MAX_SILENCE_MS - connection.silentMs
    const wakeAt = Math.min(silentAt, this.#books.nextExpiry)
    const arrival = await this.#receive(connection, wakeAt, signal)
    if (this.#isClosed) return undefined
    if (arrival instanceof FirmquoteError) return this.#disconnected(arrival)
    if (arrival !== 'timeout') return this.#apply(arrival.message, arrival.at)
    connection.silentMs += Math.max(wakeAt - startedAt, 0)
    if (wakeAt < silentAt) return undefined
    return this.#disconnected(interrupted(connection, 'nothing arrived for three heartbeats'))
  }

  async #connect(signal: AbortSignal | undefined): Promise<LevelsChange | undefined> {
    const pauseMs = this.#reconnectAt - this.#now()
    if (pauseMs > 0) await sleep(this.#executor.settings.clock, pauseMs, signal)
    try {
      const { source, requestId } = await this.#open(signal)
      this.#connection = { source, requestId, lastNumber: 0, silentMs: 0, pending: undefined }
      return undefined
    } catch (error) {
      if (!(error instanceof FirmquoteError)) throw error
      return this.#disconnected(error)
    }
  }

  async #open(signal: AbortSignal | undefined): Promise<{ source: MessageSource; requestId: string }> {
    const { webSocket } = this.#options
    const { baseUrlV2, headers } = this.#executor.settings
    if (webSocket === undefined) {
      const stream = await this.#executor.openEvents(levelStreamV2(this.#request), signal ? { signal } : {})
      return { source: new EventSourceBody(stream.body), requestId: stream.requestId }
    }
    const requestId = freshRequestId()
    const url = baseUrlV2.replace(/^http/, 'ws') + levelSocketV2(this.#request).path
    const socket = webSocket(url, { ...headers, 'x-request-id': requestId })
    if (typeof socket?.addEventListener !== 'function') throw new InvalidSettingsError('webSocket makes no WebSocket')
    return { source: new SocketMessages(socket), requestId }
  }

  /** The next message, an error that ends the connection, or `timeout`. */
  async #receive(
    connection: Connection,
    wakeAt: number,
    signal: AbortSignal | undefined,
  ): Promise<{ message: LevelsMessage; at: number } | FirmquoteError | 'timeout'> {
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
      if (arrival.json === undefined) return interrupted(connection, 'the stream ended')
      const { n, message } = readMessage(arrival.json)
      connection.lastNumber += 1
      return n === connection.lastNumber ? { message, at: arrival.at } : interrupted(connection, 'a message is missing')
    } catch (error) {
      if (signal?.aborted === true) {
        this.close()
        throw error
      }
      const problem = oneLine(error instanceof Error ? error.message : String(error))
      const isUnreadable = error instanceof SyntaxError || error instanceof DecodeError || error instanceof RangeError
      return isUnreadable
        ? new InvalidResponseError(200, problem, connection.requestId)
        : interrupted(connection, problem)
    } finally {
      signal?.removeEventListener('abort', onAbort)
      timer.abort()
    }
  }

  #apply(message: LevelsMessage, at: number): LevelsChange | undefined {
    if (message.type === 'snapshot_end') this.#failures = 0
    if (message.type === 'goodbye') {
      // Not before the time that it names, and not all clients at once.
      const after = message.goodbye.reconnect_after_ms
      const pauseMs = after + this.#executor.settings.random() * Math.min(after, MAX_PAUSE_MS)
      return this.#reconnectIn(pauseMs)
    }
    return this.#books.apply(message, at) ? { kind: 'books' } : undefined
  }

  /** Ends the connection; the pause before the next one grows from failure to failure. */
  #disconnected(cause: FirmquoteError): LevelsChange {
    const { reaction } = cause
    if (reaction.kind !== 'retry') {
      this.close()
      throw cause
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#failures, 10), MAX_PAUSE_MS)
    this.#failures += 1
    return this.#reconnectIn(
      Math.max(withJitter(pauseMs, this.#executor.settings.random), reaction.after_ms ?? 0),
      cause,
    )
  }

  #reconnectIn(requestedMs: number, cause?: FirmquoteError): LevelsChange {
    const retryAfterMs = Math.min(requestedMs, MAX_REQUESTED_PAUSE_MS)
    this.#disconnect()
    this.#reconnectAt = this.#now() + retryAfterMs
    return { kind: 'disconnected', retryAfterMs, ...(cause && { cause }) }
  }

  #disconnect(): void {
    this.#connection?.pending?.catch(() => {})
    this.#connection?.source.close()
    this.#connection = undefined
    this.#books.clear()
  }

  #now(): number {
    return this.#executor.settings.clock.monotonicMs()
  }
}

function interrupted({ requestId }: Connection, reason: string): FirmquoteError {
  return new InterruptedError(`the stream of levels was interrupted: ${reason}`, requestId)
}
