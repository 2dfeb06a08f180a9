/**
 * A page that requests a quote, recomputes it and follows the levels of its pair over `fetch`. What comes of it is in the
 * page: `#quote` (id, amounts), `#checks` (name and outcome of each), `#books` (those that are live), `#messages` (changes so
 * far), `#warnings` (of the console), and `#status`: `running`, `done` after the first books, or `failed: ...`.
 *
 * Parameters of its URL: `service`, `key`, and optionally `chain`, `input`, `output`, `amount`, and `allow=true`, which states
 * that the key may be seen. The origin of the page has to be in `cors_origins` of the service.
 */
import { FirmquoteClient, outputFor } from '../../src/index.js'
import { assertVerified, verifyQuote } from '../../src/verify/index.js'

const parameters = new URLSearchParams(location.search)
const parameter = (name: string, byDefault: string) => parameters.get(name) ?? byDefault
countWarnings()

try {
  const client = new FirmquoteClient({
    baseUrl: parameter('service', location.origin),
    apiKey: parameter('key', ''),
    allowBrowserCredentials: parameter('allow', 'false') === 'true',
  })
  const request = {
    chain_id: Number(parameter('chain', '1')),
    input_asset_symbol: parameter('input', 'ETH'),
    output_asset_symbol: parameter('output', 'USDC'),
    input_amount: BigInt(parameter('amount', '1000000000000000000')),
  }
  const { chain_id, input_asset_symbol, output_asset_symbol, input_amount } = request
  const quote = await client.quote(request)
  show('quote', `${quote.id}: ${quote.output_amount} for ${quote.input_amount}`)

  const { pool_address, state_id } = quote
  const [pool] = await client.pools({ chain_id, pool_address, state_id, fieldset: 'all' })
  if (pool === undefined) throw new Error('there are no pool data')
  const checks = verifyQuote({ request, quote, pool })
  show('checks', checks.map(({ name, outcome }) => `${name} ${outcome}`).join(', '))
  assertVerified(checks)

  let messages = 0
  const levels = client.followLevels({ chain_id, pairs: [[input_asset_symbol, output_asset_symbol]] })
  for await (const change of levels) {
    messages += 1
    show('messages', String(messages))
    const books = levels.books().map((book) => `${book.levels_id}: ${outputFor(book, input_amount) ?? 'out of range'}`)
    show('books', books.join(', '))
    if (change.kind === 'disconnected') show('status', `failed: ${change.cause?.message ?? 'the service said goodbye'}`)
    else if (books.length > 0) show('status', 'done')
  }
} catch (error) {
  show('status', `failed: ${error instanceof Error ? error.message : error}`)
}

/** Shows how often the console warns: once, unless `allow=true`. */
function countWarnings(): void {
  const warn = console.warn.bind(console)
  let warnings = 0
  console.warn = (...texts: unknown[]) => {
    warnings += 1
    show('warnings', String(warnings))
    warn(...texts)
  }
}

function show(id: string, text: string): void {
  const element = document.getElementById(id)
  if (element !== null) element.textContent = text
}
