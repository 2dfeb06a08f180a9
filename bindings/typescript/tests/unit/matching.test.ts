import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import {
  type ClientSettings,
  FirmquoteClient,
  FirmquoteError,
  InvalidResponseError,
  type PoolsRequest,
} from '../../src/index.js'
import { examples, operations, refusals } from '../support/openapi.js'
import { QUOTE, REQUEST, SIGNED, TERMS } from '../support/samples.js'
import { sendJson, stubServer } from '../support/stub-server.js'

const OTHER = '0x0000000000000000000000000000000000000001'
const CONFLICT = refusals().find(({ name }) => name === 'price')?.value
const [ALL, , ONCHAIN] = examples(operations().find(({ id }) => id === 'pools_v2')?.operation)

/** A client of a server that gives these responses in turn. */
async function clientOf(
  context: TestContext,
  answers: readonly object[],
  settings: Omit<ClientSettings, 'baseUrl'> = { apiKey: 'a-key-of-the-stub' },
) {
  const { url } = await stubServer(context, (_, response, count) => {
    const answer = answers[count - 1] ?? assert.fail('one request too many')
    sendJson(response, 'errorType' in answer ? 400 : 200, answer)
  })
  return new FirmquoteClient({ baseUrl: url, retry: false, ...settings })
}

test('a fresh quote is for the quoted swap', async (context) => {
  const [input_amount, output_amount] = ['1', '2']
  for (const [changes, isSwap, isRequested] of [
    [{}, true, true],
    [{ pool_address: QUOTE.pool_address.toLowerCase() }, true, true],
    [{ output_amount }, true, true],
    [{ input_amount }, true, false],
    [{ input_amount, output_amount }, false, false],
    [{ chain_id: 2 }, false, false],
    [{ input_asset_address: OTHER }, false, true],
    [{ output_asset_address: OTHER }, false, true],
    [{ pool_address: OTHER }, false, true],
    [{ levels_id: '6e51c3a9e7c94e04a1ce2a3ba1a6ab71' }, true, false],
  ] as const) {
    const refusal = { ...CONFLICT, fresh_quote: { ...QUOTE, ...changes } }
    const offers = (isOffered: boolean) => (error: unknown) => {
      assert.ok(error instanceof FirmquoteError)
      assert.equal(error.freshQuote !== undefined, isOffered, JSON.stringify(changes))
      assert.deepEqual(error.reaction, { kind: 'requote' })
      return true
    }
    const client = await clientOf(context, [QUOTE, refusal, refusal])
    const quoted = await client.quote(REQUEST)
    await assert.rejects(client.signQuote(quoted, TERMS), offers(isSwap))
    await assert.rejects(client.quoteAndSign(REQUEST, TERMS), offers(isRequested))
    const anonymous = await clientOf(context, [QUOTE, refusal], {})
    await assert.rejects(anonymous.quoteAndSign(REQUEST, TERMS), offers(isSwap && isRequested))
  }
})

test('expires_at of a signed swap is the second of its plain or packed good_until', async (context) => {
  const { expires_at, good_until } = SIGNED
  for (const [changes, isSame] of [
    [{}, true],
    [{ expires_at: expires_at + 1 }, false],
    [{ good_until: String(BigInt(good_until) + 1n) }, false],
    [{ good_until: String(expires_at) }, true],
    [{ good_until: String(expires_at + 1) }, false],
    [{ good_until: String(expires_at + 2 ** 32) }, false],
  ] as const) {
    const client = await clientOf(context, [
      { ...SIGNED, ...changes },
      { ...QUOTE, ...SIGNED, ...changes },
    ])
    const calls = [() => client.sign({ ...TERMS, quote_id: QUOTE.id }), () => client.quoteAndSign(REQUEST, TERMS)]
    for (const call of calls) {
      if (isSame) await call()
      else await assert.rejects(call(), /its expires_at is not that of good_until/)
    }
  }
})

test('pool data is for the requested chain, pool, state and time', async (context) => {
  const [record] = ALL.pools
  const { address: pool_address, state_id } = record.pool
  for (const [request, body, problem] of [
    [{}, ALL, undefined],
    [{ pool_address: pool_address.toLowerCase(), state_id, time_in_seconds: 60 }, ALL, undefined],
    [{ fieldset: undefined, time_in_seconds: 30 }, ONCHAIN, undefined],
    [{ chain_id: 2 }, ALL, 'chain_id differs from the request'],
    [{ pool_address: OTHER }, ALL, 'pool_address differs from the request'],
    [{ state_id: '0'.repeat(32) }, ALL, 'state_id differs from the request'],
    [{ time_in_seconds: 30 }, ALL, 'time_in_seconds differs from the request'],
    [{ fieldset: 'offchain-data', time_in_seconds: 30 }, ALL, 'time_in_seconds differs from the request'],
    [{ fieldset: undefined, pool_address: OTHER }, ONCHAIN, 'pool_address differs from the request'],
    [{ pool_address }, { pools: [record, record] }, 'expected exactly one pool'],
    [{ state_id }, { pools: [] }, 'expected exactly one pool'],
    [{}, { pools: [] }, 'it has no pool'],
    [{ fieldset: undefined }, { pools: [] }, 'it has no pool'],
  ] as const) {
    const client = await clientOf(context, [body])
    const answer = client.pools({ chain_id: 1, fieldset: 'all', ...request } as PoolsRequest & { fieldset: 'all' })
    if (problem === undefined) assert.equal((await answer).length, 1)
    else await assert.rejects(answer, (error) => error instanceof InvalidResponseError && error.problem === problem)
  }
})

test('the pool of version 1 is for the requested chain and time', async (context) => {
  for (const request of [{ chain_id: 2 }, { time_in_seconds: 30 }]) {
    const basic = { username: 'demo', password: 'password' }
    const client = await clientOf(context, [{ pool_type: 'all', ...ALL.pools[0] }], { basic })
    await assert.rejects(client.pools({ chain_id: 1, fieldset: 'all', ...request }), InvalidResponseError)
  }
})
