import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test, { type TestContext } from 'node:test'
import {
  FirmquoteClient,
  ForbiddenError,
  InterruptedError,
  InvalidResponseError,
  type LevelsChange,
  type WebSocketLike,
} from '../../src/index.js'
import { bookMessage, event, helloMessage } from '../support/levels.js'
import { ManualClock } from '../support/manual-clock.js'
import { sendJson, stubServer } from '../support/stub-server.js'

const SNAPSHOT_END = (n: number) => JSON.stringify({ type: 'snapshot_end', n, books: 1 })
const HEARTBEAT = (n: number) => JSON.stringify({ type: 'heartbeat', n, server_time_ms: 1 })
const BOOK = (n: number) => bookMessage(n, { published_ms: 1000, valid_until_ms: 61_000 })
const isPause = (delayMs: number) => delayMs < 10_000

/** A stream from a server that answers the connections in turn. */
async function follow(context: TestContext, connections: ((response: ServerResponse) => void)[]) {
  const clock = new ManualClock()
  const server = await stubServer(context, (_, response, count) => {
    const connection = connections[count - 1]
    if (connection === undefined) return sendJson(response, 403, { errorMessage: 'over', errorType: 'Forbidden' })
    connection(response)
  })
  const settings = { baseUrl: server.url, apiKey: 'a-key-of-the-stub', clock, random: () => 0 }
  const stream = new FirmquoteClient(settings).followLevels({ chain_id: 1 })
  const changes = stream[Symbol.asyncIterator]()
  const next = async (): Promise<LevelsChange> => (await changes.next()).value ?? assert.fail('the stream ended')
  return { clock, server, stream, changes, next }
}

/** A stream over a WebSocket that the test writes to. */
function overSocket() {
  const [clock, listeners] = [new ManualClock(), new Map<string, (event: { data: unknown }) => void>()]
  const socket = {
    isClosed: false,
    addEventListener: (type: string, listener: (event: { data: unknown }) => void) => listeners.set(type, listener),
    close: () => {
      socket.isClosed = true
    },
    message: (data: string) => listeners.get('message')?.({ data }),
  }
  const client = new FirmquoteClient({ baseUrl: 'http://stub.invalid', apiKey: 'a-key', clock, random: () => 0 })
  const stream = client.followLevels({ chain_id: 1 }, { webSocket: () => socket })
  return { clock, stream, socket, changes: stream[Symbol.asyncIterator]() }
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function send(response: ServerResponse, ...messages: string[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(messages.map(event).join(''))
}

test('books are live after they arrive, and gone when they expire', async (context) => {
  const { clock, stream, next } = await follow(context, [(response) => send(response, helloMessage(1, 1000), BOOK(2))])
  assert.deepEqual(await next(), { kind: 'books' })
  assert.equal(stream.books().length, 1)
  const expired = next()
  // Heartbeats of the stub are missing, so the patience of 15 s ends before the book does.
  await clock.timer((delayMs) => delayMs === 15_000)
  clock.advance(15_000)
  assert.equal((await expired).kind, 'disconnected')
  assert.deepEqual(stream.books(), [])
})

test('an expiry is a change', async (context) => {
  const short = bookMessage(2, { published_ms: 1000, valid_until_ms: 6000 })
  const { clock, stream, next } = await follow(context, [(response) => send(response, helloMessage(1, 1000), short)])
  await next()
  const expired = next()
  clock.advance(await clock.timer((delayMs) => delayMs === 5000))
  assert.deepEqual(await expired, { kind: 'books' })
  assert.deepEqual(stream.books(), [])
})

test('a gap in the numbers ends the connection and all books', async (context) => {
  const { stream, next } = await follow(context, [
    (response) => send(response, helloMessage(1, 1000), BOOK(2), HEARTBEAT(4)),
  ])
  await next()
  const change = await next()
  assert.ok(change.kind === 'disconnected')
  assert.match(change.cause?.message ?? '', /a message is missing/)
  assert.equal(change.retryAfterMs, 125)
  assert.deepEqual(stream.books(), [])
})

test('pauses grow until all books have arrived again', async (context) => {
  const end = (response: ServerResponse, ...messages: string[]) => {
    send(response, ...messages)
    response.end()
  }
  const { clock, next } = await follow(context, [
    (response) => end(response, helloMessage(1, 1)),
    (response) => end(response, helloMessage(1, 1)),
    (response) => end(response, helloMessage(1, 1), SNAPSHOT_END(2)),
    (response) =>
      sendJson(response, 503, { errorMessage: 'x', errorType: 'ExternalServiceError' }, { 'retry-after': '3' }),
  ])
  const pauses: number[] = []
  for (let index = 0; index < 4; index += 1) {
    const [change] = await Promise.all([
      next(),
      index === 0 ? undefined : clock.timer(isPause).then((ms) => clock.advance(ms)),
    ])
    assert.ok(change.kind === 'disconnected')
    pauses.push(change.retryAfterMs)
  }
  assert.deepEqual(pauses, [125, 250, 125, 3000])
})

test('after a goodbye the next connection is no earlier than it says', async (context) => {
  const goodbye = JSON.stringify({ type: 'goodbye', n: 2, reason: 'shutdown', reconnect_after_ms: 1500 })
  const { clock, server, stream, next } = await follow(context, [
    (response) => send(response, helloMessage(1, 1000), goodbye),
    (response) => send(response, helloMessage(1, 1000), BOOK(2)),
  ])
  assert.deepEqual(await next(), { kind: 'disconnected', retryAfterMs: 1500 })
  const book = next()
  await clock.timer((delayMs) => delayMs === 1500)
  assert.equal(server.received.length, 1)
  clock.advance(1500)
  assert.deepEqual(await book, { kind: 'books' })
  assert.equal(stream.books().length, 1)
})

test('no pause is longer than a minute, whatever the service asks for', async (context) => {
  const goodbye = JSON.stringify({ type: 'goodbye', n: 2, reason: 'shutdown', reconnect_after_ms: 2 ** 40 })
  const { clock, next } = await follow(context, [
    (response) => send(response, helloMessage(1, 1000), goodbye),
    (response) =>
      sendJson(response, 503, { errorMessage: 'x', errorType: 'ExternalServiceError' }, { 'retry-after': '9000000' }),
  ])
  assert.deepEqual(await next(), { kind: 'disconnected', retryAfterMs: 60_000 })
  const refused = next()
  clock.advance(await clock.timer((delayMs) => delayMs === 60_000))
  const change = await refused
  assert.ok(change.kind === 'disconnected')
  assert.equal(change.retryAfterMs, 60_000)
})

test('silence is measured from the last message, through expiries of books', async (context) => {
  const short = bookMessage(2, { published_ms: 1000, valid_until_ms: 6000 })
  const { clock, next } = await follow(context, [(response) => send(response, helloMessage(1, 1000), short)])
  await next()
  const expired = next()
  clock.advance(await clock.timer((delayMs) => delayMs === 5000))
  assert.deepEqual(await expired, { kind: 'books' })
  const silent = next()
  const patienceMs = await clock.timer((delayMs) => delayMs > 5000)
  assert.equal(patienceMs, 10_000)
  clock.advance(patienceMs)
  const change = await silent
  assert.ok(change.kind === 'disconnected')
  assert.match(change.cause?.message ?? '', /nothing arrived/)
  assert.equal(clock.monotonicMs(), 15_000)
})

test('a message that waits unread is no silence', async () => {
  const { clock, stream, socket, changes } = overSocket()
  const first = changes.next()
  await tick()
  for (const data of [helloMessage(1, 1000), BOOK(2)]) socket.message(data)
  await first
  // Nobody asks for a minute, and then a message is there.
  clock.advance(59_000)
  socket.message(bookMessage(3, { published_ms: 60_000, valid_until_ms: 160_000 }))
  assert.deepEqual((await changes.next()).value, { kind: 'books' })
  // The time is up before a message that has arrived could be read.
  const late = changes.next()
  await clock.timer((delayMs) => delayMs === 15_000)
  clock.advance(15_000)
  for (let steps = 0; steps < 50; steps += 1) await Promise.resolve()
  socket.message(bookMessage(4, { published_ms: 60_000, valid_until_ms: 160_000 }))
  assert.deepEqual((await late).value, { kind: 'books' })
  assert.equal(stream.books().length, 1)
})

test('a WebSocket with more than 10,000 unread messages is closed, and the stream interrupted', async () => {
  const { stream, socket, changes } = overSocket()
  const first = changes.next()
  await tick()
  socket.message(helloMessage(1, 1000))
  socket.message(BOOK(2))
  await first
  for (let n = 3; n < 10_003; n += 1) socket.message(HEARTBEAT(n))
  assert.ok(!socket.isClosed)
  socket.message(HEARTBEAT(10_003))
  assert.ok(socket.isClosed)
  const { value } = await changes.next()
  assert.ok(value?.kind === 'disconnected' && value.cause instanceof InterruptedError)
  assert.match(value.cause.message, /more than 10000 messages are unread/)
  assert.deepEqual(stream.books(), [])
})

test('an error that no connection mends ends the stream', async (context) => {
  const forbidden = await follow(context, [])
  await assert.rejects(forbidden.next(), ForbiddenError)
  assert.deepEqual(await forbidden.changes.next(), { done: true, value: undefined })
  const unreadable = await follow(context, [(response) => send(response, JSON.stringify({ type: 'book', n: 1 }))])
  await assert.rejects(unreadable.next(), InvalidResponseError)
  const noStream = await follow(context, [(response) => sendJson(response, 200, {})])
  await assert.rejects(noStream.next(), /not a stream of events/)
})

test('a loop over the stream ends when it is closed, and when it is left', async (context) => {
  const { stream } = await follow(context, [(response) => send(response, helloMessage(1, 1000), BOOK(2))])
  let count = 0
  for await (const _ of stream) {
    count += 1
    setImmediate(() => stream.close())
  }
  assert.equal(count, 1)
  assert.deepEqual(stream.books(), [])
})

test('a signal ends the stream with its reason', async (context) => {
  const clock = new ManualClock()
  const { url } = await stubServer(context, (_, response) => send(response, helloMessage(1, 1000), BOOK(2)))
  const controller = new AbortController()
  const client = new FirmquoteClient({ baseUrl: url, apiKey: 'a-key-of-the-stub', clock })
  const stream = client.followLevels({ chain_id: 1 }, { signal: controller.signal })
  await assert.rejects(async () => {
    for await (const _ of stream) setImmediate(() => controller.abort(new Error('enough')))
  }, /enough/)
  assert.deepEqual(stream.books(), [])
})

test('a WebSocket carries the same messages, with the credential in its handshake', async () => {
  const listeners = new Map<string, (event: { data: unknown }) => void>()
  const requests: { url: string; headers: Readonly<Record<string, string>> }[] = []
  let isClosed = false
  const socket: WebSocketLike = {
    addEventListener: (type: string, listener: (event: { data: unknown }) => void) => listeners.set(type, listener),
    close: () => {
      isClosed = true
    },
  }
  const client = new FirmquoteClient({ baseUrl: 'http://stub.invalid/api', apiKey: 'a-key', clock: new ManualClock() })
  const stream = client.followLevels(
    { chain_id: 1, knots: 4 },
    {
      webSocket: (url, headers) => {
        requests.push({ url, headers })
        return socket
      },
    },
  )
  const changes = stream[Symbol.asyncIterator]()
  const first = changes.next()
  await new Promise((resolve) => setImmediate(resolve))
  for (const data of [helloMessage(1, 1000), BOOK(2)]) listeners.get('message')?.({ data })
  assert.deepEqual((await first).value, { kind: 'books' })
  assert.equal(requests[0]?.url, 'ws://stub.invalid/api/rfq/v2/levels/1/ws?knots=4')
  assert.equal(requests[0]?.headers['x-api-key'], 'a-key')
  const second = changes.next()
  listeners.get('close')?.({ data: undefined })
  assert.equal((await second).value?.kind, 'disconnected')
  assert.ok(isClosed)
})
