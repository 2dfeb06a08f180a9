// A CommonJS program with the client alone.
const { FirmquoteClient } = require('firmquote-client')

const client = new FirmquoteClient({ baseUrl: process.env.FIRMQUOTE_URL, apiKey: 'a-key-of-the-stub' })
const request = { chain_id: 1, input_asset_symbol: 'ETH', output_asset_symbol: 'USDC', input_amount: 10n ** 18n }
client.quote(request).then((quote) => console.log(String(quote.output_amount)))
