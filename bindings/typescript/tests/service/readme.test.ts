import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { decodeFunctionData, erc20Abi } from 'viem'
import { decodeCalldata } from '../../src/verify/index.js'
import { required, serviceClient } from '../support/environment.js'
import { PACKAGE, readText } from '../support/files.js'
import { stubNode } from '../support/stub-node.js'

const client = serviceClient()

test('the swap in 20 lines of the README runs unchanged', async (context) => {
  const [, program = assert.fail('there is no program')] =
    /<!-- swap -->\n```js\n(.*?)```/s.exec(readText('README.md')) ?? []
  const folder = new URL('build/readme/', PACKAGE)
  mkdirSync(folder, { recursive: true })
  const file = fileURLToPath(new URL('swap.mjs', folder))
  writeFileSync(file, program)

  const [chain = assert.fail()] = await client.chains()
  const [pool = assert.fail()] = await client.pools({ chain_id: chain.chain_id, fieldset: 'all' })
  const [pair = assert.fail()] = pool.pairs
  const asset = pool.assets.find(({ name }) => name === pair.assets[0]) ?? assert.fail()
  const node = await stubNode(context, chain.chain_id)
  const env = {
    ...process.env,
    FIRMQUOTE_URL: required('FIRMQUOTE_URL'),
    NODE_URL: node.url,
    PRIVATE_KEY: `0x${'42'.repeat(32)}`,
    POOL_SIGNER: pool.pool.signer_address,
    INPUT_SYMBOL: pair.assets[0],
    OUTPUT_SYMBOL: pair.assets[1],
    INPUT_AMOUNT: String((asset.balance ?? 0n) / 100_000n),
  }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 60_000 })
  assert.match(stdout, /^success: \d+ for \d+ in 0x[0-9a-f]{64}\n$/)

  const [approval, swap] = node.transactions
  assert.equal(node.transactions.length, 2)
  assert.equal(approval?.to?.toLowerCase(), asset.address.toLowerCase())
  const { args } = decodeFunctionData({ abi: erc20Abi, data: approval?.data ?? '0x' })
  assert.deepEqual([String(args?.[0]).toLowerCase(), String(args?.[1])], [swap?.to?.toLowerCase(), env.INPUT_AMOUNT])
  const call = decodeCalldata(swap?.data ?? '0x')
  assert.equal(call.functionName, 'transmitAndSwap')
  assert.equal(String(call.arguments['inputAmount']), env.INPUT_AMOUNT)
})
