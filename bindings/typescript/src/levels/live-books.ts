/**
 * The books of one connection that are live. Pure: the time is a parameter, in milliseconds of a monotonic clock of this
 * machine, which need not agree with that of the service.
 */
import type { LevelBook } from '../api/responses.js'
import type { LevelsMessage, Period } from './messages.js'

interface LiveBook {
  readonly book: LevelBook
  readonly expiresAt: number
}

export class LiveBooks {
  /** By pool, input and output. */
  #books = new Map<string, LiveBook>()
  /** What the service's clock showed and this machine's, when `hello` arrived. */
  #clock: { readonly unixMs: number; readonly readAt: number } | undefined

  /** The books that are live at `now`, in the order of pools and symbols. */
  at(now: number): LevelBook[] {
    const live = [...this.#books].filter(([, { expiresAt }]) => now < expiresAt)
    return live.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { book }]) => book)
  }

  /** When the next book expires; infinity if there is none. */
  get nextExpiry(): number {
    return Math.min(...[...this.#books.values()].map(({ expiresAt }) => expiresAt))
  }

  /** Drops the books that are no longer live; whether there were any. */
  dropExpired(now: number): boolean {
    return this.#keep(({ expiresAt }) => now < expiresAt)
  }

  /** Drops everything: the connection ended. */
  clear(): void {
    this.#books.clear()
    this.#clock = undefined
  }

  /** Applies a message that arrived at `now`; whether it is about books. */
  apply(message: LevelsMessage, now: number): boolean {
    switch (message.type) {
      case 'hello':
        this.#clock = { unixMs: message.hello.server_time_ms, readAt: now }
        return false
      case 'book': {
        const { book } = message
        const key = [book.pool_address.toLowerCase(), book.input_asset_symbol, book.output_asset_symbol].join(' ')
        this.#books.set(key, { book, expiresAt: this.#expiry(book, now) })
        return true
      }
      case 'renew': {
        const { levels_ids, ...period } = message.renewal
        for (const [key, { book }] of this.#books) {
          if (!levels_ids.includes(book.levels_id)) continue
          this.#books.set(key, { book: { ...book, ...period }, expiresAt: this.#expiry(period, now) })
        }
        return true
      }
      case 'withdraw': {
        const { levels_ids } = message.withdrawal
        this.#keep(({ book }) => !levels_ids.includes(book.levels_id))
        return true
      }
      default:
        return false
    }
  }

  /**
   * When a book that arrives now is no longer valid. It may have been published some time ago, and may have waited on its
   * way for as long as this connection exists: the clock of the service, as it was in the beginning, bounds both.
   */
  #expiry({ published_ms, valid_until_ms }: Period, now: number): number {
    const byPeriod = now + valid_until_ms - published_ms
    if (this.#clock === undefined) return byPeriod
    return Math.min(byPeriod, this.#clock.readAt + valid_until_ms - this.#clock.unixMs)
  }

  #keep(isKept: (live: LiveBook) => boolean): boolean {
    const kept = [...this.#books].filter(([, live]) => isKept(live))
    const hasDropped = kept.length < this.#books.size
    this.#books = new Map(kept)
    return hasDropped
  }
}
