import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import type * as client from '../../src/index.js'
import type { Pair, SigningDomain } from '../../src/responses/pools.js'
import { PACKAGE, readDocument, readText } from '../support/files.js'

type Schemas = client.components['schemas']

/** The names of the members, and which of them may be absent or null. */
type Shape<T> = { [K in keyof T]: null extends T[K] ? 'nullable' : 'present' }
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Follows<Type, Schema> = IsSame<Shape<Flat<Type>>, Shape<Mutable<Schema>>>
type Flat<T> = { -readonly [K in keyof T]: T[K] }
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Compiles only if every type has the members of its schema. */
const follows: Record<string, true> = {
  Quote: true satisfies Follows<client.Quote, Schemas['Quote']>,
  SignedSwap: true satisfies Follows<client.SignedSwap, Schemas['SignedSwap']>,
  QuotedAndSignedSwap: true satisfies Follows<client.QuotedSwap, Schemas['QuotedAndSignedSwap']>,
  Signature: true satisfies Follows<client.Signature, Schemas['Signature']>,
  QuoteStatus: true satisfies Follows<client.QuoteStatus, Schemas['QuoteStatus']>,
  Settlement: true satisfies Follows<client.Settlement, Schemas['Settlement']>,
  QuoteGrid: true satisfies Follows<client.QuoteGrid, Schemas['QuoteGrid']>,
  QuoteGridRow: true satisfies Follows<client.QuoteGridRow, Schemas['QuoteGridRow']>,
  Chains: true satisfies Follows<{ chains: readonly client.Chain[] }, Schemas['Chains']>,
  Chain: true satisfies Follows<client.Chain, Schemas['Chain']>,
  TradedPool: true satisfies Follows<client.TradedPool, Schemas['TradedPool']>,
  TradedAsset: true satisfies Follows<client.TradedAsset, Schemas['TradedAsset']>,
  OnchainRecord: true satisfies Follows<client.OnchainRecord, Schemas['OnchainRecord']>,
  OffchainRecord: true satisfies Follows<client.OffchainRecord, Schemas['OffchainRecord']>,
  AllRecord: true satisfies Follows<client.AllRecord, Schemas['AllRecord']>,
  OnchainPool: true satisfies Follows<client.OnchainPool, Schemas['OnchainPool']>,
  OffchainPool: true satisfies Follows<client.OffchainPool, Schemas['OffchainPool']>,
  AllPool: true satisfies Follows<client.AllRecord['pool'], Schemas['AllPool']>,
  OnchainAsset: true satisfies Follows<client.OnchainAsset, Schemas['OnchainAsset']>,
  OffchainAsset: true satisfies Follows<client.OffchainAsset, Schemas['OffchainAsset']>,
  AllAsset: true satisfies Follows<client.AllRecord['assets'][number], Schemas['AllAsset']>,
  Pair: true satisfies Follows<Pair, Schemas['Pair']>,
  SigningDomain: true satisfies Follows<SigningDomain, Schemas['SigningDomain']>,
  Levels: true satisfies Follows<client.LevelsSnapshot, Schemas['Levels']>,
  LevelBook: true satisfies Follows<client.LevelBook, Schemas['LevelBook']>,
  WithdrawnLevels: true satisfies Follows<client.WithdrawnLevels, Schemas['WithdrawnLevels']>,
}

/** Schemas of single values, of unions and wrappers of the above, and of errors, which errors.test.ts covers. */
const OTHERS =
  /^(Address|Amount|BaseUnits|Bytes32|LevelsId|QuoteId|StateId|UtcTime|Pools?(Onchain|Offchain|All)?|InvalidInput|\w+Error)$/

test('every schema of a response has a type that is checked against it', () => {
  const names = Object.keys(readDocument('../openapi.json').components.schemas)
  assert.deepEqual(names.filter((name) => !OTHERS.test(name)).sort(), Object.keys(follows).sort())
})

for (const [script, file] of [
  ['generate-types', 'src/api/openapi.ts'],
  ['generate-collection', '../firmquote.postman_collection.json'],
] as const) {
  test(`${file} is generated from the committed document`, () => {
    const path = fileURLToPath(new URL(`scripts/${script}.mjs`, PACKAGE))
    const generated = execFileSync(process.execPath, [path, '--print'], { encoding: 'utf8', maxBuffer: 1 << 24 })
    assert.equal(generated, readText(file), 'run `npm run generate`')
  })
}

test('the versions of package, source and document agree', async () => {
  const { API_VERSION, CLIENT_VERSION } = await import('../../src/index.js')
  assert.equal(CLIENT_VERSION, readDocument('package.json').version)
  assert.equal(API_VERSION, readDocument('../openapi.json').info.version)
})
