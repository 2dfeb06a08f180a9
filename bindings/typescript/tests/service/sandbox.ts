/**
 * Passes the checklist of a sandbox (docs/sandbox.md of the service) with this client: each fault is forced by a schedule, and
 * the reaction of the error says what to do. Prints the points and ends with an error unless all of them are passed.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import {
  FirmquoteClient,
  FirmquoteError,
  type LevelStream,
  type PoolData,
  type Quote,
  type Reaction,
  type SignedSwap,
  type SwapTerms,
} from '../../src/index.js'
import { assertVerified, verifySwap } from '../../src/verify/index.js'
import { required } from '../support/environment.js'
import { settled } from '../support/settlement.js'

const [baseUrl, apiKey] = [required('FIRMQUOTE_URL'), required('FIRMQUOTE_API_KEY')]
const client = new FirmquoteClient({ baseUrl, apiKey, retry: false })
const chain_id = 31337
const request = { chain_id, input_asset_symbol: 'ETH', output_asset_symbol: 'USDC', input_amount: 10n ** 17n }
const terms: SwapTerms = {
  destination_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  transmit: true,
  calldata: true,
}

await swap()
await conflict()
await expired()
await lostAnswer()
await cut()
await rateLimit()
await forged()
await gap()
await withdrawal()
await report()

/** Quotes, signs, sends, and follows the status until the swap is settled; one that lapses is a failure. */
async function swap(): Promise<void> {
  const quote = await client.quote(request)
  await send(await verified(quote))
  await settled(() => client.quoteStatus(quote.id))
}

async function conflict(): Promise<void> {
  const quote = await client.quote(request)
  const error = await refusal('conflict', () => client.signQuote(quote, terms), 'requote')
  assert(error.freshQuote !== undefined)
  await verified(error.freshQuote)
}

async function expired(): Promise<void> {
  const quote = await client.quote(request)
  await refusal('expired', () => client.signQuote(quote, terms), 'requote')
  await verified(await client.quote(request))
}

async function lostAnswer(): Promise<void> {
  const quote = await client.quote(request)
  await refusal('lost-answer', () => client.signQuote(quote, terms), 'retry')
  await verified(quote)
}

async function cut(): Promise<void> {
  await refusal('cut', () => client.quote(request), 'retry')
  await client.quote(request)
}

async function rateLimit(): Promise<void> {
  const error = await refusal('rate-limited=1', () => client.quote(request), 'retry')
  assert(error.reaction.kind === 'retry' && error.reaction.after_ms !== undefined)
  await delay(error.reaction.after_ms)
  await client.quote(request)
}

/** A signature by another key is not sent. */
async function forged(): Promise<void> {
  const quote = await client.quote(request)
  await schedule('forged')
  const swap = await client.signQuote(quote, terms)
  await schedule()
  await assert.rejects(verify(swap, quote))
  await send(await verified(await client.quote(request)))
}

/** A stream in which a message is missing is left, and another follows by itself. */
async function gap(): Promise<void> {
  await schedule('gap')
  for await (const change of levels()) if (change.kind === 'disconnected') break
  await schedule()
}

/** Books that are withdrawn disappear; a quote names one that is live. */
async function withdrawal(): Promise<void> {
  await schedule('withdraw')
  const stream = levels()
  let [wasLive, isWithdrawn, levels_id] = [false, false, '']
  for await (const _ of stream) {
    const [book] = stream.books()
    if (book !== undefined && isWithdrawn) {
      levels_id = book.levels_id
      break
    }
    wasLive ||= book !== undefined
    isWithdrawn = wasLive && book === undefined
  }
  await schedule()
  // Whether levels of a sandbox that comes and goes are kept does not matter: they are not the withdrawn ones.
  await client.quote({ ...request, levels_id }).catch((error: unknown) => {
    if (!(error instanceof FirmquoteError)) throw error
  })
}

async function report(): Promise<void> {
  const session = (await json('GET', '/sandbox/session')) as { checklist: { point: string; state: string }[] }
  for (const { point, state } of session.checklist) console.log(`${state.padEnd(7)} ${point}`)
  if (session.checklist.some(({ state }) => state !== 'passed')) process.exit(1)
}

/** Ends with an error if what is waited for does not happen within a minute. */
function levels(): LevelStream {
  return client.followLevels({ chain_id, pairs: [['ETH', 'USDC']] }, { signal: AbortSignal.timeout(60_000) })
}

/** Forces a fault for one call, which has to fail with an error of that reaction. */
async function refusal(
  fault: string,
  call: () => Promise<unknown>,
  reaction: Reaction['kind'],
): Promise<FirmquoteError> {
  await schedule(fault)
  const error = await call().then(
    () => undefined,
    (error: unknown) => error,
  )
  await schedule()
  assert(error instanceof FirmquoteError, `${fault} was not noticed`)
  assert.equal(error.reaction.kind, reaction, `${fault}: ${error.message}`)
  return error
}

/** Has a quote signed and checks the signature. */
async function verified(quote: Quote): Promise<SignedSwap> {
  const swap = await client.signQuote(quote, terms)
  await verify(swap, quote)
  return swap
}

async function verify(swap: SignedSwap, quote: Quote): Promise<void> {
  const { pool_address, state_id } = quote
  const pools = await client.pools({ chain_id, pool_address, state_id, fieldset: 'all' })
  const pool: PoolData = pools[0] ?? assert.fail('no pool')
  assertVerified(await verifySwap({ swap, quote, terms, pool, signer: pool.pool.signer_address }))
}

/** The response is 200 for a transaction that reverts as well: its `status` decides. */
async function send(swap: SignedSwap): Promise<void> {
  const transaction = { to: swap.service_exchange_address, data: swap.calldata }
  const receipt = (await json('POST', '/sandbox/transactions', transaction)) as {
    status: string
    reason: string | null
  }
  assert.equal(receipt.status, 'accepted', `the transaction reverted: ${receipt.reason}`)
}

/** From now on each request that a fault applies to gets it. */
async function schedule(...faults: string[]): Promise<void> {
  await json(
    'PUT',
    '/sandbox/schedule',
    faults.map((fault) => ({ fault, every: 1 })),
  )
}

async function json(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const response = await fetch(baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert(response.ok, text)
  return text === '' ? undefined : JSON.parse(text)
}
