// An ESM program with the client alone.
import { FirmquoteClient } from 'firmquote-client'

const client = new FirmquoteClient({ baseUrl: process.env.FIRMQUOTE_URL, apiKey: 'a-key-of-the-stub' })
const request = { chain_id: 1, input_asset_symbol: 'ETH', output_asset_symbol: 'USDC', input_amount: 10n ** 18n }
console.log(String((await client.quote(request)).output_amount))
