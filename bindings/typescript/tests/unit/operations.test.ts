import assert from 'node:assert/strict'
import test from 'node:test'
import { type ClientSettings, FirmquoteClient, type LevelsRequest, type SwapTerms } from '../../src/index.js'
import { document, examples, operations } from '../support/openapi.js'
import { type Received, sendJson, stubServer } from '../support/stub-server.js'

const KEY = 'a-key-of-the-stub-server'
const POOL = '0x655eDCE464CC797526600a462A8154650EEe4B77'
const ID = '70d694998af847a90115a30a7266ae1a'
const QUOTE_ID = '05a51aa6-41b5-4c61-a452-f1b95d0d43e4'

/** Requests with every parameter that there is. */
const POOLS = { chain_id: 1, fieldset: 'all', time_in_seconds: 60 } as const
const ASSETS = { chain_id: 1, input_asset_symbol: 'ETH', output_asset_symbol: 'USDC' }
const QUOTE = { ...ASSETS, time_in_seconds: 60 }
const QUOTE_V2 = { ...QUOTE, pool_address: POOL, levels_id: ID } as const
const TERMS: SwapTerms = {
  destination_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  sender_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  aux_data: `0x${'46'.repeat(32)}`,
  calldata: true,
  native_input: true,
  native_output: true,
  transmit: true,
  guarantee: true,
}
const LEVELS: LevelsRequest = {
  chain_id: 1,
  pairs: [['ETH', 'USDC']],
  pool_address: POOL,
  time_in_seconds: 60,
  knots: 4,
  format: 'cumulative',
}
const CURVE = { ...ASSETS, amounts: [1n, 2n], times: [15, 60], pool_address: POOL } as const

/** The calls that reach each operation. Amounts exclude each other, so quotes are requested twice. */
const CALLS: Record<string, (client: FirmquoteClient, settings: ClientSettings) => Promise<unknown>[]> = {
  pool_v1: (client) => [client.pools(POOLS)],
  quote_v1: (client) => [client.quote({ ...QUOTE, input_amount: 1n }), client.quote({ ...QUOTE, output_amount: 1n })],
  sign_v1: (client) => [client.sign({ ...TERMS, quote_id: QUOTE_ID })],
  chains_v2: (client) => [client.chains()],
  pools_v2: (client) => [client.pools({ ...POOLS, pool_address: POOL, state_id: ID })],
  quote_v2: (client) => [
    client.quote({ ...QUOTE_V2, input_amount: 1n }),
    client.quote({ ...QUOTE_V2, output_amount: 1n }),
  ],
  sign_v2: (client) => [client.sign({ ...TERMS, quote_id: QUOTE_ID })],
  quote_sign_v2: (client) => [
    client.quoteAndSign({ ...QUOTE_V2, input_amount: 1n }, TERMS),
    client.quoteAndSign({ ...QUOTE_V2, output_amount: 1n }, TERMS),
  ],
  quote_status_v2: (client) => [client.quoteStatus(QUOTE_ID)],
  swaps_v2: (client) => [client.swaps({ since: 1, until: 2, cursor: '0'.repeat(48), limit: 3 })],
  curve_v2: (client) => [client.curve(CURVE)],
  levels_v2: (client) => [client.levels(LEVELS)],
  events_v2: (client) => [client.followEvents(1, { after: 'an-id' })[Symbol.asyncIterator]().next()],
  level_stream_v2: (client) => [client.followLevels(LEVELS)[Symbol.asyncIterator]().next()],

  openapi: (client) => [client.document('openapi'), client.serviceVersion()],
  asyncapi: (client) => [client.document('asyncapi')],
  contract_abi: (client) => [client.document('abi')],
  typed_data: (client) => [client.document('typed-data')],
}

test('every operation of the interface has a method', () => {
  assert.deepEqual(
    operations()
      .map(({ id }) => id)
      .sort(),
    Object.keys(CALLS).sort(),
  )
})

/** Inputs that the client has no use for: it names assets by symbol, knows every input, and repeats no signature. */
const UNUSED = ['Idempotency-Key', 'input_asset_address', 'output_asset_address', 'strict']

for (const { id, method, path, inputs, operation } of operations()) {
  test(`${id} is requested with every parameter`, async (context) => {
    const server = await stubServer(context, (_, response) => sendJson(response, 503, {}))
    const settings = settingsFor(id, server.url)
    await Promise.allSettled(CALLS[id]?.(new FirmquoteClient(settings), settings) ?? [])
    await arrivals(server.received)
    const sent = new Set<string>()
    for (const request of server.received) {
      assert.equal(request.method.toLowerCase(), method)
      for (const name of namesOf(request, path)) sent.add(name)
      const isPublic = operation.security === undefined || operation.security.length === 0
      assert.equal(request.headers['x-api-key'], isPublic || id.endsWith('_v1') ? undefined : KEY)
    }
    assert.deepEqual([...sent].sort(), inputs.filter((input) => !UNUSED.includes(input)).sort())
  })

  for (const [index, example] of examples(operation).entries()) {
    test(`every member of the response of ${id} is decoded, example ${index + 1}`, async (context) => {
      const server = await stubServer(context, (_, response) => sendJson(response, 200, example))
      const value = await decoded(id, example, new FirmquoteClient(settingsFor(id, server.url)))
      assert.deepEqual(shape(value), shape(example))
    })
  }
}

test('the document of the service is that of the committed copy', async (context) => {
  const server = await stubServer(context, (_, response) => sendJson(response, 200, document))
  const client = new FirmquoteClient({ baseUrl: server.url })
  assert.deepEqual(JSON.parse(await client.document('openapi')), document)
  assert.equal(await client.serviceVersion(), document.info.version)
  assert.deepEqual(await client.checkCompatibility(), {
    compatible: true,
    service_version: document.info.version,
    api_version: document.info.version,
  })
})

function settingsFor(id: string, baseUrl: string): ClientSettings {
  if (id === 'pool_v1') return { baseUrl, basic: { username: 'demo', password: 'password' }, retry: false }
  return id.endsWith('_v1') ? { baseUrl, retry: false } : { baseUrl, apiKey: KEY, retry: false }
}

/** The handshake of the WebSocket is not awaited by its call. */
async function arrivals(received: readonly Received[]): Promise<void> {
  while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

/** The names of the inputs of a request, whose path has to fit the template. */
function namesOf({ path, query, body }: Received, template: string): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  assert.match(path, new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`))
  return [...names, ...query.keys(), ...(body === '' ? [] : Object.keys(JSON.parse(body)))]
}

/** What the client makes of an example, requested so that it fits. */
// biome-ignore lint/suspicious/noExplicitAny: examples of many shapes
async function decoded(id: string, example: any, client: FirmquoteClient): Promise<unknown> {
  const { chain_id, input_amount } = example
  const request = { ...ASSETS, chain_id, input_amount: BigInt(input_amount ?? 1) }
  const terms = { destination_address: example.destination_address, calldata: example.calldata !== undefined }
  const { rows, input_amounts } = example
  switch (id.replace(/_v\d$/, '')) {
    case 'pool':
    case 'pools': {
      const fieldset = { all: 'all', offchain: 'offchain-data', onchain: undefined }[example.pool_type as string]
      const records = await client.pools({ chain_id: 1, fieldset } as { chain_id: number; fieldset: 'all' })
      const { pool_type } = example
      return id === 'pool_v1' ? { pool_type, ...records[0] } : { pool_type, pools: records }
    }
    case 'quote':
      return client.quote(request)
    case 'sign':
      return client.sign({ quote_id: QUOTE_ID, ...terms })
    case 'quote_sign':
      return client.quoteAndSign(request, terms)
    case 'quote_status':
      return client.quoteStatus(example.quote_id)
    case 'swaps':
      return client.swaps()
    case 'chains':
      return { chains: await client.chains() }
    case 'curve':
      return client.curve({
        ...ASSETS,
        chain_id,
        amounts: input_amounts.map(BigInt),
        times: rows.map((row: { time_in_seconds: number }) => row.time_in_seconds),
      })
    default:
      return client.levels({ chain_id: 1 })
  }
}

/** A value with exact numbers as text: equal for a response and for what was decoded from it. */
function shape(value: unknown): unknown {
  const plain = JSON.parse(JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)))
  const textual = (member: unknown): unknown => {
    if (typeof member === 'number') return String(member)
    if (Array.isArray(member)) return member.map(textual)
    if (typeof member !== 'object' || member === null) return member
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, textual(inner)]))
  }
  return textual(plain)
}
