/** Recorded quotes and signatures. */

import { type PoolData, poolData, type Quote, quote, type SignedSwap, signedSwap } from '../../src/api/responses.js'
import type { QuoteRequest, SwapTerms } from '../../src/client/requests.js'
import { JsonNumber, type JsonObject, type JsonValue, readJson } from '../../src/json/reader.js'
import type { Address } from '../../src/responses/values.js'
import { readText } from './files.js'

export interface RecordedSwap {
  readonly request: QuoteRequest
  readonly terms: SwapTerms
  readonly quote: Quote
  readonly swap: SignedSwap
}

/** The pool of the demo service, as `fieldset=all` published it. */
export function recordedPool(): PoolData {
  const [record] = (readJson(readText('tests/vectors/pool.json')) as JsonObject).get('pools') as JsonValue[]
  return poolData(record ?? null, 'pool')
}

/** Two swaps in the state of `recordedPool`: ETH for USDC with an exact input, DAI for native coin with an exact output. */
export function recordedSwaps(): [RecordedSwap, RecordedSwap] {
  const cases = (readJson(readText('tests/vectors/swaps.json')) as JsonObject).get('cases') as JsonObject[]
  return cases.map((recorded) => ({
    request: requestOf(recorded.get('request') as JsonObject),
    terms: Object.fromEntries(recorded.get('terms') as JsonObject) as unknown as SwapTerms,
    quote: quote(recorded.get('quote') ?? null, 'quote'),
    swap: signedSwap(recorded.get('swap') ?? null, 'swap'),
  })) as [RecordedSwap, RecordedSwap]
}

export interface DeployedSwap {
  readonly swap: SignedSwap
  readonly packed: ReadonlyMap<string, bigint>
  /** The auxiliary data and the function, where the deployment returned calldata. */
  readonly auxData?: Address
  readonly functionName?: string
}

/** Signatures of a live deployment: its signer, and the swaps that it signed. */
export function deployedSwaps(): { signer: Address; domain: { name: string; version: string }; swaps: DeployedSwap[] } {
  const document = readJson(readText('tests/vectors/signatures.json')) as JsonObject
  const domain = document.get('domain') as JsonObject
  const swaps = (document.get('cases') as JsonObject[]).map((recorded): DeployedSwap => {
    const packed = recorded.get('good_until_unpacked') as JsonObject
    const additions = { expires_at: packed.get('unix_time') ?? null, execution: 'best_effort' }
    const swap = signedSwap(new Map([...recorded, ...Object.entries(additions)]), 'swap')
    const [auxData, functionName] = [recorded.get('aux_data'), recorded.get('function')]
    return {
      swap,
      packed: new Map([...packed].map(([name, value]) => [name, BigInt((value as JsonNumber).text)])),
      ...(typeof auxData === 'string' && { auxData: auxData as Address }),
      ...(typeof functionName === 'string' && { functionName }),
    }
  })
  const names = { name: domain.get('name') as string, version: domain.get('version') as string }
  return { signer: document.get('signer') as Address, domain: names, swaps }
}

function requestOf(members: JsonObject): QuoteRequest {
  const entries = [...members].map(([name, value]) => {
    if (value instanceof JsonNumber) return [name, Number(value.text)]
    return [name, name.endsWith('_amount') ? BigInt(value as string) : value]
  })
  return Object.fromEntries(entries) as QuoteRequest
}
