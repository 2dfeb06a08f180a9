/** Examples of the OpenAPI document, and the requests that its quote and signature answer. */
import { examples, operations } from './openapi.js'

export const example = (id: string) => examples(operations().find((operation) => operation.id === id)?.operation)[0]

export const QUOTE = example('quote_v2')
export const SIGNED = example('sign_v2')
export const REQUEST = {
  chain_id: QUOTE.chain_id,
  input_asset_symbol: 'ETH',
  output_asset_symbol: 'USDC',
  input_amount: BigInt(QUOTE.input_amount),
}
export const TERMS = { destination_address: SIGNED.destination_address, calldata: SIGNED.calldata !== undefined }
