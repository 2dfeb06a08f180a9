/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/client/clock.js'

interface Timer {
  readonly at: number
  readonly delayMs: number
  readonly callback: () => void
}

export class ManualClock implements Clock {
  #now = 0
  #timers: Timer[] = []
  #watchers: (() => void)[] = []

  constructor(private readonly startMs = 1_700_000_000_000) {}

  monotonicMs(): number {
    return this.#now
  }

  unixMs(): number {
    return this.startMs + this.#now
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, delayMs, callback }
    this.#timers.push(timer)
    for (const wake of this.#watchers.splice(0)) wake()
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Moves the time, and calls back what is due, in order. */
  advance(ms: number): void {
    this.#now += ms
    const due = this.#timers.filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    this.#timers = this.#timers.filter(({ at }) => at > this.#now)
    for (const { callback } of due) callback()
  }

  /** Delays of the timers that run. */
  get delays(): number[] {
    return this.#timers.map(({ delayMs }) => delayMs)
  }

  /** Waits until a timer with such a delay runs, and returns the delay. */
  async timer(matches: (delayMs: number) => boolean): Promise<number> {
    for (;;) {
      const found = this.delays.find(matches)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        this.#watchers.push(resolve)
      })
    }
  }
}
