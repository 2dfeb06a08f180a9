/**
 * Verification of quotes and signed swaps: amounts to the base unit, signature and calldata. Needs `viem`, which the client
 * alone does not. It has no network and no clock.
 */
export { type GoodUntil, unpackGoodUntil } from '../responses/good-until.js'
export { checkCalldata, type DecodedCall, decodeCalldata } from './calldata.js'
export { ACCEPTED, assertVerified, type Check, type Outcome, VerificationError } from './checks.js'
export { type CallTerms, functionFor, OFFER_TYPES, POOL_ABI, type SwapFunction } from './contract.js'
export { type FeeParameters, feeInBasisPoints } from './fee.js'
export { type Curve, type CurveSide, inputForOutput, outputForInput, type Solution } from './formula.js'
export { checkGoodUntil, type ExpectedGoodUntil } from './good-until.js'
export { leastOutput } from './levels.js'
export { type Offer, offeredInput, offeredOutput } from './offer.js'
export {
  offerOf,
  pairFee,
  type QuoteVerification,
  quoteOf,
  recompute,
  type VerifiableQuote,
  verifyQuote,
} from './recompute.js'
export { type DomainNames, recoverSigner, type SwapVerification, verifySwap } from './swap.js'
