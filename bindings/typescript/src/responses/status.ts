/** What became of a quote. */
import type { QuoteStatus } from '../api/responses.js'

/** Whether the state is final: lapsed, or settled with that many confirmations. */
export function isFinal(status: QuoteStatus, confirmations: number): boolean {
  return status.state === 'lapsed' || (status.settled?.confirmations ?? 0) >= Math.max(confirmations, 1)
}
