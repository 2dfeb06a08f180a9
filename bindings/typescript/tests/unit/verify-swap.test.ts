import assert from 'node:assert/strict'
import test from 'node:test'
import { encodeFunctionData } from 'viem'
import type { SignedSwap } from '../../src/api/responses.js'
import type { SwapTerms } from '../../src/client/requests.js'
import { unpackGoodUntil } from '../../src/responses/good-until.js'
import { checkCalldata, decodeCalldata } from '../../src/verify/calldata.js'
import { assertVerified, type Check } from '../../src/verify/checks.js'
import { functionFor, POOL_ABI } from '../../src/verify/contract.js'
import { checkGoodUntil } from '../../src/verify/good-until.js'
import { recoverSigner, verifySwap } from '../../src/verify/swap.js'
import { deployedSwaps, recordedPool, recordedSwaps } from '../support/swaps.js'

const pool = recordedPool()
const signer = pool.pool.signer_address
const wrappedNative = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const other = `0x${'11'.repeat(20)}` as const
const [exactInput, nativeOutput] = recordedSwaps()

test('signatures of a live deployment recover its signer', async () => {
  const { signer: expected, domain, swaps } = deployedSwaps()
  for (const { swap } of swaps) assert.equal(await recoverSigner(swap, domain), expected)
})

test('good_until of a live deployment unpacks', () => {
  for (const { swap, packed } of deployedSwaps().swaps) {
    assert.deepEqual(unpackGoodUntil(swap.good_until), {
      kind: 'verified',
      input_price: packed.get('input_price_e8'),
      output_price: packed.get('output_price_e8'),
      k: packed.get('k_e18'),
      input_weight: packed.get('input_weight'),
      output_weight: packed.get('output_weight'),
      expires_at: packed.get('unix_time'),
    })
  }
  assert.deepEqual(unpackGoodUntil(1_697_236_000n), { kind: 'plain', expires_at: 1_697_236_000n })
  assert.throws(() => unpackGoodUntil(2n ** 256n), RangeError)
})

test('calldata of a live deployment decodes, and passes every check', () => {
  let count = 0
  for (const { swap, auxData, functionName } of deployedSwaps().swaps) {
    if (swap.calldata === undefined || auxData === undefined) continue
    assert.equal(decodeCalldata(swap.calldata).functionName, functionName)
    const native_input = functionName === 'sellEthForToken'
    const terms = { destination_address: swap.destination_address, aux_data: auxData, calldata: true, native_input }
    assertVerified(checkCalldata(swap, terms))
    count += 1
  }
  assert.equal(count, 2)
})

test('recorded swaps pass every check', async () => {
  for (const { quote, swap, terms } of [exactInput, nativeOutput]) {
    assertVerified(await verifySwap({ swap, quote, terms, signer, pool, wrappedNative, poolKind: 'verified' }))
  }
})

test('every deviation of a signed swap is found by the check of its name', async () => {
  const { swap } = exactInput
  const cases: [name: string, change: Partial<SignedSwap>][] = [
    ['chain', { chain_id: 10 }],
    ['pool', { service_exchange_address: other }],
    ['input_asset', { input_asset_address: other }],
    ['output_asset', { output_asset_address: other }],
    ['input_amount', { input_amount: swap.input_amount + 1n }],
    ['output_amount', { output_amount: swap.output_amount - 1n }],
    ['destination', { destination_address: other }],
    ['good_until.expires_at', { good_until: swap.good_until + 1n }],
    ['good_until.kind', { good_until: BigInt(swap.expires_at) }],
    ['expires_at', { expires_at: swap.expires_at + 1 }],
    ['good_until.weights', { good_until: swap.good_until + (1n << 48n) }],
    ['good_until.k', { good_until: swap.good_until + (1n << 64n) }],
    ['good_until.prices', { good_until: swap.good_until + (1n << 128n) }],
    ['good_until.prices', { good_until: swap.good_until - (1n << 192n) }],
    ['signer', { signature: { ...swap.signature, v: 28 } }],
    ['signer', { signature: { ...swap.signature, r: `0x${'00'.repeat(32)}` } }],
    ['signature.s', { signature: { ...swap.signature, s: `0x${'f'.repeat(63)}0` } }],
  ]
  for (const [name, change] of cases) {
    const altered = { ...swap, ...change }
    const checks = await verifySwap({ ...exactInput, swap: altered, signer, pool, poolKind: 'verified' })
    assert.equal(outcomeOf(checks, name), 'differs', name)
    const isSigned = name !== 'expires_at'
    if (isSigned) assert.equal(outcomeOf(checks, 'signer'), 'differs', `${name} is signed`)
  }
})

test('another signer or domain is found', async () => {
  const checks = await verifySwap({ ...exactInput, signer: other, pool })
  assert.deepEqual(failures(checks), ['signer'])
  const domain = { name: 'ClipperDirect', version: '2' }
  assert.deepEqual(failures(await verifySwap({ ...exactInput, signer, pool, domain })), ['signer'])
})

test('what cannot be compared is undecided', async () => {
  const checks = await verifySwap({ ...nativeOutput, signer })
  const undecided = checks.filter(({ outcome }) => outcome === 'undecided').map(({ name }) => name)
  assert.deepEqual(undecided, ['native_token', 'good_until.prices', 'signer'])
})

test('every altered argument of the calldata is found by the check of its name', () => {
  const { swap, terms } = exactInput
  const members = decodeCalldata(swap.calldata ?? '0x').arguments
  const signature = { ...swap.signature, v: 28 }
  const changes = {
    inputToken: other,
    outputToken: other,
    inputAmount: 1n,
    outputAmount: 1n,
    goodUntil: 1n,
    destinationAddress: other,
    theSignature: signature,
    auxiliaryData: '0x11',
  }
  assert.deepEqual(Object.keys(members), Object.keys(changes))
  for (const [name, value] of Object.entries(changes)) {
    const checks = checkCalldata({ ...swap, calldata: encode('transmitAndSwap', { ...members, [name]: value }) }, terms)
    assert.deepEqual(failures(checks), [`calldata.${name}`])
  }
})

test('calldata for another function, with more bytes, or none at all is found', () => {
  const { swap, terms } = exactInput
  const members = decodeCalldata(swap.calldata ?? '0x').arguments
  assert.deepEqual(failures(checkCalldata({ ...swap, calldata: encode('swap', members) }, terms)), [
    'calldata.function',
  ])
  assert.deepEqual(failures(checkCalldata({ ...swap, calldata: `${swap.calldata ?? '0x'}00` }, terms)), [
    'calldata.encoding',
  ])
  assert.deepEqual(failures(checkCalldata({ ...swap, calldata: '0xdeadbeef' }, terms)), ['calldata.function'])
  const { calldata: _, ...bare } = swap
  assert.deepEqual(failures(checkCalldata(bare, terms)), ['calldata.function'])
  assert.deepEqual(checkCalldata(bare, { destination_address: terms.destination_address }), [])
  const aux_data = `0x${'22'.repeat(32)}` as const
  assert.deepEqual(failures(checkCalldata(swap, { ...terms, aux_data })), ['calldata.auxiliaryData'])
})

test('native sides and transmit select the function', () => {
  const names = (terms: Omit<SwapTerms, 'destination_address'>) => functionFor(terms)
  assert.equal(names({}), 'swap')
  assert.equal(names({ transmit: true }), 'transmitAndSwap')
  assert.equal(names({ native_input: true }), 'sellEthForToken')
  assert.equal(names({ native_input: true, transmit: true }), 'sellEthForToken')
  assert.equal(names({ native_output: true }), 'sellTokenForEth')
  assert.equal(names({ native_output: true, transmit: true }), 'transmitAndSellTokenForEth')
})

test('a pool that settles by price packs k = 0 and a bounding price', () => {
  const { swap, quote } = exactInput
  const packed = (outputPrice: bigint) =>
    (208_052_700_000n << 192n) | (outputPrice << 128n) | (79n << 48n) | (188n << 32n) | BigInt(quote.good_until)
  const check = (output_amount: bigint, outputPrice: bigint) => {
    const altered = { ...swap, output_amount, good_until: packed(outputPrice) }
    return failures(checkGoodUntil(altered, { expires_at: quote.good_until, pool }))
  }
  // The output is worth less than the input at its own price, which is packed then.
  assert.deepEqual(check(2_078_539_413n, 100_000_000n), [])
  assert.deepEqual(check(2_078_539_413n, 99_999_999n), ['good_until.prices'])
  // 1 ETH is worth 2080527 * 10^15 steps of 10^-18 dollars; one less, times 10^8, over 2090 USDC in 18 decimals, truncated.
  assert.deepEqual(check(2_090_000_000n, 99_546_746n), [])
  assert.deepEqual(check(2_090_000_000n, 99_546_747n), ['good_until.prices'])
})

function outcomeOf(checks: readonly Check[], name: string): string | undefined {
  return checks.find((check) => check.name === name)?.outcome
}

function failures(checks: readonly Check[]): string[] {
  return checks.filter(({ outcome }) => outcome === 'differs').map(({ name }) => name)
}

function encode(functionName: string, members: Readonly<Record<string, unknown>>): `0x${string}` {
  const call = { abi: POOL_ABI.filter(({ name }) => name === functionName), functionName, args: Object.values(members) }
  return encodeFunctionData(call as unknown as Parameters<typeof encodeFunctionData>[0])
}
