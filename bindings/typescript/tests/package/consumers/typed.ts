// A TypeScript program with both entry points; compiles only if their types are found and exact.
import { type Decimal, FirmquoteClient, FirmquoteError, type Quote, type Reaction } from 'firmquote-client'
import { type Check, functionFor, verifyQuote } from 'firmquote-client/verify'

async function main(): Promise<void> {
  const baseUrl =
    (globalThis as unknown as { process: { env: Record<string, string> } }).process.env['FIRMQUOTE_URL'] ?? ''
  const client = new FirmquoteClient({ baseUrl, apiKey: 'a-key-of-the-stub' })
  const request = { chain_id: 1, input_asset_symbol: 'ETH', output_asset_symbol: 'USDC', input_amount: 10n ** 18n }
  try {
    const quote: Quote = await client.quote(request)
    const fee: Decimal = quote.fee_in_basis_points
    const verify: (verification: Parameters<typeof verifyQuote>[0]) => Check[] = verifyQuote
    // @ts-expect-error an amount is no number
    const amount: number = quote.output_amount
    console.log(`${amount} ${fee} ${functionFor({ transmit: true })} ${typeof verify}`)
  } catch (error) {
    const reaction: Reaction | undefined = error instanceof FirmquoteError ? error.reaction : undefined
    console.log(error, reaction?.kind)
  }
}

void main()
