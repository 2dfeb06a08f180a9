/** Curves of the recorded price vectors. */
import { JsonNumber, type JsonObject, readJson } from '../../src/json/reader.js'
import type { Curve, CurveSide } from '../../src/verify/formula.js'
import { readText } from './files.js'

export interface PriceVector {
  readonly curve: Curve
  readonly fixed: 'input_amount' | 'output_amount'
  readonly input_amount: bigint
  readonly output_amount: bigint
}

/** The 300 recorded quotes, which another language computed at 200 digits. */
export function priceVectors(): PriceVector[] {
  return (readJson(readText('tests/vectors/prices.json')) as JsonObject[]).map((vector) => ({
    curve: {
      input: side(vector.get('input') as JsonObject),
      output: side(vector.get('output') as JsonObject),
      k: whole(vector, 'k_e18'),
      fee: whole(vector, 'fee_hundredths_bp'),
    },
    fixed: vector.get('fixed') as PriceVector['fixed'],
    input_amount: whole(vector, 'input_amount'),
    output_amount: whole(vector, 'output_amount'),
  }))
}

function side(members: JsonObject): CurveSide {
  const [reserve, price] = [whole(members, 'reserve'), whole(members, 'price_e8')]
  return { reserve, price, weight: whole(members, 'weight'), decimals: Number(whole(members, 'decimals')) }
}

function whole(members: JsonObject, name: string): bigint {
  const value = members.get(name)
  return BigInt(value instanceof JsonNumber ? value.text : (value as string))
}
