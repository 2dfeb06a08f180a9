/**
 * Quotes and signs through several replicas of one service while something outside kills replicas and their store. Every
 * request goes to one replica after another until it is answered: a signature always for the same quote and the same terms.
 * Each signature is requested once more, from another replica, and has to be identical.
 *
 * FIRMQUOTE_URLS has the replicas, with commas between them; FIRMQUOTE_COUNT, or the first argument, the number of swaps;
 * FIRMQUOTE_DEADLINE_SECONDS the time for all of them, 120 by default. Prints a line of JSON for each swap, and one at the end.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  FirmquoteClient,
  FirmquoteError,
  type PoolData,
  type Quote,
  type QuoteRequest,
  type SignedSwap,
  type SwapTerms,
} from '../../src/index.js'
import { count, required } from '../support/environment.js'

const CONCURRENCY = 8
/** A few cents above the smallest trade, so that all of them fit into what may be outstanding. */
const VALUE_IN_CENTS = 50n
const FIRST_PAUSE_MS = 25
const MAX_PAUSE_MS = 500

const urls = required('FIRMQUOTE_URLS')
  .split(',')
  .map((url) => url.trim())
const apiKey = required('FIRMQUOTE_API_KEY')
if (process.argv[2] !== undefined) process.env['FIRMQUOTE_COUNT'] = process.argv[2]
const total = count('FIRMQUOTE_COUNT', 100)
const deadline = performance.now() + count('FIRMQUOTE_DEADLINE_SECONDS', 120) * 1000
const replicas = urls.map((baseUrl) => new FirmquoteClient({ baseUrl, apiKey, retry: false, timeoutMs: 3000 }))

let [started, finished, unconfirmed] = [0, 0, 0]
const pools = await catalogue()
const run = crypto.getRandomValues(new Uint8Array(12))
try {
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (unconfirmed > 0) console.error(`${unconfirmed} signatures expired before another replica answered`)
console.log(JSON.stringify({ done: finished }))

async function worker(): Promise<void> {
  while (started < total) {
    const index = started
    started += 1
    await exchange(index)
    finished += 1
  }
}

async function exchange(index: number): Promise<void> {
  const request = requestFor(index)
  const terms: SwapTerms = { destination_address: destination(index), transmit: true, calldata: true }
  let [quote, attempts] = [await answered(index, (replica) => replica.quote(request)), 0]
  for (;;) {
    const quoted = quote
    try {
      const sign = (replica: FirmquoteClient) => {
        attempts += 1
        return replica.signQuote(quoted, terms)
      }
      const swap = await answered(index, sign)
      await confirm(index + 1, quoted, terms, swap)
      const { destination_address, signature } = swap
      const line = { quote_id: quoted.id, destination: destination_address, signature, attempts }
      console.log(JSON.stringify(line))
      return
    } catch (error) {
      if (!(error instanceof FirmquoteError) || error.reaction.kind !== 'requote') throw error
      quote = error.freshQuote ?? (await answered(index, (replica) => replica.quote(request)))
    }
  }
}

/** Requests the signature once more, from the next replica: the same one, until the swap expires. */
async function confirm(index: number, quote: Quote, terms: SwapTerms, swap: SignedSwap): Promise<void> {
  try {
    const again = await answered(index, (replica) => replica.signQuote(quote, terms), quote.good_until * 1000)
    const [first, second] = [swap, again].map(({ signature: { v, r, s }, good_until }) => [v, r, s, good_until].join())
    if (first !== second) throw new Error(`quote ${quote.id} has two signatures: ${first} and ${second}`)
  } catch (error) {
    if (!(error instanceof FirmquoteError)) throw error
    if (Date.now() < quote.good_until * 1000) {
      throw new Error(`quote ${quote.id} is signed, and signing it again is refused: ${error.message}`)
    }
    unconfirmed += 1
  }
}

/** Asks one replica after another, from that of `index` on, until one answers. */
async function answered<T>(
  index: number,
  ask: (replica: FirmquoteClient) => Promise<T>,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const replica = replicas[(index + attempt) % replicas.length]
    if (replica === undefined) throw new Error('FIRMQUOTE_URLS has no replica')
    try {
      return await ask(replica)
    } catch (error) {
      if (!(error instanceof FirmquoteError) || error.reaction.kind !== 'retry' || Date.now() >= untilMs) throw error
      if (performance.now() >= deadline) throw new Error(`the deadline passed: ${error.message}`)
      // Every replica once with a short pause, then slower. A replica that names a time need not be asked before, but the
      // next one may answer at once.
      const round = Math.floor(attempt / replicas.length)
      await delay(Math.min(FIRST_PAUSE_MS * 2 ** Math.min(round, 10), MAX_PAUSE_MS))
    }
  }
}

/** The pools of the first chain, with their data. */
async function catalogue(): Promise<PoolData[]> {
  const chains = await answered(0, (replica) => replica.chains())
  const { chain_id } = chains[0] ?? { chain_id: 1 }
  return [...(await answered(0, (replica) => replica.pools({ chain_id, fieldset: 'all' })))]
}

/** A small swap; pools, pairs and directions take turns. */
function requestFor(index: number): QuoteRequest {
  const pool = pools[index % pools.length]
  const pair = pool?.pairs[Math.floor(index / 2) % pool.pairs.length]
  if (pool === undefined || pair === undefined) throw new Error('nothing is traded')
  const [input, output] = index % 2 === 0 ? pair.assets : [pair.assets[1], pair.assets[0]]
  const asset = pool.assets.find(({ name }) => name === input)
  const price = asset?.price_in_usd?.toUnits(8)
  if (asset === undefined || price === undefined) throw new Error(`${input} has no price`)
  const input_amount = (VALUE_IN_CENTS * 1_000_000n * 10n ** BigInt(asset.decimals)) / price
  const { chain_id, address: pool_address } = pool.pool
  return { chain_id, pool_address, input_asset_symbol: input, output_asset_symbol: output, input_amount }
}

/** An account of its own for each swap, so that no two offers are equal. */
function destination(index: number): `0x${string}` {
  const prefix = Array.from(run, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `0x${prefix}${(index + 1).toString(16).padStart(16, '0')}`
}
