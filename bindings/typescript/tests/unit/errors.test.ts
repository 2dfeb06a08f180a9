import assert from 'node:assert/strict'
import test from 'node:test'
import { CONFLICT_REASONS, LEVELS_REASONS, REACTIONS_BY_REASON } from '../../src/errors/reasons.js'
import { refusalFrom } from '../../src/errors/refusal.js'
import * as firmquote from '../../src/index.js'
import { refusals } from '../support/openapi.js'

/** The class of each `errorType`. */
const CLASSES: Record<string, keyof typeof firmquote> = {
  BadData: 'BadDataError',
  QuoteProblem: 'QuoteProblemError',
  Unauthorized: 'UnauthorizedError',
  Forbidden: 'ForbiddenError',
  NotFound: 'NotFoundError',
  MethodNotAllowed: 'MethodNotAllowedError',
  RateLimited: 'RateLimitedError',
  ExternalServiceError: 'ServiceUnavailableError',
  InternalError: 'ServiceFailureError',
}

function classOf(reason: string, errorType: string): keyof typeof firmquote | undefined {
  if (CONFLICT_REASONS.includes(reason)) return 'ConflictError'
  if (LEVELS_REASONS.includes(reason)) return 'LevelsRefusedError'
  return reason === 'outstanding_limit' ? 'OutstandingLimitError' : CLASSES[errorType]
}

test('every error of the interface has a class and a reaction', () => {
  const found = refusals()
  assert.ok(found.length > 40)
  for (const { name, status, value } of found) {
    const expected = REACTIONS_BY_REASON[name as firmquote.Reason]
    const { retry_after_ms: told, ...untold } = value
    const error = refusalFrom(status, JSON.stringify(untold), 'request-1', undefined)
    assert.equal(error.name, classOf(name, value.errorType), name)
    assert.ok(error instanceof firmquote.RefusedError && error instanceof firmquote.FirmquoteError)
    assert.deepEqual(error.reaction, { kind: expected === 'retry_if_told' ? 'give_up' : expected }, name)
    const later = refusalFrom(status, JSON.stringify({ ...value, retry_after_ms: 1500 }), 'request-1', 2000)
    const isRetried = expected === 'retry' || expected === 'retry_if_told'
    assert.deepEqual(later.reaction, isRetried ? { kind: 'retry', after_ms: 1500 } : { kind: expected }, name)
    assert.equal(told !== undefined, isRetried, name)
  }
})

test('a refusal has the bounds of what is served', () => {
  const { value } = refusals().find(({ name }) => name === 'too_large') ?? assert.fail()
  const { field, maxAmount, minAmount } = refusalFrom(400, JSON.stringify(value), 'r', undefined).details
  assert.deepEqual([field, maxAmount, minAmount], ['output_amount', 417333502887n, undefined])
})

test('what no service of this kind sends has the reaction of its status', () => {
  for (const [status, body, kind] of [
    [502, '<html>bad gateway</html>', 'retry'],
    [504, '', 'retry'],
    [429, '{}', 'retry'],
    [409, '', 'requote'],
    [409, '{"errorType":"Later","errorMessage":"a type of a later release"}', 'requote'],
    [409, '{"errorType":"BadData","errorMessage":""}', 'give_up'],
    [418, '{"errorType":"Later","errorMessage":"x"}', 'give_up'],
    [301, '', 'give_up'],
    [500, 'null', 'give_up'],
    [400, '{"errorType":"QuoteProblem","errorMessage":"x","errorCode":409,"reason":"a_later_reason"}', 'give_up'],
  ] as const) {
    assert.equal(refusalFrom(status, body, 'r', undefined).reaction.kind, kind, `${status} ${body}`)
  }
})

test('a conflict has what moved and a fresh quote', () => {
  const { value } = refusals().find(({ name }) => name === 'price') ?? assert.fail()
  const error = refusalFrom(400, JSON.stringify(value), 'request-1', undefined)
  assert.equal(error.freshQuote?.input_amount, 10n ** 18n)
  assert.equal(error.freshQuote?.id, value.fresh_quote.id)
  const { reason, movedBps, errorCode, errorType, requestId } = error.details
  assert.deepEqual(
    [reason, String(movedBps), errorCode, errorType, requestId],
    ['price', '3.1', 409, 'QuoteProblem', 'request-1'],
  )
  const broken = refusalFrom(400, JSON.stringify({ ...value, fresh_quote: { id: 'x' } }), 'r', undefined)
  assert.equal(broken.freshQuote, undefined)
  assert.equal(broken.reaction.kind, 'requote')
})

test('every invalid input is listed, with its digits', () => {
  const body =
    '{"errorMessage":"Invalid input data","errorType":"BadData","errorCode":422,"data":[' +
    '{"type":"string_type","loc":["quote_id"],"msg":"Input should be a string","input":12345678901234567890,"url":"u"},' +
    '{"type":"missing","loc":["amounts",1],"msg":"Field required","input":{"quote_id":1},"url":"v"}]}'
  const error = refusalFrom(400, body, 'r', undefined)
  assert.equal(
    error.message,
    'Invalid input data (HTTP 400); quote_id: Input should be a string; amounts.1: Field required',
  )
  assert.deepEqual(
    error.details.data.map(({ input }) => input),
    ['12345678901234567890', '{"quote_id":1}'],
  )
})

test('a message is one short line', () => {
  const body = JSON.stringify({ errorMessage: `a\nb${'c'.repeat(1000)}`, errorType: 'BadData' })
  const { message } = refusalFrom(400, body, 'r', undefined)
  assert.ok(message.startsWith('abc') && message.length < 320 && !message.includes('\n'))
})
