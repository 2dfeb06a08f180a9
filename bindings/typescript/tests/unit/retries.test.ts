import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import {
  type ClientSettings,
  FirmquoteClient,
  FirmquoteError,
  RateLimitedError,
  type ResponseMeta,
  ServiceUnavailableError,
} from '../../src/index.js'
import { ManualClock } from '../support/manual-clock.js'
import { QUOTE, REQUEST, SIGNED, TERMS } from '../support/samples.js'
import { type Responder, type StubServer, sendJson, stubServer } from '../support/stub-server.js'

const UNAVAILABLE = { errorMessage: 'the quote store is not available', errorType: 'ExternalServiceError' }

async function setUp(context: TestContext, respond: Responder, changes: Partial<ClientSettings> = {}) {
  const clock = new ManualClock()
  const server = await stubServer(context, respond)
  const metas: ResponseMeta[] = []
  const onResponse = (meta: ResponseMeta) => metas.push(meta)
  const settings = { baseUrl: server.url, apiKey: 'a-key-of-the-stub', clock, random: () => 0, onResponse, ...changes }
  return { clock, server, metas, client: new FirmquoteClient(settings) }
}

/** Lets each pause elapse as soon as it begins, and returns them. */
function elapse(clock: ManualClock, pauses: number[], count: number): Promise<void> {
  const isPause = (delayMs: number) => delayMs !== 10_000
  return (async () => {
    for (let index = 0; index < count; index += 1) {
      const delayMs = await clock.timer(isPause)
      pauses.push(delayMs)
      clock.advance(delayMs)
    }
  })()
}

/** Checks that the call fails after one request. Pauses elapse, so that repeated requests are counted, not waited for. */
async function assertSentOnce(
  { clock, server }: { clock: ManualClock; server: StubServer },
  call: Promise<unknown>,
  error: assert.AssertPredicate = FirmquoteError,
): Promise<void> {
  void elapse(clock, [], 2)
  await assert.rejects(call, error)
  assert.equal(server.received.length, 1)
}

test('a request is repeated with growing pauses, under one request id', async (context) => {
  const { clock, server, metas, client } = await setUp(context, (_, response, count) =>
    count < 3 ? sendJson(response, 503, UNAVAILABLE) : sendJson(response, 200, QUOTE),
  )
  const pauses: number[] = []
  const [quote] = await Promise.all([client.quote(REQUEST), elapse(clock, pauses, 2)])
  assert.equal(quote.id, QUOTE.id)
  assert.deepEqual(pauses, [100, 200])
  assert.deepEqual(
    metas.map(({ status, attempt }) => [status, attempt]),
    [
      [503, 1],
      [503, 2],
      [200, 3],
    ],
  )
  assert.equal(new Set(server.received.map(({ headers }) => headers['x-request-id'])).size, 1)
})

test('attempts end with the last error', async (context) => {
  const { clock, server, client } = await setUp(context, (_, response) => sendJson(response, 503, UNAVAILABLE))
  const [outcome] = await Promise.allSettled([client.quote(REQUEST), elapse(clock, [], 2)])
  assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ServiceUnavailableError)
  assert.equal(server.received.length, 3)
})

test('Retry-After is the least pause', async (context) => {
  const limited = { errorMessage: 'Too many requests', errorType: 'RateLimited' }
  const { clock, client } = await setUp(context, (_, response, count) =>
    count === 1 ? sendJson(response, 429, limited, { 'retry-after': '2' }) : sendJson(response, 200, QUOTE),
  )
  const pauses: number[] = []
  await Promise.all([client.quote(REQUEST), elapse(clock, pauses, 1)])
  assert.deepEqual(pauses, [2000])
})

test('a Retry-After beyond the longest pause is left to the caller', async (context) => {
  const limited = { errorMessage: 'Too many requests', errorType: 'RateLimited' }
  const { clock, server, client } = await setUp(context, (_, response) =>
    sendJson(response, 429, limited, { 'retry-after': '6' }),
  )
  await assertSentOnce({ clock, server }, client.quote(REQUEST), (error) => {
    assert.ok(error instanceof RateLimitedError)
    assert.deepEqual(error.reaction, { kind: 'retry', after_ms: 6000 })
    return true
  })
})

test('jitter is at most the whole pause', async (context) => {
  const { clock, client } = await setUp(
    context,
    (_, response, count) => (count === 1 ? sendJson(response, 503, UNAVAILABLE) : sendJson(response, 200, QUOTE)),
    { random: () => 1 },
  )
  const pauses: number[] = []
  await Promise.all([client.quote(REQUEST), elapse(clock, pauses, 1)])
  assert.deepEqual(pauses, [200])
})

test('what another attempt cannot mend is sent once', async (context) => {
  for (const [status, value] of [
    [400, { errorMessage: 'input_amount is too small', errorType: 'QuoteProblem', errorCode: 409 }],
    [403, { errorMessage: 'Access is forbidden', errorType: 'Forbidden' }],
    [500, { errorMessage: 'Internal error', errorType: 'InternalError' }],
    [200, { id: 'not a quote' }],
  ] as const) {
    const { clock, server, client } = await setUp(context, (_, response) => sendJson(response, status, value))
    await assertSentOnce({ clock, server }, client.quote(REQUEST))
  }
})

test('quote and sign at once is never repeated', async (context) => {
  const { clock, server, client } = await setUp(context, (_, response) => sendJson(response, 503, UNAVAILABLE))
  await assertSentOnce({ clock, server }, client.quoteAndSign(REQUEST, TERMS), ServiceUnavailableError)
})

test('a quote of firm levels, each of which reserves a part of their budget, is never repeated', async (context) => {
  const { clock, server, client } = await setUp(context, (_, response) => sendJson(response, 503, UNAVAILABLE))
  const request = { ...REQUEST, levels_id: '6e51c3a9e7c94e04a1ce2a3ba1a6ab71' }
  await assertSentOnce({ clock, server }, client.quote(request), ServiceUnavailableError)
})

test('retries can be switched off, for a client and for a call', async (context) => {
  const off = await setUp(context, (_, response) => sendJson(response, 503, UNAVAILABLE), { retry: false })
  await assertSentOnce(off, off.client.quote(REQUEST))
  const on = await setUp(context, (_, response) => sendJson(response, 503, UNAVAILABLE))
  await assertSentOnce(on, on.client.quote(REQUEST, { retry: false }))
})

test('a signature is requested again with the same terms, after a lost response', async (context) => {
  const { clock, server, client } = await setUp(context, (_, response, count) => {
    if (count === 1) response.destroy()
    else sendJson(response, 200, SIGNED)
  })
  const [swap] = await Promise.all([client.sign({ ...TERMS, quote_id: QUOTE.id }), elapse(clock, [], 1)])
  assert.equal(swap.good_until, BigInt(SIGNED.good_until))
  assert.equal(server.received.length, 2)
  assert.equal(server.received[0]?.body, server.received[1]?.body)
})

test('a signature is not requested again once the swap would have expired', async (context) => {
  const clock = new ManualClock()
  const goodUntil = clock.unixMs() / 1000 + 1
  const { server, client } = await setUp(
    context,
    (_, response) => sendJson(response, 503, UNAVAILABLE, { 'retry-after': '1' }),
    { clock },
  )
  const quoted = { ...(await decodedQuote(context)), good_until: goodUntil }
  await assertSentOnce({ clock, server }, client.signQuote(quoted, TERMS), ServiceUnavailableError)
})

test('a cancelled pause ends the call with the reason', async (context) => {
  const { clock, server, client } = await setUp(context, (_, response) => sendJson(response, 503, UNAVAILABLE))
  const controller = new AbortController()
  const call = client.quote(REQUEST, { signal: controller.signal })
  await clock.timer((delayMs) => delayMs === 100)
  controller.abort(new Error('no longer needed'))
  await assert.rejects(call, /no longer needed/)
  assert.equal(server.received.length, 1)
  assert.deepEqual(clock.delays, [])
})

async function decodedQuote(context: TestContext) {
  const { client } = await setUp(context, (_, response) => sendJson(response, 200, QUOTE))
  return client.quote(REQUEST)
}
