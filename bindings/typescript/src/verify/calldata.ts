/** Decodes calldata, and compares every argument with the signed swap and its terms. */
import { decodeFunctionData, encodeFunctionData } from 'viem'
import type { SignedSwap } from '../api/responses.js'
import type { SwapTerms } from '../client/requests.js'
import type { Hex } from '../responses/values.js'
import { type Check, compare } from './checks.js'
import { functionFor, POOL_ABI, type SwapFunction } from './contract.js'

/** A decoded call of the pool contract: its arguments by the names of the ABI. */
export interface DecodedCall {
  readonly functionName: SwapFunction
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * Decodes the call of a swap function.
 *
 * @throws {Error} for the selector of another function, and for arguments that cannot be decoded.
 */
export function decodeCalldata(calldata: Hex): DecodedCall {
  const { functionName, args } = decodeFunctionData({ abi: POOL_ABI, data: calldata })
  const inputs = POOL_ABI.find(({ name }) => name === functionName)?.inputs ?? []
  const pairs = inputs.map(({ name }, index) => [name, (args as readonly unknown[])[index]] as const)
  return { functionName, arguments: Object.fromEntries(pairs) }
}

/**
 * Compares calldata with the terms: `calldata.function`, one check for each argument, such as `calldata.outputAmount`, and
 * `calldata.encoding`, which fails for bytes that no argument explains. Terms without `aux_data` leave the service to choose.
 */
export function checkCalldata(swap: SignedSwap, terms: SwapTerms): Check[] {
  if (swap.calldata === undefined) {
    if (terms.calldata !== true) return []
    return [{ name: 'calldata.function', outcome: 'differs', detail: 'there is no calldata' }]
  }
  const expectedFunction = functionFor(terms)
  let call: DecodedCall
  try {
    call = decodeCalldata(swap.calldata)
  } catch {
    return [
      { name: 'calldata.function', outcome: 'differs', detail: `not a call of a swap, expected: ${expectedFunction}` },
    ]
  }
  const auxiliaryData = terms.aux_data ?? defaultAuxData(call.arguments['auxiliaryData'])
  const expected: Record<string, unknown> = {
    ...(terms.native_input !== true && { inputToken: swap.input_asset_address }),
    ...(terms.native_output !== true && { outputToken: swap.output_asset_address }),
    inputAmount: swap.input_amount,
    outputAmount: swap.output_amount,
    goodUntil: swap.good_until,
    destinationAddress: terms.destination_address,
    theSignature: signatureText(swap.signature),
    auxiliaryData,
  }
  const found = { ...call.arguments, theSignature: signatureText(call.arguments['theSignature']) }
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  const members = found as Readonly<Record<string, unknown>>
  return [
    compare('calldata.function', call.functionName, expectedFunction),
    ...names.map((name) => compare(`calldata.${name}`, members[name], expected[name])),
    compare('calldata.encoding', swap.calldata, encoded(call)),
  ]
}

/** The bytes of the service's choice, if they are 32. */
function defaultAuxData(found: unknown): string {
  return typeof found === 'string' && found.length === 66 ? found : '32 bytes'
}

function signatureText(value: unknown): string {
  const { v, r, s } = (value ?? {}) as { v?: unknown; r?: unknown; s?: unknown }
  return `v ${v}, r ${r}, s ${s}`
}

function encoded({ functionName, arguments: members }: DecodedCall): Hex {
  const abi = POOL_ABI.filter(({ name }) => name === functionName) as readonly unknown[]
  // The arguments were decoded with this very ABI, which the type of a function by name cannot express.
  const call = { abi, functionName, args: Object.values(members) } as unknown as Parameters<
    typeof encodeFunctionData
  >[0]
  return encodeFunctionData(call)
}
