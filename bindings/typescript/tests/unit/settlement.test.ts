import assert from 'node:assert/strict'
import test from 'node:test'
import type { QuoteStatus } from '../../src/index.js'
import { settled } from '../support/settlement.js'

test('following a swap ends when it is settled, and fails when it lapsed', async () => {
  const following = (...states: QuoteStatus['state'][]) =>
    settled(async () => ({ state: states.shift() ?? assert.fail('it was asked for after its end') }), 0)
  await following('created', 'signed', 'settled')
  await assert.rejects(following('signed', 'lapsed'), /expired without execution/)
})
