/** Requests in their wire form, one function for each operation of the interface. */
import { InvalidSettingsError } from '../errors/errors.js'
import type {
  CurveRequest,
  LevelsRequest,
  PoolsRequest,
  QuoteRequest,
  SignRequest,
  SwapsRequest,
  SwapTerms,
} from './requests.js'

/** A request, ready to be appended to a base URL. */
export interface Route {
  /** Which base URL it is for. */
  readonly version: 1 | 2
  /** Path and query. */
  readonly path: string
  /** A body for POST; none for GET. */
  readonly body?: string
  /** Whether the service may process it twice without harm: a quote of firm levels reserves a part of their budget. */
  readonly isRepeatable: boolean
  /** Whether it carries no credential. */
  readonly isPublic: boolean
  /** The `Accept` header. */
  readonly accept: string
}

/** Documents that need no credential. */
export type DocumentName = 'openapi' | 'asyncapi' | 'abi' | 'typed-data'

type Member = string | number | bigint | boolean | undefined
type Members = Readonly<Record<string, Member>>

export function poolV1({ chain_id, fieldset, time_in_seconds }: PoolsRequest): Route {
  return get(1, '/rfq/pool', { chain_id, fieldset, time_in_seconds })
}

export function poolsV2({ chain_id, ...query }: PoolsRequest): Route {
  const { fieldset, pool_address, time_in_seconds, state_id } = query
  return get(2, `/rfq/v2/pool/${wholeNumber(chain_id)}`, { fieldset, pool_address, time_in_seconds, state_id })
}

export function quoteV1(request: QuoteRequest): Route {
  return post(1, '/rfq/quote', { chain_id: wholeNumber(request.chain_id), ...quoteMembers(request) })
}

export function quoteV2(request: QuoteRequest): Route {
  const { pool_address, levels_id } = request
  const members = { ...quoteMembers(request), pool_address, levels_id }
  const route = get(2, `/rfq/v2/quote/${wholeNumber(request.chain_id)}`, members)
  return { ...route, isRepeatable: levels_id === undefined }
}

export function sign(version: 1 | 2, request: SignRequest): Route {
  const path = version === 1 ? '/rfq/sign' : '/rfq/v2/sign'
  return post(version, path, { quote_id: request.quote_id, ...termMembers(request) })
}

/** Each one makes another signature, which counts against limits: it is never repeated by the client itself. */
export function quoteSignV2(request: QuoteRequest, terms: SwapTerms): Route {
  const { pool_address, levels_id } = request
  const members = { ...quoteMembers(request), pool_address, levels_id, ...termMembers(terms) }
  return { ...get(2, `/rfq/v2/quote-sign/${wholeNumber(request.chain_id)}`, members), isRepeatable: false }
}

export function quoteStatusV2(quoteId: string): Route {
  return get(2, `/rfq/v2/quote-status/${encodeURIComponent(quoteId)}`, {})
}

export function swapsV2({ since, until, cursor, limit }: SwapsRequest): Route {
  return get(2, '/rfq/v2/swaps', { since, until, cursor, limit })
}

export function chainsV2(): Route {
  return get(2, '/rfq/v2/chains', {})
}

export function curveV2({ chain_id, amounts, times, ...rest }: CurveRequest): Route {
  const { input_asset_symbol, output_asset_symbol, pool_address } = rest
  const lists = { amounts: amounts.map(wholeAmount).join(','), times: times?.map(wholeNumber).join(',') }
  const members = { input_asset_symbol, output_asset_symbol, ...lists, pool_address }
  return get(2, `/rfq/v2/curve/${wholeNumber(chain_id)}`, members)
}

export function levelsV2(request: LevelsRequest): Route {
  return get(2, `/rfq/v2/levels/${wholeNumber(request.chain_id)}`, levelsMembers(request))
}

export function levelStreamV2(request: LevelsRequest): Route {
  const path = `/rfq/v2/levels/${wholeNumber(request.chain_id)}/stream`
  return { ...get(2, path, levelsMembers(request)), accept: 'text/event-stream' }
}

export function eventsV2(chainId: number, last_event_id: string | undefined): Route {
  return { ...get(2, `/rfq/v2/events/${wholeNumber(chainId)}`, { last_event_id }), accept: 'text/event-stream' }
}

export function levelSocketV2(request: LevelsRequest): Route {
  return get(2, `/rfq/v2/levels/${wholeNumber(request.chain_id)}/ws`, levelsMembers(request))
}

export function document(name: DocumentName, version: 1 | 2): Route {
  return { ...get(version, `/${name}.json`, {}), isPublic: true }
}

function quoteMembers(request: QuoteRequest): Members {
  const { input_asset_symbol, output_asset_symbol, input_amount, output_amount, time_in_seconds } = request
  return {
    input_asset_symbol,
    output_asset_symbol,
    input_amount: input_amount === undefined ? undefined : wholeAmount(input_amount),
    output_amount: output_amount === undefined ? undefined : wholeAmount(output_amount),
    time_in_seconds,
  }
}

/** The members of terms; flags that are false are the default, and omitted. */
function termMembers(terms: SwapTerms): Members {
  const flag = (value: boolean | undefined) => (value === true ? true : undefined)
  return {
    destination_address: terms.destination_address,
    sender_address: terms.sender_address,
    aux_data: terms.aux_data,
    calldata: flag(terms.calldata),
    native_input: flag(terms.native_input),
    native_output: flag(terms.native_output),
    transmit: flag(terms.transmit),
    guarantee: flag(terms.guarantee),
  }
}

function levelsMembers({ pairs, pool_address, time_in_seconds, knots, format }: LevelsRequest): Members {
  const list = pairs?.map(([input, output]) => `${input}-${output}`).join(',')
  return { pairs: list, pool_address, time_in_seconds, knots, format }
}

function get(version: 1 | 2, path: string, members: Members): Route {
  const query = new URLSearchParams()
  for (const [name, member] of Object.entries(members)) {
    if (member !== undefined) query.append(name, String(typeof member === 'number' ? wholeNumber(member) : member))
  }
  const text = query.toString()
  const whole = text === '' ? path : `${path}?${text}`
  return { version, path: whole, isRepeatable: true, isPublic: false, accept: 'application/json' }
}

function post(version: 1 | 2, path: string, members: Members): Route {
  return { ...get(version, path, {}), body: JSON.stringify(members) }
}

/** A double would round amounts silently, so callers without a type checker are refused here. */
function wholeAmount(amount: bigint): string {
  if (typeof amount !== 'bigint') throw new InvalidSettingsError('an amount is a bigint of base units')
  return amount.toString()
}

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new InvalidSettingsError('chain ids, seconds and counts are safe integers')
  return value
}
