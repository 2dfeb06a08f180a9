/** Follows a swap to its end. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { QuoteStatus } from '../../src/index.js'

/** Returns when the swap is settled; rejects when it lapsed. One that is not signed lapses as well, so this ends. */
export async function settled(status: () => Promise<Pick<QuoteStatus, 'state'>>, pauseMs = 100): Promise<void> {
  for (;;) {
    const { state } = await status()
    if (state === 'settled') return
    assert.notEqual(state, 'lapsed', 'the swap expired without execution')
    await delay(pauseMs)
  }
}
