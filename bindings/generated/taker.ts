/** Takes a swap with the client that openapi-generator makes for TypeScript, and prints its transaction. */

import assert from 'node:assert/strict'
import process from 'node:process'
import { Configuration, ErrorObjectFromJSON, ResponseError, Version2Api } from './output/typescript-fetch/index'

const { FIRMQUOTE_URL: basePath = '', FIRMQUOTE_API_KEY: apiKey = '', DESTINATION: destinationAddress = '' } = process.env
const api = new Version2Api(new Configuration({ basePath, apiKey }))
const pair = { chainId: 31337, inputAssetSymbol: 'ETH', outputAssetSymbol: 'USDC' }

async function main(): Promise<void> {
  const quote = await api.quoteV2({ ...pair, inputAmount: '1000000000000000000' })
  const terms = { quoteId: quote.id, destinationAddress, nativeInput: true, calldata: true }
  const signed = await api.signV2({ signV2Request: terms })
  assert.equal(signed.outputAmount, quote.outputAmount)
  assert.equal((await api.quoteStatusV2({ quoteId: quote.id })).state, 'signed')
  const error: unknown = await api.quoteV2({ ...pair, inputAmount: '1' }).catch((caught: unknown) => caught)
  assert.ok(error instanceof ResponseError)
  const refused = ErrorObjectFromJSON(await error.response.json())
  assert.equal(refused.reason, 'too_small')
  assert.ok(BigInt(refused.minAmount ?? 0) > 1n)
  console.log(JSON.stringify({ to: signed.serviceExchangeAddress, data: signed.calldata, value: signed.inputAmount }))
}

void main()
