/** What a signed swap is sent to the chain as. */
import type { SignedSwap } from '../api/responses.js'
import type { Address, Hex } from './values.js'

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
