import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { SYSTEM_CLOCK } from '../../src/client/clock.js'
import { metaOf, retryAfterMs } from '../../src/client/meta.js'
import {
  type ClientSettings,
  FirmquoteClient,
  InterruptedError,
  InvalidResponseError,
  InvalidSettingsError,
  NeedsApiKeyError,
  QuoteNotSignedError,
  TimedOutError,
  UnreachableError,
} from '../../src/index.js'
import { ManualClock } from '../support/manual-clock.js'
import { example, QUOTE, REQUEST, SIGNED, TERMS } from '../support/samples.js'
import { closedPort, type Responder, sendJson, stubServer } from '../support/stub-server.js'

const KEY = 'a-key-of-the-stub-server'

async function clientOf(context: TestContext, respond: Responder, changes: Partial<ClientSettings> = {}) {
  const { url } = await stubServer(context, respond)
  return new FirmquoteClient({ baseUrl: url, apiKey: KEY, retry: false, ...changes })
}

test('a response that does not arrive in time is an error of its own', async (context) => {
  const clock = new ManualClock()
  const client = await clientOf(context, () => clock.advance(5000), { clock, timeoutMs: 5000 })
  await assert.rejects(client.quote(REQUEST), (error) => {
    assert.ok(error instanceof TimedOutError && error.timeoutMs === 5000 && error.requestId !== undefined)
    assert.deepEqual(error.reaction, { kind: 'retry' })
    return true
  })
})

test('a body that does not arrive in time is one too', async (context) => {
  const clock = new ManualClock()
  const respond: Responder = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id":', () => clock.advance(10_000))
  }
  await assert.rejects((await clientOf(context, respond, { clock })).quote(REQUEST), TimedOutError)
})

test('a connection that ends early, and none at all, are different errors', async (context) => {
  const cut = await clientOf(context, (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => response.destroy())
  })
  await assert.rejects(cut.quote(REQUEST), InterruptedError)
  const nobody = new FirmquoteClient({ baseUrl: await closedPort(), apiKey: KEY, retry: false })
  await assert.rejects(nobody.quote(REQUEST), UnreachableError)
})

test('a call is cancelled with its reason', async (context) => {
  const controller = new AbortController()
  const client = await clientOf(context, () => controller.abort(new Error('changed my mind')))
  await assert.rejects(client.quote(REQUEST, { signal: controller.signal }), /changed my mind/)
  await assert.rejects(client.quote(REQUEST, { signal: AbortSignal.abort() }), { name: 'AbortError' })
})

test('unusable responses are refused', async (context) => {
  const cases: [response: unknown, problem: RegExp][] = [
    ['not JSON', /not JSON/],
    [{ ...QUOTE, output_amount: undefined }, /output_amount is missing/],
    [{ ...QUOTE, output_amount: 5 }, /output_amount is not a string/],
    [{ ...QUOTE, output_amount: '0' }, /output_amount is zero/],
    [{ ...QUOTE, output_amount: '1e3' }, /not a number of base units/],
    [{ ...QUOTE, output_amount: String(2n ** 256n) }, /not a number of base units/],
    [{ ...QUOTE, good_until: 2 ** 60 }, /not a safe integer/],
    [{ ...QUOTE, pool_address: '0x12' }, /not an address/],
    [{ ...QUOTE, chain_id: 2 }, /chain_id differs/],
    [{ ...QUOTE, input_amount: '7' }, /another amount/],
    [{ ...QUOTE, note: KEY }, /contains the credential/],
    ['['.repeat(100), /not JSON/],
    [' '.repeat(2_000_000), /longer than/],
  ]
  for (const [body, problem] of cases) {
    const client = await clientOf(context, (_, response) => sendJson(response, 200, body))
    await assert.rejects(client.quote(REQUEST), (error) => {
      assert.ok(error instanceof InvalidResponseError)
      assert.match(error.problem, problem)
      assert.ok(!error.message.includes(KEY))
      assert.deepEqual(error.reaction, { kind: 'give_up' })
      return true
    })
  }
})

test('a quote of another pool, and a swap of another quote or terms, are refused', async (context) => {
  const pool_address = `0x${'11'.repeat(20)}` as const
  const quoting = await clientOf(context, (_, response) => sendJson(response, 200, QUOTE))
  await assert.rejects(quoting.quote({ ...REQUEST, pool_address }), /pool_address differs/)
  const quoted = await quoting.quote(REQUEST)
  const signing = await clientOf(context, (_, response) => sendJson(response, 200, SIGNED))
  await assert.rejects(signing.signQuote({ ...quoted, output_amount: 1n }, TERMS), /differs from the quote/)
  await assert.rejects(
    signing.sign({ ...TERMS, quote_id: QUOTE.id, destination_address: pool_address }),
    /another destination/,
  )
  await assert.rejects(signing.sign({ ...TERMS, quote_id: QUOTE.id, calldata: !TERMS.calldata }), /calldata/)
})

test('a quote of other levels than the request is refused', async (context) => {
  const [levels_id, other] = ['ab'.repeat(16), 'cd'.repeat(16)]
  const firm = { levels_id, levels_output: QUOTE.output_amount, firm_budget_left_input: '0' }
  const { must_accept_by: _, ...pricing } = QUOTE
  for (const [response, requested, isRefused] of [
    [firm, levels_id, false],
    [firm, levels_id.toUpperCase(), false],
    [firm, other, true],
    [firm, undefined, true],
    [{}, levels_id, true],
    [{}, undefined, false],
  ] as const) {
    const client = await clientOf(context, ({ path }, answer) =>
      sendJson(
        answer,
        200,
        path.includes('quote-sign') ? { ...pricing, ...SIGNED, ...response } : { ...QUOTE, ...response },
      ),
    )
    const request = { ...REQUEST, input_amount: BigInt(SIGNED.input_amount), chain_id: SIGNED.chain_id }
    const levels = requested === undefined ? {} : { levels_id: requested }
    for (const call of [
      client.quote({ ...REQUEST, ...levels }),
      client.quoteAndSign({ ...request, ...levels }, TERMS),
    ]) {
      if (!isRefused) await call
      else await assert.rejects(call, (error) => error instanceof InvalidResponseError && /levels/.test(error.message))
    }
  }
})

test('a delay beyond the longest of a timer does not end at once', (context) => {
  const delays: unknown[] = []
  context.mock.method(globalThis, 'setTimeout', (_: () => void, delayMs: number) => delays.push(delayMs))
  for (const delayMs of [5, 2 ** 31, Number.POSITIVE_INFINITY]) SYSTEM_CLOCK.schedule(delayMs, () => {})
  assert.deepEqual(delays, [5, 2 ** 31 - 1, 2 ** 31 - 1])
})

test('a redirect is not followed', async (context) => {
  let followed = 0
  const client = await clientOf(context, ({ path }, response) => {
    followed += path === '/elsewhere' ? 1 : 0
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await assert.rejects(client.quote(REQUEST), { name: 'RefusedError' })
  assert.equal(followed, 0)
})

test('each version goes to its own base, with its credential', async (context) => {
  const one = await stubServer(context, (_, response) => sendJson(response, 200, QUOTE))
  const two = await stubServer(context, (_, response) => sendJson(response, 200, QUOTE))
  const bases = { baseUrl: `${one.url}/one/`, baseUrlV2: `${two.url}/two` }
  await new FirmquoteClient({ ...bases, apiKey: KEY }).quote(REQUEST)
  await new FirmquoteClient({ ...bases, apiKey: KEY, apiVersion: 1 }).quote(REQUEST)
  await new FirmquoteClient({ ...bases, basic: { username: 'ä', password: 'secret:word' } }).quote(REQUEST)
  await new FirmquoteClient(bases).quote(REQUEST)
  assert.deepEqual(
    two.received.map(({ path }) => path),
    ['/two/rfq/v2/quote/1'],
  )
  assert.deepEqual(
    one.received.map(({ path }) => path),
    Array(3).fill('/one/rfq/quote'),
  )
  assert.deepEqual(
    one.received.map(({ headers }) => headers['x-api-key']),
    [KEY, undefined, undefined],
  )
  const basic = `Basic ${Buffer.from('ä:secret:word').toString('base64')}`
  assert.deepEqual(
    one.received.map(({ headers }) => headers.authorization),
    [undefined, basic, undefined],
  )
})

test('version 2 is not requested without an API key', async () => {
  const client = new FirmquoteClient({ baseUrl: 'http://127.0.0.1:1' })
  const pool_address = `0x${'11'.repeat(20)}` as const
  await assert.rejects(client.chains(), NeedsApiKeyError)
  await assert.rejects(client.quote({ ...REQUEST, pool_address }), /a quote of one pool needs an API key/)
  await assert.rejects(client.pools({ chain_id: 1, state_id: 'x' }), NeedsApiKeyError)
  assert.throws(() => client.followLevels({ chain_id: 1 }), NeedsApiKeyError)
})

test('quoting and signing without an API key keeps the quote when signing fails', async (context) => {
  const refused = { errorMessage: 'the pool is paused', errorType: 'QuoteProblem', errorCode: 409 }
  const { url } = await stubServer(context, ({ path }, response) =>
    path === '/rfq/quote' ? sendJson(response, 200, QUOTE) : sendJson(response, 400, refused),
  )
  await assert.rejects(new FirmquoteClient({ baseUrl: url }).quoteAndSign(REQUEST, TERMS), (error) => {
    assert.ok(error instanceof QuoteNotSignedError && error.quote.id === QUOTE.id)
    assert.deepEqual(error.reaction, { kind: 'give_up' })
    return true
  })
})

test('invalid settings and parameters are refused before anything is sent', async () => {
  const bases = [
    '',
    'quotes.example',
    'ftp://quotes.example',
    'https://',
    'http://h:0',
    'https://u:p@h',
    'https://h?k=1',
    'https://h/#top',
  ]
  for (const baseUrl of bases) assert.throws(() => new FirmquoteClient({ baseUrl }), InvalidSettingsError, baseUrl)
  const baseUrl = 'http://127.0.0.1:1'
  assert.throws(() => new FirmquoteClient({ baseUrl, apiKey: 'a\nb' }), InvalidSettingsError)
  assert.throws(() => new FirmquoteClient({ baseUrl, basic: { username: 'a:b', password: '' } }), InvalidSettingsError)
  const client = new FirmquoteClient({ baseUrl, apiKey: KEY })
  await assert.rejects(client.quote({ ...REQUEST, input_amount: 1e21 as unknown as bigint }), InvalidSettingsError)
  await assert.rejects(client.quote({ ...REQUEST, chain_id: 1.5 }), InvalidSettingsError)
  await assert.rejects(client.quote(REQUEST, { requestId: 'a b' }), InvalidSettingsError)
})

test('levels are requested with their tag, and unchanged ones are not sent again', async (context) => {
  const levels = example('levels_v2')
  const { url, received } = await stubServer(context, ({ headers }, response) =>
    headers['if-none-match'] === '"a"'
      ? response.writeHead(304).end()
      : sendJson(response, 200, levels, { etag: '"a"' }),
  )
  const client = new FirmquoteClient({ baseUrl: url, apiKey: KEY })
  const first = await client.levelsIfChanged({ chain_id: 1 })
  assert.equal(first?.etag, '"a"')
  assert.equal(await client.levelsIfChanged({ chain_id: 1 }, first?.etag), undefined)
  assert.equal(received.length, 2)
})

test('metadata are read from the headers', () => {
  const headers = new Headers({
    'x-request-id': 'theirs',
    ratelimit: '"anonymous";r=19;t=1',
    'ratelimit-policy': '"anonymous";q=20;w=4',
    date: 'Tue, 24 Nov 2026 23:23:49 GMT',
    deprecation: '@1767225600',
  })
  assert.deepEqual(metaOf(200, headers, 'ours', 1), {
    status: 200,
    requestId: 'theirs',
    attempt: 1,
    rateLimit: { policy: 'anonymous', remaining: 19, resetSeconds: 1, quota: 20, windowSeconds: 4 },
    deprecation: '@1767225600',
    dateMs: 1_795_562_629_000,
  })
  for (const ratelimit of ['', 'anonymous', '"anonymous', '"anonymous"', '"a";r=x;t=1', '"a";r=1']) {
    assert.equal(metaOf(200, new Headers({ ratelimit }), 'ours', 1).rateLimit, undefined, ratelimit)
  }
  assert.equal(metaOf(200, new Headers({ 'x-request-id': 'a b' }), 'ours', 1).requestId, 'ours')
  for (const [text, ms] of [
    ['2', 2000],
    [' 60 ', 60_000],
    ['-1', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ] as const) {
    assert.equal(retryAfterMs(new Headers({ 'retry-after': text })), ms)
  }
})
