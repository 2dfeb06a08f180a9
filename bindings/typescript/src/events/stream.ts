/** The stream of events of a client's own quotes, across reconnections. */
import type { RequestExecutor } from '../client/executor.js'
import { eventsV2 } from '../client/route.js'
import {
  type Arrival,
  type Disconnected,
  iterate,
  type OpenedSource,
  ReconnectingSource,
} from '../stream/reconnecting.js'
import { EventSourceBody } from '../stream/sources.js'
import { type EventMessage, type QuoteEvent, readEvent } from './messages.js'

/** How events are followed. */
export interface EventStreamOptions {
  /** The `id` of the last event that is known; from now on without one. */
  readonly after?: string
  /** Ends the stream; the iteration rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** What a stream of events reports. */
export type EventsChange =
  /** Something happened to a quote. */
  | { readonly kind: 'quote'; readonly event: QuoteEvent }
  /** Events may be missing: read the status of the quotes that are open. */
  | { readonly kind: 'reset' }
  /** Everything until now has arrived on this connection; what follows arrives as it happens. */
  | { readonly kind: 'up_to_date' }
  /** The connection ended. */
  | Disconnected

/**
 * Events of this client's quotes, followed over one connection after another. Every event arrives at least once, those of a
 * quote in order; each connection continues after the last event of the one before. The iteration rejects with an error that
 * another connection cannot mend, such as refused credentials or an unknown chain.
 */
export class QuoteEventStream implements AsyncIterable<EventsChange> {
  readonly #executor: RequestExecutor
  readonly #chainId: number
  readonly #signal: AbortSignal | undefined
  readonly #source: ReconnectingSource
  #lastEventId: string | undefined
  /** Whether everything has arrived on this connection. */
  #isUpToDate = false

  constructor(executor: RequestExecutor, chainId: number, options: EventStreamOptions) {
    this.#executor = executor
    this.#chainId = chainId
    this.#signal = options.signal
    this.#lastEventId = options.after
    this.#source = new ReconnectingSource(executor, 'events', (signal) => this.#open(signal))
  }

  /** The cursor after what has arrived, for another stream to continue there within ten minutes. */
  get lastEventId(): string | undefined {
    return this.#lastEventId
  }

  /** Ends the stream. A loop over it ends as well, unless it is waiting for a change: use the signal to end that. */
  close(): void {
    this.#source.close()
  }

  [Symbol.asyncIterator](): AsyncIterator<EventsChange, undefined> {
    return iterate(
      () => this.#change(),
      () => this.close(),
    )
  }

  async #change(): Promise<EventsChange | undefined> {
    while (!this.#source.isClosed) {
      this.#signal?.throwIfAborted()
      const arrival = await this.#source.next(Number.POSITIVE_INFINITY, this.#signal)
      const change = arrival?.kind === 'message' ? this.#apply(arrival) : arrival
      if (change !== undefined) return change
    }
    return undefined
  }

  async #open(signal: AbortSignal | undefined): Promise<OpenedSource> {
    this.#isUpToDate = false
    const route = eventsV2(this.#chainId, this.#lastEventId)
    const stream = await this.#executor.openEvents(route, signal ? { signal } : {})
    return { source: new EventSourceBody(stream.body), requestId: stream.requestId }
  }

  #apply({ json }: Arrival): EventsChange | undefined {
    let message: EventMessage
    try {
      message = readEvent(json)
    } catch (error) {
      return this.#source.refuse(error)
    }
    if (message.kind === 'other') return undefined
    this.#lastEventId = message.id
    if (message.kind === 'quote') return { kind: 'quote', event: message.event }
    if (message.kind === 'reset') return { kind: 'reset' }
    if (this.#isUpToDate) return undefined
    this.#isUpToDate = true
    this.#source.resetPauses()
    return { kind: 'up_to_date' }
  }
}
