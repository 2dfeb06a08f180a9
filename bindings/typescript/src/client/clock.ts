/** Time, as far as the client needs it, so that tests can be in charge of it. */

/** A source of time and of delays. */
export interface Clock {
  /** Milliseconds of a clock that never jumps. */
  monotonicMs(): number
  /** Unix milliseconds. */
  unixMs(): number
  /** Calls back once after a delay; returns a function that cancels it. */
  schedule(delayMs: number, callback: () => void): () => void
}

/** The longest delay of a timer, 24.8 days: a longer one would end at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** The clocks and timers of this machine. Delays are at most 24.8 days. */
export const SYSTEM_CLOCK: Clock = {
  monotonicMs: () => performance.now(),
  unixMs: () => Date.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}

/** Waits. Rejects with the reason of the signal as soon as that is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const onAbort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
