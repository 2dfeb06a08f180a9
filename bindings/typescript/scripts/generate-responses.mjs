// Writes the types and decoders of the responses for TypeScript and Python from ../openapi.json; with `--print LANGUAGE`,
// prints those of one language instead.
import { readFileSync, writeFileSync } from 'node:fs'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const schemas = document.components.schemas

/** The notation of single values, by the name of its schema: type and decoder in TypeScript, type in Python. */
const VALUES = {
  Address: ['Address', 'address', 'Address'],
  Amount: ['bigint', 'amount', 'Amount'],
  Band: ['readonly [price: Decimal, size: Decimal]', 'pair(decimalText)', 'tuple[DecimalString, DecimalString]'],
  BaseUnits: ['bigint', 'baseUnits', 'BaseUnits'],
  BasisPoints: ['Decimal', 'decimal', 'Number'],
  Bytes32: ['Hex', 'bytes32', 'Bytes32'],
  Calldata: ['Hex', 'hexBytes', 'HexBytes'],
  ChainId: ['number', 'integer', 'int'],
  Decimals: ['number', 'integer', 'int'],
  DisplayNumber: ['number', 'float', 'Number'],
  Execution: ['Execution', 'execution', 'str'],
  GoodUntil: ['bigint', 'baseUnits', 'Word'],
  Knot: ['readonly [input: bigint, output: bigint]', 'pair(amount)', 'tuple[Amount, Amount]'],
  LevelsId: ['string', 'id', 'LevelsId'],
  PoolConstant: ['Decimal', 'decimal', 'Number'],
  Price: ['Decimal', 'decimal', 'Number'],
  QuoteId: ['string', 'uuid', 'QuoteId'],
  StateId: ['string', 'id', 'StateId'],
  Symbol: ['string', 'symbol', 'str'],
  SymbolPair: ['readonly [string, string]', 'pair(symbol)', 'tuple[str, str]'],
  UnixSeconds: ['number', 'integer', 'int'],
  Usd: ['Decimal', 'decimal', 'Number'],
  UtcTime: ['UtcTime', 'utcTime', 'datetime'],
  Weight: ['number', 'integer', 'int'],
}

/** The same of schemas without a name, by their type. */
const PLAIN = {
  boolean: ['boolean', 'flag', 'bool'],
  integer: ['number', 'integer', 'int'],
  string: ['string', 'text', 'str'],
}

/** Enumerations that are open: later releases may have more. */
const OPEN = new Set(['LevelSemantics'])

/** Python classes with the methods of an object. */
const METHODS = new Set(['LevelBook', 'QuotedSwap', 'Quote', 'SignedSwap'])

const nameOf = (reference) => reference.replace('#/components/schemas/', '')
const decoderName = (name) => name[0].toLowerCase() + name.slice(1)

/** The type in TypeScript, its decoder, and the type in Python. */
function notation(schema) {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    if (VALUES[name] !== undefined) return VALUES[name]
    const { enum: words } = schemas[name]
    if (OPEN.has(name)) return PLAIN.string
    return words === undefined ? [name, decoderName(name), name] : enumeration(words)
  }
  if (schema.oneOf !== undefined) return nullable(notation(schema.oneOf.find((one) => one.type !== 'null')))
  if (Array.isArray(schema.type)) return nullable(notation({ ...schema, type: schema.type[0] }))
  if (schema.type === 'array') {
    const [type, decoder, python] = notation(schema.items)
    const item = /[ |]/.test(type) ? `(${type})` : type
    return [`readonly ${item}[]`, `list(${decoder})`, `tuple[${python}, ...]`]
  }
  if (schema.maximum !== undefined) return ['number', `integerIn(${schema.minimum}, ${schema.maximum})`, 'int']
  return PLAIN[schema.type]
}

function enumeration(words) {
  const quoted = words.map((word) => `'${word}'`)
  return [quoted.join(' | '), `oneOf([${quoted.join(', ')}])`, 'str']
}

function nullable([type, decoder, python]) {
  return [`${type} | null`, `nullable(${decoder})`, `${python} | None`]
}

/** The objects in responses, each after those that it contains. Errors are read by hand, one member at a time. */
function objects() {
  const ordered = new Set()
  const add = (name) => {
    const { type, properties } = schemas[name]
    if (type !== 'object' || ordered.has(name)) return
    JSON.stringify(properties, (key, value) => {
      if (key === '$ref') add(nameOf(value))
      return value
    })
    ordered.add(name)
  }
  for (const name of Object.keys(schemas))
    if (!/^(ErrorObject|InvalidInput|(Onchain|Offchain|AllData)Response)$/.test(name)) add(name)
  return [...ordered].map((name) => ({ name, ...schemas[name] }))
}

const oneLine = (text) => text.replaceAll('\n', ' ')

function typescript() {
  const code = objects().map(({ name, description, properties, required }) => {
    const members = Object.entries(properties).map(([member, schema]) => {
      const isRequired = required.includes(member)
      const [type, decoder] = notation(schema)
      const about = schema.description ?? schema.oneOf?.find((one) => one.description)?.description
      const lines = about === undefined ? '' : `  /** ${oneLine(about)} */\n`
      return {
        type: `${lines}  readonly ${member}${isRequired ? '' : '?'}: ${type}\n`,
        decoder: `  ${member}: ${isRequired ? decoder : `optional(${decoder})`},\n`,
      }
    })
    const [types, decoders] = [members.map(({ type }) => type).join(''), members.map(({ decoder }) => decoder).join('')]
    const about = `/** ${oneLine(description)} */\n`
    return `${about}export interface ${name} {\n${types}}\n\nexport const ${decoderName(name)} = object<${name}>({\n${decoders}})\n`
  })
  const text = code.join('\n')
  const used = (names) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*\*.*?\*\//g, '')))
  const decode = used([
    'amount',
    'baseUnits',
    'decimal',
    'decimalText',
    'flag',
    'float',
    'integer',
    'integerIn',
    'list',
    'nullable',
    'object',
    'oneOf',
    'optional',
    'pair',
    'text',
  ])
  const types = used(['Address', 'Execution', 'Hex', 'UtcTime']).map((name) => `type ${name}`)
  const values = used(['address', 'bytes32', 'execution', 'hexBytes', 'id', 'symbol', 'utcTime', 'uuid'])
  return `// Generated from ../openapi.json by \`npm run generate\`. Do not edit.
import type { Decimal } from '../json/decimal.js'
import { ${decode.join(', ')} } from '../json/decode.js'
import { ${[...types, ...values].join(', ')} } from '../responses/values.js'

${text}`
}

function python() {
  const classes = objects().map(({ name, description, properties, required }) => {
    const base = METHODS.has(name) ? `(${name}Methods)` : ''
    const members = Object.entries(properties).map(([member, schema]) => {
      const isRequired = required.includes(member)
      const type = notation(schema)[2] + (isRequired ? '' : ' | None')
      const snake = member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const [named, absent] = [`metadata={"name": "${member}"}`, 'default=None']
      const options = [...(snake === member ? [] : [named]), ...(isRequired ? [] : [absent])]
      const value = options.length === 0 ? '' : snake === member ? ' = None' : ` = field(${options.join(', ')})`
      const about = schema.description ?? schema.oneOf?.find((one) => one.description)?.description
      const lines = about === undefined ? '' : `    """${oneLine(about)}"""\n`
      return `    ${snake}: ${type}${value}\n${lines}`
    })
    return `@dataclass(frozen=True, slots=True, kw_only=True)
class ${name}${base}:
    """${oneLine(description)}"""

${members.join('')}`
  })
  const text = classes.join('\n\n')
  const used = (names) =>
    names.filter((name) => new RegExp(`[:\\[ ]${name}\\b`).test(text.replaceAll(/""".*?"""/g, '')))
  const wire = used([
    'Address',
    'Amount',
    'BaseUnits',
    'Bytes32',
    'DecimalString',
    'HexBytes',
    'LevelsId',
    'Number',
    'QuoteId',
    'StateId',
    'Word',
  ])
  return `"""Responses of the service, generated from \`openapi.json\` by \`npm run generate\`. Do not edit."""
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from .methods import ${[...METHODS].map((name) => `${name}Methods`).join(', ')}
from .wire import ${wire.join(', ')}


${text}`
}

const TARGETS = {
  typescript: [typescript, '../src/api/responses.ts'],
  python: [python, '../../python/src/firmquote/types/responses.py'],
}
const [option, language] = process.argv.slice(2)
if (option === '--print') process.stdout.write(TARGETS[language][0]())
else for (const [text, file] of Object.values(TARGETS)) writeFileSync(new URL(file, import.meta.url), text())
