/** The Sign object, and the one that also contains the quote. */
import { baseUnits, DecodeError, type Decoder, integer, object, oneOf, optional } from '../json/decode.js'
import { PRICING_MEMBERS, type Pricing, SWAP_MEMBERS, type SwapAmounts } from './quote.js'
import { type Address, address, bytes32, type Execution, type Hex, hexBytes } from './values.js'

/** An ECDSA signature with a low `s` (EIP-2). */
export interface Signature {
  /** 27 or 28. */
  readonly v: number
  /** 32 bytes. */
  readonly r: Hex
  /** 32 bytes. */
  readonly s: Hex
}

/** A signed swap, which the pool contract honours until `expires_at`. */
export interface SignedSwap extends SwapAmounts {
  /**
   * The number that is signed and passed to the contract: the Unix second of expiry or, for a verified pool, that second
   * packed with what the contract checks. It may exceed 2^53 by far.
   */
  readonly good_until: bigint
  /** The last Unix second in which the swap is valid on chain. */
  readonly expires_at: number
  /** The account that receives the output. */
  readonly destination_address: Address
  /** The service's signature. */
  readonly signature: Signature
  /** The pool contract, to which the transaction is sent. */
  readonly service_exchange_address: Address
  /** Whether the swap executes no matter which other swaps execute first. */
  readonly execution: Execution
  /** The call of the pool contract, if requested. */
  readonly calldata?: Hex
}

/** A swap that was quoted and signed at once. Signing its `id` again for the same terms returns the same signature. */
export interface QuotedSwap extends Pricing, SignedSwap {}

/** A transaction, to be sent to the chain unchanged. */
export interface SwapTransaction {
  /** The pool contract. */
  readonly to: Address
  /** Wei to send along: the whole input if it is native coin, otherwise zero. Any excess would stay in the pool. */
  readonly value: bigint
  /** The calldata. */
  readonly data: Hex
}

/**
 * The transaction that executes a swap signed for `terms`. A token as input must be in the pool beforehand or, with
 * `transmit`, the pool needs an allowance for it.
 *
 * @throws {RangeError} if the swap has no calldata, because none was requested.
 */
export function transactionOf(swap: SignedSwap, terms: { readonly native_input?: boolean }): SwapTransaction {
  if (swap.calldata === undefined) throw new RangeError('the swap was signed without calldata')
  const value = terms.native_input === true ? swap.input_amount : 0n
  return { to: swap.service_exchange_address, value, data: swap.calldata }
}

const parity: Decoder<number> = (value, path) => {
  const v = integer(value, path)
  if (v !== 27 && v !== 28) throw new DecodeError(`${path} is neither 27 nor 28`)
  return v
}

export const execution = oneOf(['guaranteed', 'best_effort'])

const SIGNED_MEMBERS = {
  ...SWAP_MEMBERS,
  good_until: baseUnits,
  expires_at: integer,
  destination_address: address,
  signature: object<Signature>({ v: parity, r: bytes32, s: bytes32 }),
  service_exchange_address: address,
  execution,
  calldata: optional(hexBytes),
} as const

export const signedSwap = object<SignedSwap>(SIGNED_MEMBERS)

export const quotedSwap = object<QuotedSwap>({ ...PRICING_MEMBERS, ...SIGNED_MEMBERS })
