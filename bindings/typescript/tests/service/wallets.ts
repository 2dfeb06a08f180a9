/**
 * Sends swaps to the simulated chain of a sandbox (docs/sandbox.md of the service) with viem and with ethers, as takers do on any
 * node: reads balances, sends with a local key, waits for the receipt and reads the event.
 */
import assert from 'node:assert/strict'
import { Contract, FetchRequest, JsonRpcProvider, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, defineChain, erc20Abi, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, FirmquoteClient, type SignedSwap, type SwapTerms } from '../../src/index.js'
import { required } from '../support/environment.js'
import { settled } from '../support/settlement.js'

const [baseUrl, apiKey] = [required('FIRMQUOTE_URL'), required('FIRMQUOTE_API_KEY')]
const client = new FirmquoteClient({ baseUrl, apiKey })
const chain_id = 31337
const url = `${baseUrl}/sandbox/rpc/${chain_id}`
const key = `0x${'11'.repeat(32)}` as const
const account = privateKeyToAccount(key)
const event =
  'event Swapped(address indexed inAsset, address indexed outAsset, address indexed recipient, uint256 inAmount, uint256 outAmount, bytes auxiliaryData)'
const request = { chain_id, input_asset_symbol: 'ETH', output_asset_symbol: 'USDC', input_amount: 10n ** 17n }
const terms: SwapTerms = { destination_address: account.address, transmit: true, calldata: true }

await withViem()
await withEthers()
console.log('passed viem\npassed ethers')

/** Has a swap signed; `service_exchange_address` is the pool. */
async function signed(): Promise<SignedSwap & { id: string; calldata: `0x${string}` }> {
  const quote = await client.quote(request)
  const swap = await client.signQuote(quote, terms)
  assert(swap.calldata !== undefined)
  return { ...swap, id: quote.id, calldata: swap.calldata as `0x${string}` }
}

async function withViem(): Promise<void> {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({ id: chain_id, name: 'sandbox', nativeCurrency, rpcUrls: { default: { http: [url] } } })
  const transport = http(url, { fetchOptions: { headers: { 'x-api-key': apiKey } } })
  const reader = createPublicClient({ chain, transport, pollingInterval: 200 })
  const wallet = createWalletClient({ account, chain, transport })
  assert.equal(await reader.getChainId(), chain_id)
  const swap = await signed()
  const [to, token] = [swap.service_exchange_address, swap.output_asset_address]
  const read = (address: Address) =>
    reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
  const [before, reserve] = [await read(account.address), await read(to)]
  assert.equal(await reader.readContract({ address: token, abi: erc20Abi, functionName: 'symbol' }), 'USDC')
  assert((await reader.getBalance({ address: account.address })) > 10n ** 20n)

  const hash = await wallet.sendTransaction({ to, data: swap.calldata })
  const receipt = await reader.waitForTransactionReceipt({ hash, confirmations: 2, timeout: 30_000 })
  assert.equal(receipt.status, 'success')
  assert.equal((await reader.getTransaction({ hash })).from.toLowerCase(), account.address.toLowerCase())
  const block = await reader.getBlock({ blockHash: receipt.blockHash })
  assert.deepEqual([block.number, block.transactions], [receipt.blockNumber, [hash]])
  const { blockNumber } = receipt
  const logs = await reader.getLogs({
    address: to,
    event: parseAbi([event])[0],
    fromBlock: blockNumber,
    toBlock: blockNumber,
  })
  assert.deepEqual(
    logs.map(({ transactionHash, args }) => [transactionHash, args.outAmount, args.recipient]),
    [[hash, swap.output_amount, account.address]],
  )
  assert.equal((await read(account.address)) - before, swap.output_amount)
  assert.equal(reserve - (await read(to)), swap.output_amount)
  await settled(() => client.quoteStatus(swap.id))
  const status = await client.quoteStatus(swap.id)
  assert.deepEqual(
    [status.settled?.transaction_hash, BigInt(status.settled?.block_number ?? 0), status.settled?.log_index],
    [hash, blockNumber, logs[0]?.logIndex],
  )

  await assert.rejects(reader.call({ account, to, data: swap.calldata }), /the signature was used before/)
  await assert.rejects(wallet.sendTransaction({ to, data: swap.calldata }), /the signature was used before/)
}

async function withEthers(): Promise<void> {
  const connection = new FetchRequest(url)
  connection.setHeader('x-api-key', apiKey)
  const provider = new JsonRpcProvider(connection)
  provider.pollingInterval = 200
  const wallet = new Wallet(key, provider)
  const swap = await signed()
  const [to, token] = [swap.service_exchange_address, swap.output_asset_address]
  const erc20 = new Contract(
    token,
    ['function balanceOf(address) view returns (uint256)', 'function approve(address, uint256) returns (bool)'],
    wallet,
  )
  const balance = (): Promise<bigint> => erc20.getFunction('balanceOf')(wallet.address)
  const before = await balance()
  const approval = await erc20.getFunction('approve').send(to, 1n)
  assert.equal((await approval.wait())?.status, 1)
  const sent = await wallet.sendTransaction({ to, data: swap.calldata })
  const receipt = await sent.wait()
  assert.equal(receipt?.status, 1)
  assert.equal((await balance()) - before, swap.output_amount)
  const pool = new Contract(to, [event], provider)
  const events = await pool.queryFilter('Swapped', receipt?.blockNumber, receipt?.blockNumber)
  assert.deepEqual(
    events.map(({ transactionHash }) => transactionHash),
    [sent.hash],
  )
  await settled(() => client.quoteStatus(swap.id))
  await assert.rejects(wallet.call({ to, data: swap.calldata }), /the signature was used before/)
  provider.destroy()
}
