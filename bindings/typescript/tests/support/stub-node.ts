/** A node of a chain, as far as a wallet needs one: accepts transactions, and executes none. */
import type { TestContext } from 'node:test'
import { type Hex, keccak256, parseTransaction, type TransactionSerialized } from 'viem'
import { sendJson, stubServer } from './stub-server.js'

export interface StubNode {
  readonly url: string
  /** The transactions that were sent. */
  readonly transactions: ReturnType<typeof parseTransaction>[]
}

/** Starts a node of this chain; every transaction succeeds in the next block. */
export async function stubNode(context: TestContext, chainId: number): Promise<StubNode> {
  const transactions: StubNode['transactions'] = []
  const { url } = await stubServer(context, ({ body }, response) => {
    const { id, method, params = [] } = JSON.parse(body)
    const result = answer(method, params)
    if (result === undefined)
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } })
    else sendJson(response, 200, { jsonrpc: '2.0', id, result })
  })

  function answer(method: string, [first]: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_chainId':
        return hex(chainId)
      case 'eth_blockNumber':
        return hex(transactions.length)
      case 'eth_getTransactionCount':
        return hex(transactions.length)
      case 'eth_estimateGas':
        return hex(150_000)
      case 'eth_gasPrice':
      case 'eth_maxPriorityFeePerGas':
        return hex(1_000_000_000)
      case 'eth_getBlockByNumber':
        return { number: hex(transactions.length), baseFeePerGas: hex(1), transactions: [], timestamp: hex(0) }
      case 'eth_sendRawTransaction':
        transactions.push(parseTransaction(first as TransactionSerialized))
        return keccak256(first as Hex)
      case 'eth_getTransactionReceipt':
        return { transactionHash: first, status: '0x1', blockNumber: hex(transactions.length), logs: [], type: '0x2' }
      default:
        return undefined
    }
  }
  return { url, transactions }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}
