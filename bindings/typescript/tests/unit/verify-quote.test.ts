import assert from 'node:assert/strict'
import test from 'node:test'
import { Decimal } from '../../src/json/decimal.js'
import type { AllRecord } from '../../src/responses/pools.js'
import { assertVerified, type Check, VerificationError } from '../../src/verify/checks.js'
import { feeInBasisPoints } from '../../src/verify/fee.js'
import { curveOf, type QuoteVerification, recompute, verifyQuote } from '../../src/verify/recompute.js'
import { recordedPool, recordedSwaps } from '../support/swaps.js'

const pool = recordedPool()
const [exactInput, exactOutput] = recordedSwaps()

test('recorded quotes pass every check', () => {
  for (const { request, quote } of [exactInput, exactOutput]) {
    const checks = verifyQuote({ request, quote, pool })
    assert.deepEqual(
      checks.map(({ name, outcome }) => `${name} ${outcome}`),
      ['chain', 'pool', 'assets', 'fixed_amount', 'expiry', 'state', 'fee', 'amounts'].map((name) => `${name} ok`),
    )
    assertVerified(checks)
  }
})

test('the published flows of outstanding swaps count against the quote', () => {
  const [weth = assert.fail(), usdc = assert.fail()] = pool.assets
  const output = (input: Partial<typeof weth>, paid: Partial<typeof usdc>) => {
    const state = {
      ...pool,
      assets: [
        { ...weth, ...input },
        { ...usdc, ...paid },
      ],
    }
    const curve = curveOf(state, 'ETH', 'USDC', Decimal.parse('8.63')) ?? assert.fail()
    return recompute(curve, { input_amount: 10n ** 18n })
  }
  const [inflow, outflow] = [10n ** 20n, 10n ** 11n]
  const [moreInput, lessOutput] = [
    { balance: (weth.balance ?? 0n) + inflow },
    { balance: (usdc.balance ?? 0n) - outflow },
  ]
  assert.equal(output({}, {}), 2_078_539_413n)
  assert.equal(output({ outstanding_inflow: inflow }, {}), output(moreInput, {}))
  assert.equal(output({}, { outstanding_outflow: outflow }), output({}, lessOutput))
  assert.notEqual(output(moreInput, {}), output({}, {}))
  assert.notEqual(output({}, lessOutput), output({}, {}))
  // What would help the quote may never happen.
  assert.equal(output({ outstanding_outflow: inflow }, { outstanding_inflow: outflow }), output({}, {}))
})

test('every deviation of a quote is found by the check of its name', () => {
  const { quote } = exactInput
  const zero = `0x${'00'.repeat(20)}` as const
  const cases: [name: string, change: Partial<QuoteVerification['quote']>, outcome: string][] = [
    ['chain', { chain_id: 2 }, 'differs'],
    ['pool', { pool_address: zero }, 'differs'],
    ['assets', { output_asset_address: zero }, 'differs'],
    ['fixed_amount', { input_amount: quote.input_amount + 1n }, 'differs'],
    ['expiry', { good_until: quote.good_until + 1 }, 'differs'],
    ['state', { state_id: '0'.repeat(32) }, 'undecided'],
    ['fee', { fee_in_basis_points: Decimal.parse('8.64') }, 'differs'],
    ['amounts', { output_amount: quote.output_amount + 1n }, 'differs'],
    ['amounts', { output_amount: quote.output_amount - 1n }, 'lower'],
  ]
  for (const [name, change, outcome] of cases) {
    const checks = verifyQuote({ request: exactInput.request, quote: { ...quote, ...change }, pool })
    assert.equal(outcomeOf(checks, name), outcome, name)
    assert.throws(() => assertVerified(checks), VerificationError)
  }
})

test('an exact output that costs more is lower than the formula, one that costs less differs', () => {
  const { request, quote } = exactOutput
  const amounts = (input_amount: bigint, poolKind?: 'plain') =>
    outcomeOf(
      verifyQuote({ request, quote: { ...quote, input_amount }, pool, ...(poolKind && { poolKind }) }),
      'amounts',
    )
  assert.equal(amounts(quote.input_amount + 1n), 'lower')
  assert.equal(amounts(quote.input_amount + 1n, 'plain'), 'differs')
  assert.equal(amounts(quote.input_amount - 1n), 'differs')
})

test('lower amounts pass only if they are accepted knowingly', () => {
  const { request, quote } = exactInput
  const checks = verifyQuote({ request, quote: { ...quote, output_amount: quote.output_amount - 1n }, pool })
  assert.throws(() => assertVerified(checks), /amounts lower: output_amount 2078539412, expected: 2078539413/)
  assertVerified(checks, ['ok', 'lower'])
  assert.throws(() => assertVerified([]), VerificationError)
})

test('pool data for another time do not decide the fee', () => {
  const other: AllRecord = { ...pool, pool: { ...pool.pool, time_in_seconds: 61 } }
  assert.equal(outcomeOf(verifyQuote({ ...exactInput, pool: other }), 'fee'), 'undecided')
  const unquoted: AllRecord = { ...pool, pairs: [] }
  assert.equal(outcomeOf(verifyQuote({ ...exactInput, pool: unquoted }), 'fee'), 'undecided')
})

test('a quote of levels keeps to them, or to the formula', () => {
  const levels_id = 'ab'.repeat(16)
  const request = { ...exactInput.request, levels_id }
  const { quote } = exactInput
  const firm = { levels_id, levels_output: quote.output_amount + 5n, firm_budget_left_input: 0n }
  const checks = (change: object) => verifyQuote({ request, pool, quote: { ...quote, ...firm, ...change } })
  assert.equal(outcomeOf(checks({ output_amount: quote.output_amount + 5n }), 'amounts'), 'levels')
  assert.equal(outcomeOf(checks({ output_amount: quote.output_amount + 5n }), 'levels'), 'ok')
  assert.equal(outcomeOf(checks({ output_amount: quote.output_amount + 4n }), 'levels'), 'differs')
  assert.equal(outcomeOf(checks({ levels_output: quote.output_amount }), 'amounts'), 'ok')
  assert.equal(outcomeOf(checks({ levels_id: undefined }), 'levels'), 'differs')
  assert.equal(outcomeOf(checks({ fee_in_basis_points: Decimal.parse('9') }), 'fee'), 'levels')
  assert.equal(outcomeOf(checks({ fee_in_basis_points: Decimal.parse('8') }), 'fee'), 'differs')
})

test('the fee follows from volatility and time, rounded up to 0.01 basis points', () => {
  for (const [base, volatility, window, time, fee] of [
    ['5', '0.6', 12, 60, '8.63'],
    ['5', '0.6', 12, 15, '7.23'],
    ['4', '0.60', 12, 60, '7.63'],
    ['4', '0.02', 12, 60, '4.13'],
    ['4.5', '0', 12, 600, '4.5'],
    ['0', '1', 0, 31_536_000, '4000'],
    ['0', '1', 0, 31_536_001, '4000.01'],
  ] as const) {
    const parameters = { base_bps: Decimal.parse(base), volatility: Decimal.parse(volatility) }
    const times = { acceptance_window_seconds: window, time_in_seconds: time }
    assert.equal(feeInBasisPoints({ ...parameters, ...times }).toString(), fee)
  }
})

function outcomeOf(checks: readonly Check[], name: string): string | undefined {
  return checks.find((check) => check.name === name)?.outcome
}
