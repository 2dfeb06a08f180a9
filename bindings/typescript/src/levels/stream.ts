/** The stream of price levels: the live books, across reconnections. */

import type { LevelBook } from '../api/responses.js'
import type { RequestExecutor } from '../client/executor.js'
import { freshRequestId } from '../client/meta.js'
import type { LevelsRequest } from '../client/requests.js'
import { levelSocketV2, levelStreamV2 } from '../client/route.js'
import { InvalidSettingsError } from '../errors/errors.js'
import {
  type Arrival,
  type Disconnected,
  iterate,
  MAX_PAUSE_MS,
  type OpenedSource,
  ReconnectingSource,
} from '../stream/reconnecting.js'
import { EventSourceBody, SocketMessages, type WebSocketLike } from '../stream/sources.js'
import { LiveBooks } from './live-books.js'
import { type NumberedMessage, readMessage } from './messages.js'

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
  /** The connection ended, and with it all books. */
  | Disconnected

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
  readonly #source: ReconnectingSource

  constructor(executor: RequestExecutor, request: LevelsRequest, options: LevelStreamOptions) {
    this.#executor = executor
    this.#request = request
    this.#options = options
    this.#source = new ReconnectingSource(executor, 'levels', (signal) => this.#open(signal))
  }

  /** The books that are live at this moment, in the order of pools and symbols. */
  books(): LevelBook[] {
    return this.#books.at(this.#now())
  }

  /** Ends the stream. A loop over it ends as well, unless it is waiting for a change: use the signal to end that. */
  close(): void {
    this.#source.close()
    this.#books.clear()
  }

  [Symbol.asyncIterator](): AsyncIterator<LevelsChange, undefined> {
    return iterate(
      () => this.#change(),
      () => this.close(),
    )
  }

  async #change(): Promise<LevelsChange | undefined> {
    const { signal } = this.#options
    while (!this.#source.isClosed) {
      signal?.throwIfAborted()
      if (this.#books.dropExpired(this.#now())) return { kind: 'books' }
      const change = await this.#step(signal)
      if (change?.kind === 'disconnected') this.#books.clear()
      if (change !== undefined) return change
    }
    return undefined
  }

  async #step(signal: AbortSignal | undefined): Promise<LevelsChange | undefined> {
    try {
      const arrival = await this.#source.next(this.#books.nextExpiry, signal)
      return arrival?.kind === 'message' ? this.#apply(arrival) : arrival
    } catch (error) {
      this.close()
      throw error
    }
  }

  async #open(signal: AbortSignal | undefined): Promise<OpenedSource> {
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

  #apply({ json, position, at }: Arrival): LevelsChange | undefined {
    let numbered: NumberedMessage
    try {
      numbered = readMessage(json)
    } catch (error) {
      return this.#source.refuse(error)
    }
    const { n, message } = numbered
    if (n !== position) return this.#source.interrupt('a message is missing')
    if (message.type === 'snapshot_end') this.#source.resetPauses()
    if (message.type === 'goodbye') {
      // Not before the time that it names, and not all clients at once.
      const after = message.goodbye.reconnect_after_ms
      return this.#source.reconnectIn(after + this.#executor.settings.random() * Math.min(after, MAX_PAUSE_MS))
    }
    return this.#books.apply(message, at) ? { kind: 'books' } : undefined
  }

  #now(): number {
    return this.#executor.settings.clock.monotonicMs()
  }
}
