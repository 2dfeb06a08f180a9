import assert from 'node:assert/strict'
import test from 'node:test'
import type { EventsChange, QuoteEventStream } from '../../src/index.js'
import { serviceClient } from '../support/environment.js'

const client = serviceClient()
const destination_address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

test('a client is told of its signatures, and continues after any event', async () => {
  const [chain] = await client.chains()
  const [input_asset_symbol, output_asset_symbol] = chain?.pools[0]?.pairs[0] ?? assert.fail()
  const chain_id = chain?.chain_id ?? assert.fail()
  const stream = client.followEvents(chain_id)
  await until(stream, (change) => change.kind === 'up_to_date')
  const start = stream.lastEventId ?? assert.fail()
  const input_amount = 1_000_000_000_000_000n
  const quote = await client.quote({ chain_id, input_asset_symbol, output_asset_symbol, input_amount })
  await client.signQuote(quote, { destination_address })
  for (const followed of [stream, client.followEvents(chain_id, { after: start })]) {
    const change = await until(followed, ({ kind }) => kind === 'quote')
    assert.ok(change.kind === 'quote')
    assert.deepEqual([change.event.event, change.event.quote_id, change.event.settled], ['signed', quote.id, null])
  }
})

/** The first change that `isWanted` accepts; events must not be missing. */
async function until(stream: QuoteEventStream, isWanted: (change: EventsChange) => boolean): Promise<EventsChange> {
  const changes = stream[Symbol.asyncIterator]()
  for (;;) {
    const change = (await changes.next()).value ?? assert.fail('the stream ended')
    if (isWanted(change)) return change
    assert.ok(change.kind === 'up_to_date', JSON.stringify(change))
  }
}
