import assert from 'node:assert/strict'
import test from 'node:test'
import { Decimal } from '../../src/json/decimal.js'
import { JsonNumber, type JsonValue, readJson, writeJson } from '../../src/json/reader.js'

test('numbers keep every digit', () => {
  for (const digits of [
    '0',
    '-1',
    '9007199254740993',
    '464129247167676435',
    '0.060000000000000001',
    '1.3792871898369242e+24',
    '1E-7',
  ]) {
    const value = readJson(` ${digits} `)
    assert.ok(value instanceof JsonNumber)
    assert.equal(value.text, digits)
  }
})

test('a document is read as JSON.parse reads it', () => {
  const text = ' {"a":[1,{"b":null},[]],"\\u00e9\\n":"\\ud83d\\ude00 \\" \\/","t":true,"f":false,"":{}} '
  assert.deepEqual(plain(readJson(text)), JSON.parse(text))
  assert.deepEqual(JSON.parse(writeJson(readJson(text))), JSON.parse(text))
})

test('a member called __proto__ is only a member', () => {
  const value = readJson('{"__proto__":{"polluted":1}}') as ReadonlyMap<string, JsonValue>
  assert.ok(value.get('__proto__') instanceof Map)
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})

test('what is not JSON is refused', () => {
  const texts = [
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '.5',
    '+1',
    'NaN',
    'nul',
    '1 2',
    '"\n"',
    '"\\x"',
    '[1}',
    '{"a" 1}',
  ]
  for (const text of [...texts, '{"a":1,"a":2}', '['.repeat(40) + ']'.repeat(40)]) {
    assert.throws(() => readJson(text), SyntaxError, text)
  }
})

test('decimals are exact, in both notations', () => {
  for (const [text, written, units, decimals] of [
    ['0.06', '0.06', 6n, 2],
    ['2080.5270', '2080.527', 2080527n, 3],
    ['1e-7', '0.0000001', 1n, 7],
    ['1.5E+3', '1500', 1500n, 0],
    ['-0.10', '-0.1', -1n, 1],
    ['0.000', '0', 0n, 0],
    ['464129247167676435', '464129247167676435', 464129247167676435n, 0],
  ] as const) {
    const value = Decimal.parse(text)
    assert.deepEqual([value.toString(), value.units, value.decimals], [written, units, decimals])
  }
  for (const text of ['', '1,5', ' 1', '1.', '.5', '0x10', 'Infinity', '1e999', '--1']) {
    assert.throws(() => Decimal.parse(text), RangeError, text)
  }
})

test('a decimal is never rounded to a number of units', () => {
  assert.equal(Decimal.parse('2080.527').toUnits(8), 208_052_700_000n)
  assert.equal(Decimal.parse('8.63').toUnits(2), 863n)
  assert.throws(() => Decimal.parse('0.000000001').toUnits(8), RangeError)
})

test('decimals compare by value', () => {
  const order = ['-1', '-0.5', '0', '0.01', '0.1', '1', '10.5'].map(Decimal.parse)
  for (const [index, a] of order.entries()) {
    for (const [other, b] of order.entries()) assert.equal(a.compare(b), Math.sign(index - other))
  }
  assert.ok(Decimal.parse('1.10').equals(Decimal.parse('1.1')))
})

function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, member]) => [name, plain(member as JsonValue)]))
  return Array.isArray(value) ? value.map(plain) : value
}
