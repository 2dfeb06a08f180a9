import assert from 'node:assert/strict'
import test from 'node:test'
import { type LevelBook, type LevelStream, outputFor } from '../../src/index.js'
import { serviceClient } from '../support/environment.js'

const client = serviceClient()
const [chain] = await client.chains()
const chain_id = chain?.chain_id ?? 1
const [input, output] = chain?.pools[0]?.pairs[0] ?? ['', '']
const request = { chain_id, pairs: [[input, output]], knots: 8 } as const

test('a quote of the same state gives at least what the levels say', async () => {
  const { books } = await client.levels(request)
  const [book] = books
  assert.ok(book?.minimum_input != null && book.maximum_input !== null)
  for (const share of [0n, 1n, 10n, 100n, 500n]) {
    const input_amount = book.minimum_input + ((book.maximum_input - book.minimum_input) * share) / 1000n
    const levels = outputFor(book, input_amount) ?? assert.fail()
    const quote = await client.quote({
      chain_id,
      input_asset_symbol: input,
      output_asset_symbol: output,
      input_amount,
      pool_address: book.pool_address,
      time_in_seconds: book.time_in_seconds,
    })
    if (quote.state_id === book.state_id && book.certain) assert.ok(quote.output_amount >= levels)
  }
})

test('bands are levels too', async () => {
  const { books } = await client.levels({ ...request, format: 'incremental' })
  assert.equal(books[0]?.semantics, 'incremental_price_size')
  assert.ok((books[0]?.bands?.length ?? 0) > 0)
})

test('levels that did not change are not sent again', async () => {
  const first = await client.levelsIfChanged(request)
  assert.ok(first?.etag)
  const second = await client.levelsIfChanged(request, first.etag)
  if (second !== undefined) assert.notEqual(second.etag, first.etag)
})

test('the stream of events has every book', async () => {
  const books = await firstBooks(client.followLevels(request))
  assert.equal(books[0]?.input_asset_symbol, input)
})

test('the WebSocket has every book', async (context) => {
  const Socket = (globalThis as { WebSocket?: new (url: string, options: object) => WebSocket }).WebSocket
  if (Socket === undefined) return context.skip('this Node.js has no WebSocket: run it with --experimental-websocket')
  const books = await firstBooks(
    client.followLevels(request, { webSocket: (url, headers) => new Socket(url, { headers }) }),
  )
  assert.equal(books[0]?.input_asset_symbol, input)
})

async function firstBooks(stream: LevelStream): Promise<LevelBook[]> {
  for await (const change of stream) {
    if (change.kind === 'disconnected') assert.fail(change.cause?.message ?? 'the service said goodbye')
    const books = stream.books()
    if (books.length > 0) return books
  }
  return assert.fail('the stream ended')
}
