import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test, { type TestContext } from 'node:test'
import { type EventsChange, FirmquoteClient, ForbiddenError } from '../../src/index.js'
import { event } from '../support/levels.js'
import { ManualClock } from '../support/manual-clock.js'
import { sendJson, stubServer } from '../support/stub-server.js'

const HEARTBEAT = (id: string) => JSON.stringify({ event: 'heartbeat', id })

const SETTLED = {
  transaction_hash: `0x${'ab'.repeat(32)}`,
  log_index: 12,
  block_number: 7,
  block_timestamp: 1_697_235_863,
  confirmations: null,
  input_amount: '100',
  output_amount: '99',
}

function quoteEvent(kind: string, id: string): string {
  return JSON.stringify({
    event: kind,
    id,
    quote_id: '05a51aa6-41b5-4c61-a452-f1b95d0d43e4',
    chain_id: 1,
    pool_address: '0x655eDCE464CC797526600a462A8154650EEe4B77',
    recorded_at: '2023-10-13 22:24:08.933560+00:00',
    settled: kind === 'settled' ? SETTLED : null,
    of_a_later_release: [1],
  })
}

/** Events from a server that answers the connections in turn, and the paths of its requests. */
async function follow(context: TestContext, connections: string[][], after?: string) {
  const clock = new ManualClock()
  const paths: string[] = []
  const server = await stubServer(context, (request, response: ServerResponse, count) => {
    paths.push(`${request.path} ${request.query.get('last_event_id') ?? ''}`)
    const messages = connections[count - 1]
    if (messages === undefined) return sendJson(response, 403, { errorMessage: 'over', errorType: 'Forbidden' })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(messages.map(event).join(''))
  })
  const client = new FirmquoteClient({ baseUrl: server.url, apiKey: 'a-key-of-the-stub', clock, random: () => 0 })
  const stream = client.followEvents(1, after === undefined ? {} : { after })
  const changes = stream[Symbol.asyncIterator]()
  const next = async (): Promise<EventsChange> => (await changes.next()).value ?? assert.fail('the stream ended')
  return { clock, paths, stream, next }
}

test('each connection continues after the last event of the one before', async (context) => {
  const { clock, paths, stream, next } = await follow(
    context,
    [
      [HEARTBEAT('a'), quoteEvent('signed', 'b'), JSON.stringify({ event: 'later', id: 'c' })],
      [quoteEvent('settled', 'd'), HEARTBEAT('e'), HEARTBEAT('f')],
      [JSON.stringify({ event: 'reset', id: 'g' }), HEARTBEAT('h'), quoteEvent('reorged', 'i')],
    ],
    'start',
  )
  const kinds: string[] = []
  while (kinds.length < 10) {
    const [change] = await Promise.all([
      next(),
      kinds.at(-1) === 'disconnected' ? clock.timer((ms) => ms < 10_000).then((ms) => clock.advance(ms)) : undefined,
    ])
    kinds.push(change.kind === 'quote' ? change.event.event : change.kind)
    if (change.kind === 'quote' && change.event.event === 'settled')
      assert.equal(change.event.settled?.output_amount, 99n)
  }
  assert.deepEqual(kinds, [
    'up_to_date',
    'signed',
    'disconnected',
    'settled',
    'up_to_date',
    'disconnected',
    'reset',
    'up_to_date',
    'reorged',
    'disconnected',
  ])
  assert.equal(stream.lastEventId, 'i')
  const ids = ['start', 'b', 'f']
  assert.deepEqual(
    paths,
    ids.map((id) => `/rfq/v2/events/1 ${id}`),
  )
})

test('a refusal that no other connection mends ends the stream', async (context) => {
  const { next, paths } = await follow(context, [])
  await assert.rejects(next(), ForbiddenError)
  assert.deepEqual(paths, ['/rfq/v2/events/1 '])
})
