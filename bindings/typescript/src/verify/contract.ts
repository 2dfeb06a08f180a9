/** The interface of the pool contract: what is signed (EIP-712), and the functions that execute it. */

/** The EIP-712 types of a signed swap. */
export const OFFER_TYPES = {
  OfferStruct: [
    { name: 'input_token', type: 'address' },
    { name: 'output_token', type: 'address' },
    { name: 'input_amount', type: 'uint256' },
    { name: 'output_amount', type: 'uint256' },
    { name: 'good_until', type: 'uint256' },
    { name: 'destination_address', type: 'address' },
  ],
} as const

const INPUT_TOKEN = { name: 'inputToken', type: 'address' } as const
const OUTPUT_TOKEN = { name: 'outputToken', type: 'address' } as const

/** The arguments that all functions end with. */
const COMMON = [
  { name: 'inputAmount', type: 'uint256' },
  { name: 'outputAmount', type: 'uint256' },
  { name: 'goodUntil', type: 'uint256' },
  { name: 'destinationAddress', type: 'address' },
  {
    name: 'theSignature',
    type: 'tuple',
    components: [
      { name: 'v', type: 'uint8' },
      { name: 'r', type: 'bytes32' },
      { name: 's', type: 'bytes32' },
    ],
  },
  { name: 'auxiliaryData', type: 'bytes' },
] as const

const NONPAYABLE = { type: 'function', stateMutability: 'nonpayable', outputs: [] } as const

/** The ABI of the swap functions. */
export const POOL_ABI = [
  { ...NONPAYABLE, name: 'swap', inputs: [INPUT_TOKEN, OUTPUT_TOKEN, ...COMMON] },
  { ...NONPAYABLE, name: 'transmitAndSwap', inputs: [INPUT_TOKEN, OUTPUT_TOKEN, ...COMMON] },
  { ...NONPAYABLE, name: 'sellTokenForEth', inputs: [INPUT_TOKEN, ...COMMON] },
  { ...NONPAYABLE, name: 'transmitAndSellTokenForEth', inputs: [INPUT_TOKEN, ...COMMON] },
  {
    type: 'function',
    stateMutability: 'payable',
    outputs: [],
    name: 'sellEthForToken',
    inputs: [OUTPUT_TOKEN, ...COMMON],
  },
] as const

/** A function of the pool contract that executes a swap. */
export type SwapFunction = (typeof POOL_ABI)[number]['name']

/** The flags of terms that decide which function is called. */
export interface CallTerms {
  readonly native_input?: boolean
  readonly native_output?: boolean
  readonly transmit?: boolean
}

/** The function for native sides and `transmit`. Native input comes with the call, with `transmit` or without. */
export function functionFor({ native_input, native_output, transmit }: CallTerms): SwapFunction {
  if (native_input === true) return 'sellEthForToken'
  if (native_output === true) return transmit === true ? 'transmitAndSellTokenForEth' : 'sellTokenForEth'
  return transmit === true ? 'transmitAndSwap' : 'swap'
}
