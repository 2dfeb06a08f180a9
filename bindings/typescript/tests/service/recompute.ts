/**
 * Requests random quotes of every pool, pair, direction and size, and recomputes each to the base unit. Ends with an error at
 * the first difference. FIRMQUOTE_QUOTES, or `--quotes N`, is their number; 10,000 by default. FIRMQUOTE_SEED repeats a run.
 */
import {
  type FirmquoteClient,
  type FixedAmount,
  type PairFee,
  type PoolData,
  QuoteProblemError,
} from '../../src/index.js'
import { offerOf, recompute, verifyQuote } from '../../src/verify/index.js'
import { count, serviceClient } from '../support/environment.js'

const flag = process.argv.indexOf('--quotes')
if (flag > 0) process.env['FIRMQUOTE_QUOTES'] = process.argv[flag + 1] ?? ''
const wanted = count('FIRMQUOTE_QUOTES', 10_000)
const seed = count('FIRMQUOTE_SEED', (Date.now() % 1_000_000) + 1)
const random = generator(seed)
const client = serviceClient()
const states = new Map<string, PoolData>()

let [recomputed, refused, lowered, spentMs] = [0, 0, 0, 0]
const chains = await client.chains()
const pools = chains.flatMap(({ chain_id, pools }) => pools.map(({ address }) => ({ chain_id, address })))
const catalogue = await Promise.all(pools.map((pool) => poolData(client, pool.chain_id, pool.address)))
while (recomputed < wanted) {
  if (refused > 20 * wanted + 1000) fail('almost every amount is refused')
  const pool = pick(catalogue)
  const pair = pick(pool.pairs)
  await one(pool, pair, random() < 0.5)
}
console.log(`${recomputed} quotes recomputed`)
const micros = ((spentMs * 1000) / recomputed).toFixed(0)
console.error(
  `seed ${seed}, ${refused} refusals, ${lowered} lower than the formula, ${micros} us for each recomputation`,
)

async function one(pool: PoolData, { assets }: PairFee, isForward: boolean): Promise<void> {
  const [input_asset_symbol, output_asset_symbol] = isForward ? assets : [assets[1], assets[0]]
  const fixed = randomAmount(pool, input_asset_symbol, output_asset_symbol)
  const { chain_id, address: pool_address } = pool.pool
  const request = { chain_id, pool_address, input_asset_symbol, output_asset_symbol, ...fixed }
  try {
    const quote = await client.quote(request)
    const state = await stateOf(chain_id, pool_address, quote.state_id)
    const curve = offerOf(state, input_asset_symbol, output_asset_symbol, quote.fee_in_basis_points)
    if (curve === undefined) fail(`quote ${quote.id}: the pool data of its state lack an asset`)
    const started = performance.now()
    recompute(curve, request)
    spentMs += performance.now() - started
    const checks = verifyQuote({ request, quote, pool: state })
    lowered += checks.filter(({ outcome }) => outcome === 'lower').length
    const failed = checks.find(({ outcome }) => outcome !== 'ok' && outcome !== 'lower')
    if (failed !== undefined) {
      const asked = JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      fail(`quote ${quote.id} of ${asked}: ${failed.name} ${failed.outcome}: ${failed.detail}; seed ${seed}`)
    }
    recomputed += 1
  } catch (error) {
    // Too small, or too large.
    if (!(error instanceof QuoteProblemError)) throw error
    refused += 1
  }
}

/** An amount of either side, from a ten-millionth of the reserve to three tenths of it, all magnitudes equally likely. */
function randomAmount(pool: PoolData, input: string, output: string): FixedAmount {
  const isInput = random() < 0.5
  const balance = pool.assets.find(({ name }) => name === (isInput ? input : output))?.balance ?? 1n
  const share = BigInt(Math.floor(10 ** (2 + 6.5 * random())))
  const digits = BigInt(Math.floor(random() * 1_000_000))
  const amount = (balance * (share * 1_000_000n + digits)) / 10n ** 15n + 1n
  return isInput ? { input_amount: amount } : { output_amount: amount }
}

/** The pool data of a state, requested once. */
async function stateOf(chainId: number, pool: `0x${string}`, state: string): Promise<PoolData> {
  const known = states.get(state) ?? (await poolData(client, chainId, pool, state))
  states.set(state, known)
  return known
}

async function poolData(from: FirmquoteClient, chain_id: number, pool_address: `0x${string}`, state_id?: string) {
  const request = { chain_id, pool_address, fieldset: 'all' as const, ...(state_id !== undefined && { state_id }) }
  const [record] = await from.pools(request)
  return record ?? fail('there are no pool data')
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] ?? fail('there is nothing to choose from')
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** Random numbers from 0 to 1 that a seed repeats (mulberry32). */
function generator(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}
