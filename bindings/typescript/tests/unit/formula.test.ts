import assert from 'node:assert/strict'
import test from 'node:test'
import { isExactSolution } from '../../src/verify/exact-hit.js'
import { type Curve, inputForOutput, outputForInput } from '../../src/verify/formula.js'
import { fixedPoint } from '../../src/verify/interval.js'
import { priceVectors } from '../support/curves.js'

const E18 = 10n ** 18n
const SIDE = { reserve: E18, price: 10n ** 8n, weight: 10n, decimals: 18 }
const HALF: Curve = { input: SIDE, output: SIDE, k: E18 / 2n, fee: 0n }

test('amounts equal those that another language computed at 200 digits', () => {
  const vectors = priceVectors()
  assert.equal(vectors.length, 300)
  for (const { curve, fixed, input_amount, output_amount } of vectors) {
    const isInput = fixed === 'input_amount'
    const solution = isInput ? outputForInput(curve, input_amount) : inputForOutput(curve, output_amount)
    assert.equal(solution, isInput ? output_amount : input_amount)
  }
})

test('logarithms and exponentials enclose known digits', () => {
  // ln 10, e and e^-1, to 60 digits.
  const ln10 = '2302585092994045684017991454684364207601101488628772976033327'
  const e = '2718281828459045235360287471352662497757247093699959574966967'
  const inverse = '367879441171442321595523770161460867445811131031767834507836'
  for (const bits of [192, 256, 1024]) {
    const arithmetic = fixedPoint(bits)
    assertEncloses(arithmetic.lnRatio(10n, 1n), ln10, 60, bits)
    assertEncloses(arithmetic.lnRatio(10n ** 40n, 10n ** 39n), ln10, 60, bits)
    assertEncloses(arithmetic.exp({ lo: arithmetic.one, hi: arithmetic.one }), e, 60, bits)
    assertEncloses(arithmetic.exp({ lo: -arithmetic.one, hi: -arithmetic.one }), inverse, 60, bits)
  }
})

test('a logarithm undoes an exponential, within its enclosure', () => {
  const arithmetic = fixedPoint(256)
  for (const x of [
    1n,
    12_345n,
    arithmetic.one / 7n,
    arithmetic.one,
    arithmetic.one * 100n,
    -arithmetic.one * 50n,
    -3n,
  ]) {
    const back = arithmetic.ln(arithmetic.exp({ lo: x, hi: x }))
    assert.ok(back.lo <= x && x <= back.hi, `${x} in ${back.lo} to ${back.hi}`)
  }
})

test('an integer that solves the equation exactly is found', () => {
  // sqrt(1.21) + sqrt(0.81) = 2
  assert.equal(outputForInput(HALF, (21n * E18) / 100n), (19n * E18) / 100n)
  assert.equal(inputForOutput(HALF, (19n * E18) / 100n), (21n * E18) / 100n)
  assert.ok(isExactSolution(HALF, (21n * E18) / 100n, (19n * E18) / 100n))
  assert.ok(!isExactSolution(HALF, (21n * E18) / 100n, (19n * E18) / 100n - 1n))
  assert.equal(outputForInput(HALF, (21n * E18) / 100n - 1n), (19n * E18) / 100n - 1n)
  assert.equal(inputForOutput(HALF, (19n * E18) / 100n + 1n), (21n * E18) / 100n + 2n)
})

test('a solution next to an integer is told from the integer', () => {
  // The reserve of one side has so few units, and that of the other so many, that one of them moves the solution by 10^-36.
  const [coarse, fine] = [
    { ...SIDE, reserve: 100n, decimals: 0 },
    { ...SIDE, reserve: 10n ** 38n, decimals: 36 },
  ]
  const [toCoarse, toFine] = [
    { ...HALF, input: fine, output: coarse },
    { ...HALF, input: coarse, output: fine },
  ]
  for (const [change, output, input] of [
    [-1n, 18n, 21n],
    [0n, 19n, 21n],
    [1n, 19n, 22n],
  ] as const) {
    assert.equal(outputForInput(toCoarse, 21n * 10n ** 36n + change), output)
    assert.equal(inputForOutput(toFine, 19n * 10n ** 36n + change), input)
  }
})

test('exact solutions with roots of other degrees are found', () => {
  // k = 3/4: fourth roots, 2 - 1 = 3 - 2 with weights that differ only in their unit.
  const curve: Curve = {
    input: { ...SIDE, reserve: 1n },
    output: { ...SIDE, reserve: 81n },
    k: (3n * E18) / 4n,
    fee: 0n,
  }
  assert.ok(isExactSolution(curve, 15n, 65n))
  assert.equal(outputForInput(curve, 15n), 65n)
  assert.equal(inputForOutput(curve, 65n), 15n)
})

test('values are swapped as they are at k = 0', () => {
  const curve: Curve = { ...HALF, k: 0n, fee: 863n }
  assert.equal(outputForInput(curve, 1_000_000n), 999_137n)
  assert.equal(inputForOutput(curve, 999_137n), 1_000_000n)
  assert.equal(inputForOutput(curve, 999_138n), 1_000_002n)
  assert.equal(outputForInput({ ...curve, input: { ...SIDE, decimals: 6 } }, 1n), 999_137_000_000n)
})

test('a swap without a solution says why', () => {
  assert.equal(outputForInput({ ...HALF, k: 0n }, E18), 'beyond_reserve')
  assert.equal(inputForOutput(HALF, E18), 'beyond_reserve')
  assert.equal(outputForInput(HALF, 3n * E18), 'beyond_reserve')
  assert.equal(outputForInput(HALF, 2n ** 256n - 1n), 'beyond_reserve')
  assert.equal(inputForOutput({ ...HALF, k: E18 - 1n, input: { ...SIDE, weight: 60_000n } }, E18 - 1n), 'too_large')
  assert.equal(
    inputForOutput({ ...HALF, k: 0n, input: { ...SIDE, price: 1n, reserve: 1n, decimals: 77 } }, E18 - 1n),
    'too_large',
  )
})

test('values out of range are refused', () => {
  for (const change of [
    { k: -1n },
    { k: E18 },
    { fee: -1n },
    { fee: 1_000_000n },
    { input: { ...SIDE, reserve: 0n } },
    { output: { ...SIDE, price: 0n } },
  ]) {
    assert.throws(() => outputForInput({ ...HALF, ...change }, 1n), RangeError)
  }
  for (const amount of [0n, -1n, 2n ** 256n]) assert.throws(() => outputForInput(HALF, amount), RangeError)
})

test('a swap there and a request for what it gave never favour the taker', () => {
  for (const { curve, input_amount, output_amount } of priceVectors()) {
    const [output, input] = [outputForInput(curve, input_amount), inputForOutput(curve, output_amount)]
    assert.ok(typeof output === 'bigint' && output >= output_amount, 'the output of an input that was rounded up')
    assert.ok(typeof input === 'bigint' && input <= input_amount, 'the input for an output that was rounded down')
  }
})

function assertEncloses({ lo, hi }: { lo: bigint; hi: bigint }, digits: string, decimals: number, bits: number): void {
  const scaled = (BigInt(digits) << BigInt(bits)) / 10n ** BigInt(decimals)
  const slack = (1n << BigInt(bits)) / 10n ** BigInt(decimals) + 1n
  assert.ok(lo <= scaled + slack && scaled - slack <= hi, 'the digits are enclosed')
  assert.ok(hi - lo < 1n << 40n, 'the enclosure is narrow')
}
