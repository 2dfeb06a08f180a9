import assert from 'node:assert/strict'
import test from 'node:test'
import {
  BadDataError,
  FirmquoteClient,
  ForbiddenError,
  NotFoundError,
  QuoteProblemError,
  type SwapTerms,
  transactionOf,
  UnauthorizedError,
} from '../../src/index.js'
import {
  assertVerified,
  type Curve,
  offerOf,
  quoteOf,
  recompute,
  verifyQuote,
  verifySwap,
} from '../../src/verify/index.js'
import { basicCredential, required, serviceClient } from '../support/environment.js'
import { readDocument } from '../support/files.js'

const client = serviceClient()
const destination_address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const { chain, pool, request } = await market()

test('the service is the one that this client follows', async () => {
  assert.deepEqual(JSON.parse(await client.document('openapi')), readDocument('../openapi.json'))
  assert.ok((await client.checkCompatibility()).compatible)
})

test('the documents of contract and messages are there', async () => {
  assert.equal(JSON.parse(await client.document('asyncapi')).asyncapi, '3.0.0')
  assert.ok(Array.isArray(JSON.parse(await client.document('abi'))))
  assert.equal(JSON.parse(await client.document('typed-data')).primaryType, 'OfferStruct')
})

test('pool data have both sets of members, and one of them', async () => {
  const { chain_id } = request
  const [all] = await client.pools({ chain_id, fieldset: 'all', pool_address: pool })
  const [onchain] = await client.pools({ chain_id, pool_address: pool })
  const [offchain] = await client.pools({
    chain_id,
    fieldset: 'offchain-data',
    pool_address: pool,
    time_in_seconds: 30,
  })
  assert.deepEqual(
    all?.assets.map(({ balance }) => balance),
    onchain?.assets.map(({ balance }) => balance),
  )
  assert.ok(all?.pool.k.equals(offchain?.pool.k ?? assert.fail()))
  assert.equal(offchain?.pool.time_in_seconds, 30)
})

test('a quote is signed once, verified, and signed again with the same signature', async () => {
  const quote = await client.quote(request)
  const [state] = await client.pools({
    chain_id: request.chain_id,
    fieldset: 'all',
    pool_address: quote.pool_address,
    state_id: quote.state_id,
  })
  assert.ok(state)
  assertVerified(verifyQuote({ request, quote, pool: state }))
  const terms: SwapTerms = { destination_address, transmit: true, calldata: true }
  const swap = await client.signQuote(quote, terms)
  assertVerified(await verifySwap({ swap, quote, terms, signer: state.pool.signer_address, pool: state }))
  assert.deepEqual(transactionOf(swap, terms), { to: quote.pool_address, value: 0n, data: swap.calldata })
  assert.deepEqual(await client.sign({ ...terms, quote_id: quote.id }), swap)
  await assert.rejects(client.sign({ ...terms, transmit: false, quote_id: quote.id }), (error) => {
    assert.ok(error instanceof QuoteProblemError)
    return error.reaction.kind === 'requote'
  })
  const status = await client.quoteStatus(quote.id)
  assert.deepEqual([status.state, status.good_until, status.execution], ['signed', quote.good_until, swap.execution])
})

test('a swap that is quoted and signed at once verifies, with native coin', async () => {
  const { wrapped_native_symbol, wrapped_native_address } = chain
  const other = [request.input_asset_symbol, request.output_asset_symbol].find((name) => name !== wrapped_native_symbol)
  if (wrapped_native_symbol === null || other === undefined) return
  const [state] = await client.pools({ chain_id: request.chain_id, fieldset: 'all', pool_address: pool })
  const decimals = state?.assets.find(({ name }) => name === wrapped_native_symbol)?.decimals ?? 18
  const native = {
    chain_id: request.chain_id,
    pool_address: pool,
    input_asset_symbol: wrapped_native_symbol,
    output_asset_symbol: other,
  }
  const fixed = { ...native, input_amount: 10n ** BigInt(decimals) / 1000n }
  const terms: SwapTerms = { destination_address, native_input: true, calldata: true }
  const swap = await client.quoteAndSign(fixed, terms)
  const [before] = await client.pools({
    chain_id: request.chain_id,
    fieldset: 'all',
    pool_address: pool,
    state_id: swap.state_id,
  })
  assert.ok(before)
  assertVerified(verifyQuote({ request: fixed, quote: quoteOf(swap), pool: before }))
  const signer = before.pool.signer_address
  assertVerified(
    await verifySwap({
      swap,
      quote: quoteOf(swap),
      terms,
      signer,
      pool: before,
      wrappedNative: wrapped_native_address,
    }),
  )
  assert.equal(transactionOf(swap, terms).value, fixed.input_amount)
})

test('a curve is what quotes of its state are', async () => {
  const { chain_id, input_asset_symbol, output_asset_symbol, input_amount } = request
  const amounts = [input_amount, input_amount * 3n, 1n]
  const grid = await client.curve({
    chain_id,
    input_asset_symbol,
    output_asset_symbol,
    amounts,
    times: [15, 60],
    pool_address: pool,
  })
  const [state] = await client.pools({ chain_id, fieldset: 'all', pool_address: pool, state_id: grid.state_id })
  assert.ok(state)
  for (const { fee_in_basis_points, output_amounts } of grid.rows) {
    const curve: Curve = offerOf(state, input_asset_symbol, output_asset_symbol, fee_in_basis_points) ?? assert.fail()
    for (const [index, output] of output_amounts.entries()) {
      if (output !== null) assert.equal(recompute(curve, { input_amount: amounts[index] ?? 0n }), output)
    }
  }
})

test('version 1 quotes and signs, with Basic and without credentials', async () => {
  const baseUrl = required('FIRMQUOTE_URL')
  const basic = basicCredential()
  const { pool_address: _, ...anywhere } = request
  const clients = [
    new FirmquoteClient({ baseUrl }),
    new FirmquoteClient({ baseUrl, apiKey: required('FIRMQUOTE_API_KEY'), apiVersion: 1 }),
  ]
  if (basic !== undefined) clients.push(new FirmquoteClient({ baseUrl, basic }))
  for (const one of clients) {
    const input_amount = request.input_amount / 10n + BigInt(clients.indexOf(one))
    const swap = await one.quoteAndSign({ ...anywhere, input_amount }, { destination_address, calldata: true })
    assert.equal(swap.input_amount, input_amount)
  }
  if (basic === undefined) return
  const [record] = await new FirmquoteClient({ baseUrl, basic }).pools({ chain_id: request.chain_id, fieldset: 'all' })
  assert.equal(record?.pool.address, chain.pools[0]?.address)
})

test('refusals are errors of their kinds', async () => {
  const baseUrl = required('FIRMQUOTE_URL')
  const wrong = new FirmquoteClient({ baseUrl, apiKey: 'f'.repeat(64) })
  await assert.rejects(wrong.chains(), ForbiddenError)
  await assert.rejects(new FirmquoteClient({ baseUrl }).pools({ chain_id: request.chain_id }), UnauthorizedError)
  await assert.rejects(client.quote({ ...request, input_asset_symbol: 'NO-SUCH-ASSET' }), BadDataError)
  await assert.rejects(client.quote({ ...request, input_amount: 2n ** 255n }), QuoteProblemError)
  await assert.rejects(client.quote({ ...request, time_in_seconds: 0 }), (error) => {
    assert.ok(error instanceof BadDataError)
    return error.details.data[0]?.loc.join() === 'time_in_seconds'
  })
  await assert.rejects(client.quoteStatus('05a51aa6-41b5-4c61-a452-f1b95d0d43e4'), NotFoundError)
})

/** The first chain, its first pool, and a small trade of its first pair. */
async function market() {
  const [first] = await client.chains()
  const [traded] = first?.pools ?? []
  const [pair] = traded?.pairs ?? []
  if (first === undefined || traded === undefined || pair === undefined) throw new Error('the service trades nothing')
  const [state] = await client.pools({ chain_id: first.chain_id, fieldset: 'all', pool_address: traded.address })
  const balance = state?.assets.find(({ name }) => name === pair[0])?.balance ?? 0n
  const [input_asset_symbol, output_asset_symbol] = pair
  const amount = { input_amount: balance / 100_000n }
  const trade = {
    chain_id: first.chain_id,
    pool_address: traded.address,
    input_asset_symbol,
    output_asset_symbol,
    ...amount,
  }
  return { chain: first, pool: traded.address, request: trade }
}
