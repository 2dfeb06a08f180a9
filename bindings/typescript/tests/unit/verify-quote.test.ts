import assert from 'node:assert/strict'
import test from 'node:test'
import type { LevelBook, PoolData } from '../../src/api/responses.js'
import type { QuoteRequest } from '../../src/client/requests.js'
import { Decimal } from '../../src/json/decimal.js'
import { type Knot, outputFor } from '../../src/levels/book.js'
import { assertVerified, type Check, VerificationError } from '../../src/verify/checks.js'
import { feeInBasisPoints } from '../../src/verify/fee.js'
import { leastOutput } from '../../src/verify/levels.js'
import { offerOf, type QuoteVerification, recompute, verifyQuote } from '../../src/verify/recompute.js'
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
    const curve = offerOf(state, 'ETH', 'USDC', Decimal.parse('8.63')) ?? assert.fail()
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
  const other: PoolData = { ...pool, pool: { ...pool.pool, time_in_seconds: 61 } }
  assert.equal(outcomeOf(verifyQuote({ ...exactInput, pool: other }), 'fee'), 'undecided')
  const unquoted: PoolData = { ...pool, pairs: [] }
  assert.equal(outcomeOf(verifyQuote({ ...exactInput, pool: unquoted }), 'fee'), 'undecided')
})

const LEVELS_ID = 'ab'.repeat(16)
/** 2000 base units of output for each 10^12 of input up to 10^18, and 1000 from there on. */
const BOOK: LevelBook = {
  seq: 1,
  levels_id: LEVELS_ID,
  state_id: exactInput.quote.state_id,
  pool_address: exactInput.quote.pool_address,
  input_asset_symbol: 'ETH',
  input_asset_address: exactInput.quote.input_asset_address,
  input_asset_decimals: 18,
  output_asset_symbol: 'USDC',
  output_asset_address: exactInput.quote.output_asset_address,
  output_asset_decimals: 6,
  as_of_ms: 1000,
  published_ms: 1000,
  valid_until_ms: 6000,
  time_in_seconds: 60,
  fee_in_basis_points: Decimal.parse('9.2'),
  firm: true,
  certain: true,
  firm_budget_input: 2n * 10n ** 18n,
  minimum_input: 10n ** 17n,
  maximum_input: 4n * 10n ** 18n,
  max_shortfall_bps: Decimal.parse('1'),
  semantics: 'cumulative_input_output_floor',
  knots: [
    [10n ** 17n, 200_000_000n],
    [10n ** 18n, 2_000_000_000n],
    [4n * 10n ** 18n, 5_000_000_000n],
  ],
}

/** The outcomes of fee, amounts and levels of a quote of levels that differs from the recorded one. */
function ofLevels(
  change: Partial<QuoteVerification['quote']>,
  more: { readonly levels_id?: string | undefined; readonly book?: LevelBook } = {},
): (string | undefined)[] {
  const { levels_id, book } = { levels_id: LEVELS_ID, ...more }
  const request = { ...exactInput.request, ...(levels_id !== undefined && { levels_id }) }
  const firm = { levels_id: LEVELS_ID, levels_output: 1n, firm_budget_left_input: 0n }
  const quote = { ...exactInput.quote, ...firm, ...change }
  const checks = verifyQuote({ request, pool, quote, ...(book && { book }) })
  return ['fee', 'amounts', 'levels'].map((name) => outcomeOf(checks, name))
}

test('levels that were not requested do not count', () => {
  const { output_amount } = exactInput.quote
  const low = { output_amount: 1n, levels_output: 1n }
  assert.deepEqual(ofLevels(low, { levels_id: undefined }), ['ok', 'lower', 'differs'])
  assert.deepEqual(ofLevels(low, { levels_id: 'cd'.repeat(16), book: BOOK }), ['ok', 'lower', 'differs'])
  assert.deepEqual(ofLevels({ output_amount }, { levels_id: undefined }), ['ok', 'ok', 'differs'])
  const dear = { fee_in_basis_points: Decimal.parse('9.2') }
  assert.equal(ofLevels(dear, { levels_id: undefined, book: BOOK })[0], 'differs')
  const { levels_id: _, ...quote } = { ...exactInput.quote, levels_id: undefined }
  const checks = verifyQuote({ request: { ...exactInput.request, levels_id: LEVELS_ID }, pool, quote })
  assert.equal(outcomeOf(checks, 'levels'), 'differs')
})

test('a quote of levels does not prove itself without their book', () => {
  const { output_amount } = exactInput.quote
  const dear = { fee_in_basis_points: Decimal.parse('9.2') }
  for (const [change, expected] of [
    [{}, ['ok', 'ok', 'ok']],
    [{ output_amount: output_amount + 5n, levels_output: output_amount + 5n }, ['ok', 'ok', 'ok']],
    [{ output_amount: 1n }, ['ok', 'undecided', 'ok']],
    [{ output_amount, levels_output: output_amount + 1n }, ['ok', 'differs', 'differs']],
    [{ levels_output: undefined }, ['ok', 'differs', 'differs']],
    // The fee is the quote's own: neither is decided, although the amounts are no worse than the formula at that fee.
    [dear, ['undecided', 'undecided', 'ok']],
    [{ fee_in_basis_points: Decimal.parse('8') }, ['differs', 'undecided', 'ok']],
    [{ state_id: '0'.repeat(32) }, ['ok', 'undecided', 'ok']],
  ] as [Partial<QuoteVerification['quote']>, string[]][]) {
    assert.deepEqual(ofLevels(change), expected, String(Object.keys(change)))
  }
  // A book of other levels is none.
  const book = { ...BOOK, levels_id: 'cd'.repeat(16) }
  assert.deepEqual(ofLevels({ output_amount: 1n, ...dear }, { book }), ['undecided', 'undecided', 'ok'])
})

test('a quote of levels is held to their book', () => {
  const fee_in_basis_points = BOOK.fee_in_basis_points
  const least = 1_000_000_000n
  const zero = `0x${'00'.repeat(20)}` as const
  for (const [change, differences, expected] of [
    [{ output_amount: least }, {}, ['levels', 'levels', 'ok']],
    [{ output_amount: least, state_id: '0'.repeat(32) }, {}, ['levels', 'levels', 'ok']],
    [{ output_amount: least - 1n }, {}, ['levels', 'differs', 'ok']],
    [{ output_amount: least, levels_output: least + 1n }, {}, ['levels', 'differs', 'differs']],
    [{ output_amount: least, fee_in_basis_points: Decimal.parse('9.3') }, {}, ['differs', 'differs', 'ok']],
    // Without the margin of the promise, the amounts of the formula are more.
    [{ fee_in_basis_points: Decimal.parse('9') }, {}, ['levels', 'ok', 'ok']],
    [{ output_amount: least - 1n, fee_in_basis_points: Decimal.parse('9') }, {}, ['levels', 'differs', 'ok']],
    // No worse than the formula at the fee of the book.
    [{}, {}, ['levels', 'ok', 'ok']],
    [{ output_amount: least }, { firm: false, firm_budget_input: null }, ['levels', 'differs', 'ok']],
    [{ output_amount: least }, { firm_budget_input: 10n ** 18n - 1n }, ['levels', 'differs', 'ok']],
    [{ output_amount: least }, { input_asset_address: zero }, ['levels', 'differs', 'ok']],
    [{ output_amount: least }, { knots: undefined }, ['levels', 'undecided', 'ok']],
  ] as [Partial<QuoteVerification['quote']>, Partial<LevelBook>, string[]][]) {
    const outcomes = ofLevels({ fee_in_basis_points, ...change }, { book: { ...BOOK, ...differences } })
    assert.deepEqual(outcomes, expected, `${Object.keys(change)} ${Object.keys(differences)}`)
  }
})

test('an input for an output of levels is at most what the book needs at its worst', () => {
  const output_amount = 500_000_000n
  const { input_amount: _, ...rest } = exactInput.request
  const request = { ...rest, levels_id: LEVELS_ID, output_amount } as QuoteRequest
  const outcome = (input_amount: bigint) => {
    const levels = { levels_id: LEVELS_ID, levels_output: output_amount, firm_budget_left_input: 0n }
    const amounts = { input_amount, output_amount, fee_in_basis_points: BOOK.fee_in_basis_points }
    return outcomeOf(
      verifyQuote({ request, pool, quote: { ...exactInput.quote, ...levels, ...amounts }, book: BOOK }),
      'amounts',
    )
  }
  assert.equal(outcome(10n ** 17n), 'ok')
  assert.equal(outcome(5n * 10n ** 17n), 'levels')
  assert.equal(outcome(5n * 10n ** 17n + 1n), 'differs')
})

test('the least output of a book is that of the worst part of its budget', () => {
  const knots: Knot[] = [
    [3n, 10n],
    [10n, 20n],
    [20n, 25n],
  ]
  const book = (firm_budget_input: bigint | null) => ({ knots, firm: true, firm_budget_input })
  for (const [budget, input, least] of [
    [20n, 20n, 25n],
    [20n, 10n, 5n],
    // From 10 + 50/7 to 22.5.
    [15n, 7n, 5n],
    [3n, 1n, 3n],
    [20n, 1n, 0n],
    [20n, 0n, 0n],
    [20n, 21n, undefined],
    [30n, 10n, 5n],
    [9n, 10n, undefined],
    [null, 1n, undefined],
  ] as const) {
    assert.equal(leastOutput(book(budget), input), least, `${input} of ${budget}`)
  }
  // No part that rounded ends give is less.
  const rounded = (x: bigint) => (x === 0n ? 0n : (outputFor({ knots: [[0n, 0n], ...knots] }, x) ?? assert.fail()))
  for (let input = 1n; input <= 20n; input += 1n) {
    const least = leastOutput(book(20n), input) ?? assert.fail()
    for (let used = 0n; used + input <= 20n; used += 1n) assert.ok(rounded(used + input) - rounded(used) >= least)
  }
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
