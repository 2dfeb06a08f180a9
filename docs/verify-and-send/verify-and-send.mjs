// @ts-check
// Has a swap of two tokens quoted and signed, checks all of it against what is pinned in the environment, and sends it.
import { readFileSync } from 'node:fs'
import * as viem from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

let step = 'preparation'
process.on('uncaughtException', (/** @type {any} */ error) => {
  console.error(`stopped at the ${step}: ${error.shortMessage ?? error.message}${error.details ? ` (${error.details})` : ''}`)
  process.exit(1)
})
/** @type {(message: string) => never} */
const stop = (message) => { throw new Error(message) }
/** Whether `found` has these members; hex in any case. @type {(found: any, expected: object) => void} */
const same = (found, expected) => {
  for (const [name, value] of Object.entries(expected))
    if (String(found?.[name]).toLowerCase() !== String(value).toLowerCase()) stop(`${name} is ${found?.[name]}, not ${value}`)
}
/** @type {(name: string) => any} */
const env = (name) => process.env[name] || stop(`the variable ${name} is not set`)
/** @type {(name: string) => any} */
const file = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
/** @type {(path: string, body?: object) => Promise<any>} */
const ask = async (path, body) => {
  const answer = await fetch(env('FIRMQUOTE_URL') + path, {
    method: body ? 'POST' : 'GET', body: body && JSON.stringify(body), signal: AbortSignal.timeout(10_000), redirect: 'error',
    headers: { 'x-api-key': env('FIRMQUOTE_API_KEY'), 'content-type': 'application/json' },
  })
  return answer.ok ? answer.json() : stop(`HTTP ${answer.status}: ${await answer.text()}`)
}

const [abi, typedData] = [file('abi.json'), file('typed-data.json')]
const [pool, signer] = [viem.getAddress(env('POOL')), viem.getAddress(env('POOL_SIGNER'))]
const [input, output] = [viem.getAddress(env('INPUT_TOKEN')), viem.getAddress(env('OUTPUT_TOKEN'))]
const [inputAmount, minimum, chainId] = [BigInt(env('INPUT_AMOUNT')), BigInt(env('MIN_OUTPUT_AMOUNT')), Number(env('CHAIN_ID'))]
const timeInSeconds = 120 // from the last moment to sign until the swap is on chain: room for the approval
const account = privateKeyToAccount(env('PRIVATE_KEY'))
const taker = account.address
const [nativeCurrency, rpcUrls] = [{ name: 'native', symbol: '', decimals: 18 }, { default: { http: [env('NODE_URL')] } }]
const chain = viem.defineChain({ id: chainId, name: 'chain', nativeCurrency, rpcUrls })
const node = viem.createPublicClient({ chain, transport: viem.http(), pollingInterval: 500 })
const wallet = viem.createWalletClient({ account, chain, transport: viem.http() })
same({ 'chain of the node': await node.getChainId() }, { 'chain of the node': chainId })

step = 'quote' // what was asked for, enough output, still open, valid for as long as asked
const query = new URLSearchParams({
  input_asset_symbol: env('INPUT_SYMBOL'), output_asset_symbol: env('OUTPUT_SYMBOL'), pool_address: pool,
  input_amount: String(inputAmount), time_in_seconds: String(timeInSeconds),
})
const quote = await ask(`/rfq/v2/quote/${chainId}?${query}`)
const asked = { chain_id: chainId, input_asset_address: input, output_asset_address: output, input_amount: inputAmount }
const mustAcceptBy = Date.parse(quote.must_accept_by.replace(' ', 'T'))
const expiry = Math.floor(mustAcceptBy / 1000) + timeInSeconds
same(quote, { ...asked, good_until: expiry })
const outputAmount = BigInt(quote.output_amount)
if (outputAmount < minimum) stop(`output_amount is ${outputAmount}, less than ${minimum}`)
if (mustAcceptBy <= Date.now()) stop(`must_accept_by is ${quote.must_accept_by}, which is over`)

step = 'signature' // for these terms, by the pinned signer, for the pinned pool
const auxData = viem.pad(`0x${quote.id.replaceAll('-', '')}`, { size: 32, dir: 'right' })
const terms = { destination_address: taker, aux_data: auxData, transmit: true, calldata: true }
const signed = await ask('/rfq/v2/sign', { quote_id: quote.id, ...terms })
same(signed, { ...asked, output_amount: outputAmount, destination_address: taker, service_exchange_address: pool })
const goodUntil = BigInt(signed.good_until)
const packed = goodUntil > 32503708800n // else it is the plain Unix second
same({ expiry: packed ? goodUntil & 0xffffffffn : goodUntil }, { expiry })
if (packed) { // from high to low: prices in 8 decimals, k in 18, weights; the pool holds the swap against them
  const prices = [192n, 128n].map((shift) => BigInt.asUintN(64, goodUntil >> shift))
  const weights = [48n, 32n].map((shift) => BigInt.asUintN(16, goodUntil >> shift))
  console.log(`signed over prices ${prices}, k ${BigInt.asUintN(64, goodUntil >> 64n)}, weights ${weights}`)
}
const { v, r, s } = signed.signature
const domain = { name: env('DOMAIN_NAME'), version: env('DOMAIN_VERSION'), chainId, verifyingContract: pool }
const message = {
  input_token: input, output_token: output, input_amount: inputAmount, output_amount: outputAmount,
  good_until: goodUntil, destination_address: taker,
}
const signature = { r, s, v: BigInt(v), yParity: v - 27 }
same({ signer: await viem.recoverTypedDataAddress({ ...typedData, domain, message, signature }) }, { signer })

step = 'calldata' // the call that pulls the input, with these arguments
const { functionName, args = [] } = viem.decodeFunctionData({ abi, data: signed.calldata })
const swap = { inputToken: input, outputToken: output, inputAmount, outputAmount, goodUntil, destinationAddress: taker }
same({ functionName }, { functionName: 'transmitAndSwap' })
same(Object.fromEntries(Object.keys(swap).map((name, index) => [name, args[index]])), swap)
same({ .../** @type {object} */ (args[6]), auxiliaryData: args[7] }, { v, r, s, auxiliaryData: auxData })

step = 'approval' // of what the swap takes, and no more
const erc20 = { abi: viem.erc20Abi, address: input }
if (await node.readContract({ ...erc20, functionName: 'allowance', args: [taker, pool] }) < inputAmount) {
  const approval = await wallet.writeContract({ ...erc20, functionName: 'approve', args: [pool, inputAmount] })
  same(await node.waitForTransactionReceipt({ hash: approval }), { status: 'success' })
}

step = 'transaction'
const transaction = { to: pool, data: signed.calldata }
const gas = await node.estimateGas({ account, ...transaction }) // runs it, and fails where it would revert
const hash = await wallet.sendTransaction({ ...transaction, gas: gas * 12n / 10n })
const { status, blockNumber, logs } = await node.waitForTransactionReceipt({ hash })
same({ [hash]: status }, { [hash]: 'success' })

step = 'outcome' // the pool's event, and the balance across the block
const ours = logs.filter((log) => viem.isAddressEqual(log.address, pool))
/** @type {any[]} */
const events = viem.parseEventLogs({ abi, eventName: 'Swapped', logs: ours })
same({ 'Swapped events of the pool': events.length }, { 'Swapped events of the pool': 1 })
const paid = { inAsset: input, outAsset: output, recipient: taker, inAmount: inputAmount, outAmount: outputAmount }
same(events[0].args, { ...paid, auxiliaryData: auxData })
const [before, after] = await Promise.all([blockNumber - 1n, blockNumber].map((at) =>
  node.readContract({ ...erc20, address: output, functionName: 'balanceOf', args: [taker], blockNumber: at })))
same({ received: after - before }, { received: outputAmount })
console.log(`swapped ${inputAmount} for ${outputAmount} in ${hash}`)
