/** Verifies a signed swap: its terms, its signature, `good_until` and its calldata. */
import { recoverTypedDataAddress } from 'viem'
import type { PoolData, SignedSwap } from '../api/responses.js'
import type { SwapTerms } from '../client/requests.js'
import type { Address } from '../responses/values.js'
import { checkCalldata } from './calldata.js'
import { type Check, compare } from './checks.js'
import { OFFER_TYPES } from './contract.js'
import { checkGoodUntil } from './good-until.js'
import type { VerifiableQuote } from './recompute.js'

/** Name and version of the EIP-712 domain of a pool; chain and contract are those of the swap. */
export interface DomainNames {
  readonly name: string
  readonly version: string
}

/** What a signed swap is verified with. */
export interface SwapVerification {
  readonly swap: SignedSwap
  /** The quote that was signed. */
  readonly quote: VerifiableQuote
  /** The terms that were sent. */
  readonly terms: SwapTerms
  /**
   * The account that the pool contract accepts signatures of: its `DESIGNATED_SIGNER()`. Take it from the contract or the
   * operator, not from the service.
   */
  readonly signer: Address
  /** The domain, from the contract or the operator; by default that of the pool data. */
  readonly domain?: DomainNames
  /** The pool data of the quote's state, for the packed values of `good_until`. */
  readonly pool?: PoolData
  /** The kind of the pool, if known. */
  readonly poolKind?: 'plain' | 'verified'
  /** The contract that wraps the native coin, for swaps with a native side. */
  readonly wrappedNative?: Address
}

/** Half of the order of secp256k1: `s` is not above it (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Verifies a signed swap. Checks the terms (`chain`, `pool`, `input_asset`, `output_asset`, `input_amount`, `output_amount`,
 * `destination`, `native_token`), `good_until` (see `checkGoodUntil`), `signer`, `signature.s` and the calldata (see
 * `checkCalldata`). Does not look at a clock: expiry is compared with the quote only.
 */
export async function verifySwap(verification: SwapVerification): Promise<Check[]> {
  const { swap, quote, terms, pool, poolKind } = verification
  const expected = { expires_at: quote.good_until, ...(pool && { pool }), ...(poolKind && { poolKind }) }
  return [
    ...termChecks(verification),
    ...checkGoodUntil(swap, expected),
    await signerCheck(verification),
    lowSCheck(swap),
    ...checkCalldata(swap, terms),
  ]
}

/**
 * The account that signed a swap.
 *
 * @throws {Error} for a signature that no account can have made.
 */
export async function recoverSigner(swap: SignedSwap, domain: DomainNames): Promise<Address> {
  const { v, r, s } = swap.signature
  return recoverTypedDataAddress({
    domain: {
      name: domain.name,
      version: domain.version,
      chainId: swap.chain_id,
      verifyingContract: lower(swap.service_exchange_address),
    },
    types: OFFER_TYPES,
    primaryType: 'OfferStruct',
    message: {
      // The wrapped token on a native side, as in every response.
      input_token: lower(swap.input_asset_address),
      output_token: lower(swap.output_asset_address),
      input_amount: swap.input_amount,
      output_amount: swap.output_amount,
      good_until: swap.good_until,
      destination_address: lower(swap.destination_address),
    },
    signature: { r, s, v: BigInt(v), yParity: v - 27 },
  })
}

function termChecks({ swap, quote, terms, wrappedNative }: SwapVerification): Check[] {
  const native =
    terms.native_input === true
      ? swap.input_asset_address
      : terms.native_output === true
        ? swap.output_asset_address
        : undefined
  return [
    compare('chain', swap.chain_id, quote.chain_id),
    compare('pool', swap.service_exchange_address, quote.pool_address),
    compare('input_asset', swap.input_asset_address, quote.input_asset_address),
    compare('output_asset', swap.output_asset_address, quote.output_asset_address),
    compare('input_amount', swap.input_amount, quote.input_amount),
    compare('output_amount', swap.output_amount, quote.output_amount),
    compare('destination', swap.destination_address, terms.destination_address),
    ...(native === undefined ? [] : [nativeCheck(native, wrappedNative)]),
  ]
}

function nativeCheck(token: Address, wrappedNative: Address | undefined): Check {
  if (wrappedNative !== undefined) return compare('native_token', token, wrappedNative)
  return { name: 'native_token', outcome: 'undecided', detail: `${token}; the wrapped token was not given` }
}

async function signerCheck({ swap, signer, domain, pool }: SwapVerification): Promise<Check> {
  const names = domain ?? pool?.pool.eip712_domain
  if (names === undefined) return { name: 'signer', outcome: 'undecided', detail: 'there is no EIP-712 domain' }
  try {
    return compare('signer', await recoverSigner(swap, names), signer)
  } catch {
    return { name: 'signer', outcome: 'differs', detail: `no account made this signature, expected: ${signer}` }
  }
}

function lowSCheck({ signature: { s } }: SignedSwap): Check {
  const isLow = BigInt(s) > 0n && BigInt(s) <= MAX_S
  return {
    name: 'signature.s',
    outcome: isLow ? 'ok' : 'differs',
    detail: isLow ? 'low' : 'not low, which EIP-2 forbids',
  }
}

/** Addresses in one case: a wrong checksum is no concern of a signature. */
function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
