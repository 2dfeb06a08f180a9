/** Messages of a stream of levels, as JSON. */
import { examples, operations } from './openapi.js'

const [SNAPSHOT] = examples(operations().find(({ id }) => id === 'levels_v2')?.operation)

/** A book with these members changed. */
export function bookMessage(n: number, changes: object = {}): string {
  return JSON.stringify({ type: 'book', n, ...SNAPSHOT.books[0], ...changes })
}

export function helloMessage(n: number, serverTimeMs: number): string {
  const times = { server_time_ms: serverTimeMs, heartbeat_ms: 5000, min_interval_ms: 100 }
  return JSON.stringify({ type: 'hello', n, protocol: 'firmquote-levels/1', epoch: 'e', chain_id: 1, ...times })
}

/** An event, as the service writes it. */
export function event(json: string): string {
  return `id: e-${JSON.parse(json).n}\nevent: ${JSON.parse(json).type}\ndata: ${json}\n\n`
}
