import assert from 'node:assert/strict'
import test from 'node:test'
import type { LevelBook } from '../../src/api/responses.js'
import { readJson } from '../../src/json/reader.js'
import { isConcave, type Knot, levelBook, outputFor } from '../../src/levels/book.js'
import { LiveBooks } from '../../src/levels/live-books.js'
import { readMessage } from '../../src/levels/messages.js'
import { EventDecoder } from '../../src/stream/sources.js'
import { bookMessage, helloMessage } from '../support/levels.js'

const KNOTS: Knot[] = [
  [48_064_898_581_732n, 99_926n],
  [11_976_241_022_468_383_609n, 24_834_545_549n],
  [45_803_982_080_244_949_929n, 94_264_436_668n],
]

test('an output is the straight line between two knots, rounded down', () => {
  for (const [input, output] of [
    [48_064_898_581_731n, undefined],
    [48_064_898_581_732n, 99_926n],
    // 99926 + floor(999951935101418268 * 24834445623 / 11976192957569801877)
    [10n ** 18n, 2_073_651_349n],
    [11_976_241_022_468_383_609n, 24_834_545_549n],
    [11_976_241_022_468_383_610n, 24_834_545_549n],
    [45_803_982_080_244_949_929n, 94_264_436_668n],
    [45_803_982_080_244_949_930n, undefined],
  ] as const) {
    assert.equal(outputFor({ knots: KNOTS }, input), output, String(input))
  }
  assert.equal(outputFor({ knots: [[5n, 7n]] }, 5n), 7n)
  assert.equal(outputFor({}, 5n), undefined)
})

test('products of amounts of any size are exact', () => {
  const knots: Knot[] = [
    [1n, 1n],
    [2n ** 255n, 2n ** 254n],
  ]
  assert.equal(outputFor({ knots }, 2n ** 254n + 1n), 1n + (2n ** 254n * (2n ** 254n - 1n)) / (2n ** 255n - 1n))
})

test('a book whose prices rise, or whose knots fall, is refused', () => {
  assert.ok(isConcave(KNOTS))
  assert.ok(
    isConcave([
      [1n, 2n],
      [2n, 4n],
      [3n, 6n],
    ]),
  )
  assert.ok(isConcave([[1n, 1n]]))
  for (const knots of [
    [],
    [
      [1n, 2n],
      [2n, 4n],
      [3n, 7n],
    ],
    [
      [2n, 2n],
      [1n, 3n],
    ],
    [
      [1n, 2n],
      [2n, 2n],
    ],
  ] as Knot[][]) {
    assert.ok(!isConcave(knots))
  }
  const knots = [
    ['1', '2'],
    ['2', '4'],
    ['3', '7'],
  ]
  for (const semantics of ['cumulative_input_output_floor', 'later'])
    assert.throws(() => readMessage(bookMessage(1, { semantics, knots })), /prices within a book must not rise/)
})

test('a book of bands has exact prices and sizes', () => {
  const bands = {
    semantics: 'incremental_price_size',
    knots: undefined,
    bands: [['2078.98077284', '0.000048064898581732']],
  }
  const { message } = readMessage(bookMessage(1, bands))
  assert.ok(message.type === 'book')
  assert.deepEqual(message.book.bands?.[0]?.map(String), ['2078.98077284', '0.000048064898581732'])
  assert.equal(outputFor(message.book, 10n ** 18n), undefined)
})

test('a book ends after its period, or by the clock of the service, whichever is first', () => {
  for (const [helloAt, serverTime, arrivesAt, published, validUntil, end] of [
    // Fresh: the period counts.
    [0, 1000, 0, 1000, 6000, 5000],
    // Published 4 s before the snapshot: the clock counts.
    [0, 5000, 0, 1000, 6000, 1000],
    // On its way for 3 s.
    [0, 1000, 3000, 1000, 6000, 5000],
    // Published later than it could be sent: the period counts.
    [0, 1000, 500, 2000, 6000, 4500],
  ] as const) {
    const books = new LiveBooks()
    books.apply(readMessage(helloMessage(1, serverTime)).message, helloAt)
    books.apply(readMessage(bookMessage(2, { published_ms: published, valid_until_ms: validUntil })).message, arrivesAt)
    assert.equal(books.nextExpiry, end)
    assert.equal(books.at(end - 1).length, 1)
    assert.equal(books.at(end).length, 0)
    assert.ok(!books.dropExpired(end - 1))
    assert.ok(books.dropExpired(end))
    assert.ok(!books.dropExpired(end))
  }
})

test('a book replaces that of its pool and direction, a renewal extends it, a withdrawal ends it', () => {
  const books = new LiveBooks()
  const apply = (json: string, now: number) => books.apply(readMessage(json).message, now)
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string]
  const reverse = { input_asset_symbol: 'USDC', output_asset_symbol: 'ETH' }
  apply(helloMessage(1, 1000), 0)
  apply(bookMessage(2, { levels_id: a, published_ms: 1000, valid_until_ms: 6000 }), 0)
  apply(bookMessage(3, { levels_id: b, published_ms: 1000, valid_until_ms: 6000, ...reverse }), 0)
  apply(bookMessage(4, { levels_id: c, published_ms: 1500, valid_until_ms: 6500 }), 500)
  assert.deepEqual(ids(books.at(500)), [c, b])
  const renewal = { type: 'renew', n: 5, levels_ids: [c], as_of_ms: 3000, published_ms: 3000, valid_until_ms: 9000 }
  assert.ok(apply(JSON.stringify(renewal), 2000))
  assert.deepEqual(ids(books.at(7999)), [c])
  assert.equal(books.at(7999)[0]?.valid_until_ms, 9000)
  assert.ok(apply(JSON.stringify({ type: 'withdraw', n: 6, levels_ids: [c], reason: 'paused' }), 3000))
  assert.deepEqual(ids(books.at(3000)), [b])
  assert.ok(!apply(JSON.stringify({ type: 'heartbeat', n: 7, server_time_ms: 1 }), 3000))
  assert.ok(!apply(JSON.stringify({ type: 'a_later_type', n: 8 }), 3000))
  books.clear()
  assert.deepEqual(books.at(0), [])
})

test('events are found wherever the stream is cut', () => {
  const text =
    ': comment\r\nid: e-1\nevent: hello\ndata: {"a":1}\n\ndata: one\rdata:two\r\n\r\nid: only\n\ndata: three\n\n'
  const expected = ['{"a":1}', 'one\ntwo', 'three']
  for (let size = 1; size <= text.length; size += 1) {
    const decoder = new EventDecoder()
    const found: string[] = []
    for (let start = 0; start < text.length; start += size) found.push(...decoder.take(text.slice(start, start + size)))
    assert.deepEqual(found, expected, `in pieces of ${size}`)
  }
})

test('an event without an end is refused', () => {
  assert.throws(() => new EventDecoder().take('d'.repeat(70_000)), RangeError)
  const decoder = new EventDecoder()
  assert.throws(() => {
    for (let count = 0; count < 100; count += 1) decoder.take(`data: ${'x'.repeat(1000)}\n`)
  }, RangeError)
})

test('the book of a snapshot and that of a stream are the same', () => {
  const { message } = readMessage(bookMessage(1))
  assert.ok(message.type === 'book')
  assert.deepEqual(message.book, levelBook(readJson(bookMessage(1)), 'book'))
})

function ids(books: readonly LevelBook[]): string[] {
  return books.map(({ levels_id }) => levels_id)
}
