import assert from 'node:assert/strict'
import test from 'node:test'
import { refusalFrom } from '../../src/errors/refusal.js'
import * as firmquote from '../../src/index.js'
import { refusals } from '../support/openapi.js'

/** Class and reaction of every error of the interface, without a `Retry-After`. */
const EXPECTED: Record<string, [kind: keyof typeof firmquote, reaction: string]> = {
  invalid_input: ['BadDataError', 'give_up'],
  unsupported: ['BadDataError', 'give_up'],
  body_too_slow: ['BadDataError', 'retry'],
  body_too_large: ['BadDataError', 'give_up'],
  media_type: ['BadDataError', 'give_up'],
  upgrade_required: ['BadDataError', 'give_up'],
  unknown_quote: ['QuoteProblemError', 'requote'],
  conflict: ['ConflictError', 'requote'],
  other_terms: ['QuoteProblemError', 'requote'],
  too_large: ['QuoteProblemError', 'give_up'],
  too_small: ['QuoteProblemError', 'give_up'],
  exhausted: ['QuoteProblemError', 'give_up'],
  swaps_disabled: ['QuoteProblemError', 'give_up'],
  paused: ['QuoteProblemError', 'give_up'],
  trade_limit: ['QuoteProblemError', 'give_up'],
  pool_limit: ['QuoteProblemError', 'give_up'],
  client_limit: ['QuoteProblemError', 'give_up'],
  outstanding_limit: ['OutstandingLimitError', 'give_up'],
  levels: ['LevelsRefusedError', 'requote'],
  no_credentials: ['UnauthorizedError', 'give_up'],
  bad_credentials: ['ForbiddenError', 'give_up'],
  basic_ended: ['ForbiddenError', 'give_up'],
  another_client: ['ForbiddenError', 'give_up'],
  destination_denied: ['ForbiddenError', 'give_up'],
  sender_denied: ['ForbiddenError', 'give_up'],
  no_route: ['NotFoundError', 'give_up'],
  no_status: ['NotFoundError', 'give_up'],
  method: ['MethodNotAllowedError', 'give_up'],
  anonymous_rate: ['RateLimitedError', 'retry'],
  credential_rate: ['RateLimitedError', 'retry'],
  failed_login_rate: ['RateLimitedError', 'retry'],
  quotes_held: ['RateLimitedError', 'retry'],
  internal: ['ServiceFailureError', 'give_up'],
  clock: ['ServiceUnavailableError', 'retry'],
  key: ['ServiceUnavailableError', 'retry'],
  logins_busy: ['ServiceUnavailableError', 'retry'],
  market: ['ServiceUnavailableError', 'retry'],
  shutting_down: ['ServiceUnavailableError', 'retry'],
  store: ['ServiceUnavailableError', 'retry'],
}

test('every error of the interface has a class and a reaction', () => {
  const found = refusals()
  assert.deepEqual([...new Set(found.map(({ name }) => name))].sort(), Object.keys(EXPECTED).sort())
  for (const { name, status, value } of found) {
    const [kind, reaction] = EXPECTED[name] ?? assert.fail(name)
    const error = refusalFrom(status, JSON.stringify(value), 'request-1', undefined)
    assert.equal(error.name, kind, name)
    assert.ok(error instanceof firmquote.RefusedError && error instanceof firmquote.FirmquoteError)
    assert.deepEqual(error.reaction, { kind: reaction }, name)
    // Time restores the limits of a pool or a client; nothing else about a quote is told when to come back.
    const isRestored = reaction === 'retry' || value.errorType === 'QuoteProblem'
    const later = refusalFrom(status, JSON.stringify(value), 'request-1', 2000)
    assert.deepEqual(later.reaction, isRestored ? { kind: 'retry', after_ms: 2000 } : { kind: reaction }, name)
  }
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
    [400, '{"errorType":"QuoteProblem","errorMessage":"x","errorCode":409,"reason":"a_later_reason"}', 'requote'],
  ] as const) {
    assert.equal(refusalFrom(status, body, 'r', undefined).reaction.kind, kind, `${status} ${body}`)
  }
})

test('a conflict has what moved and a fresh quote', () => {
  const { value } = refusals().find(({ name }) => name === 'conflict') ?? assert.fail()
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
