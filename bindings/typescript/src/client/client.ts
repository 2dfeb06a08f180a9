/** The client: one method for each operation of the service. */

import type {
  Chain,
  LevelsSnapshot,
  OffchainData,
  OnchainData,
  PoolData,
  Quote,
  QuotedSwap,
  QuoteGrid,
  QuoteStatus,
  SignedSwap,
  Swaps,
} from '../api/responses.js'
import * as api from '../api/responses.js'
import { FirmquoteError, NeedsApiKeyError, QuoteNotSignedError } from '../errors/errors.js'
import { filterFreshQuote } from '../errors/refusal.js'
import { type EventStreamOptions, QuoteEventStream } from '../events/stream.js'
import { type Decoder, jsonObject, list, object, text } from '../json/decode.js'
import { type JsonValue, writeJson } from '../json/reader.js'
import { levelsSnapshot } from '../levels/book.js'
import { LevelStream, type LevelStreamOptions } from '../levels/stream.js'
import { type Compatibility, compareVersions } from '../version.js'
import { isBrowser, warnAboutCredential } from './browser.js'
import { type Answer, RequestExecutor } from './executor.js'
import type {
  CallOptions,
  CurveRequest,
  LevelsRequest,
  PoolsRequest,
  QuoteRequest,
  SignRequest,
  SwapsRequest,
  SwapTerms,
} from './requests.js'
import * as routes from './route.js'
import { type ClientSettings, resolveSettings } from './settings.js'
import {
  amountsProblem,
  freshQuoteProblem,
  gridProblem,
  poolsProblem,
  quoteProblem,
  refuse,
  termsProblem,
} from './validate.js'

/** Levels, and the tag by which the next request tells whether they changed. */
export interface TaggedLevels {
  readonly snapshot: LevelsSnapshot
  /** Absent where a browser does not show it. */
  readonly etag?: string
}

/** A client of one service. Every method rejects with a `FirmquoteError`, whose `reaction` tells what to do. */
export class FirmquoteClient {
  readonly #executor: RequestExecutor

  /**
   * Creates a client; nothing is sent yet.
   *
   * @throws {InvalidSettingsError} for the first invalid setting.
   */
  constructor(settings: ClientSettings) {
    this.#executor = new RequestExecutor(resolveSettings(settings))
    warnAboutCredential(settings, isBrowser())
  }

  /** Lists every chain with its pools, their tokens, and the trade sizes for this client. Needs an API key. */
  async chains(options: CallOptions = {}): Promise<readonly Chain[]> {
    this.#needsApiKey('the list of chains')
    return (await this.#executor.execute(routes.chainsV2(), api.chains, options)).value.chains
  }

  /** Pool data: of all pools of a chain, or of one. Version 1 returns a list of one, the chain's default pool. */
  pools(request: PoolsRequest & { fieldset: 'all' }, options?: CallOptions): Promise<readonly PoolData[]>
  pools(request: PoolsRequest & { fieldset: 'offchain-data' }, options?: CallOptions): Promise<readonly OffchainData[]>
  pools(request: PoolsRequest & { fieldset?: never }, options?: CallOptions): Promise<readonly OnchainData[]>
  async pools(
    request: PoolsRequest,
    options: CallOptions = {},
  ): Promise<readonly (PoolData | OffchainData | OnchainData)[]> {
    if (request.fieldset === 'all') return this.#records(request, api.poolData, options)
    if (request.fieldset === 'offchain-data') return this.#records(request, api.offchainData, options)
    return this.#records(request, api.onchainData, options)
  }

  /**
   * Requests a quote. Every call makes another one. One that is not signed costs nothing, except for a quote of firm levels:
   * it reserves a part of their budget, so it is never repeated by the client itself.
   */
  async quote(request: QuoteRequest, options: CallOptions = {}): Promise<Quote> {
    if (request.pool_address !== undefined) this.#needsVersion2('a quote of one pool')
    if (request.levels_id !== undefined) this.#needsVersion2('a quote of levels')
    const route = this.#version === 1 ? routes.quoteV1(request) : routes.quoteV2(request)
    const { value, requestId } = await this.#executor.execute(route, api.quote, options)
    refuse(requestId, amountsProblem(request, value, value.pool_address))
    return value
  }

  /**
   * Has a quote signed. The same terms get the same signature until the quote's `good_until`, so repeating is safe; other
   * terms are refused. `signQuote` checks more.
   */
  async sign(request: SignRequest, options: CallOptions = {}): Promise<SignedSwap> {
    return (await this.#signed(request, options)).value
  }

  /** Has a quote signed, repeats that until `good_until` at most, and checks everything signed against the quote. */
  async signQuote(quoted: Quote, terms: SwapTerms, options: CallOptions = {}): Promise<SignedSwap> {
    const retryUntil = Math.min(options.retryUntil ?? quoted.good_until, quoted.good_until)
    try {
      const { value, requestId } = await this.#signed({ ...terms, quote_id: quoted.id }, { ...options, retryUntil })
      refuse(requestId, quoteProblem(quoted, value))
      return value
    } catch (error) {
      throw filterFreshQuote(error, (fresh) => freshQuoteProblem(quoted, fresh))
    }
  }

  /**
   * Requests a quote and its signature: in one round trip with an API key, in two without. Every call makes another
   * signature, which counts against limits, so it is never repeated by the client itself; send only one of the swaps.
   *
   * Rejects with `QuoteNotSignedError` if there is a quote without a signature.
   */
  async quoteAndSign(request: QuoteRequest, terms: SwapTerms, options: CallOptions = {}): Promise<QuotedSwap> {
    if (this.#version === 1) return this.#quoteThenSign(request, terms, options)
    try {
      const route = routes.quoteSignV2(request, terms)
      const { value, requestId } = await this.#executor.execute(route, api.quotedSwap, options)
      refuse(requestId, termsProblem(terms, value), amountsProblem(request, value, value.service_exchange_address))
      return value
    } catch (error) {
      throw filterFreshQuote(error, (fresh) => amountsProblem(request, fresh, fresh.pool_address))
    }
  }

  /** What became of a quote of this client. Needs an API key. `NotFoundError` once the service does not know it. */
  async quoteStatus(quoteId: string, options: CallOptions = {}): Promise<QuoteStatus> {
    this.#needsApiKey('the status of a quote')
    const { value, requestId } = await this.#executor.execute(routes.quoteStatusV2(quoteId), api.quoteStatus, options)
    refuse(requestId, value.quote_id === quoteId.toLowerCase() ? undefined : 'it is for a different quote')
    return value
  }

  /**
   * A page of the signed swaps of this client, in the order of their signatures. Needs an API key. The next page starts
   * at `next_cursor`, until that is null.
   */
  async swaps(request: SwapsRequest = {}, options: CallOptions = {}): Promise<Swaps> {
    this.#needsApiKey('signed swaps')
    return (await this.#executor.execute(routes.swapsV2(request), api.swaps, options)).value
  }

  /** What quotes of many sizes and validities would be now, all in one state of one pool. Needs an API key. */
  async curve(request: CurveRequest, options: CallOptions = {}): Promise<QuoteGrid> {
    this.#needsApiKey('a curve')
    const { value, requestId } = await this.#executor.execute(routes.curveV2(request), api.quoteGrid, options)
    refuse(requestId, gridProblem(request, value))
    return value
  }

  /** The price levels of this moment. Needs an API key. */
  async levels(request: LevelsRequest, options: CallOptions = {}): Promise<LevelsSnapshot> {
    this.#needsApiKey('levels')
    return (await this.#executor.execute(routes.levelsV2(request), levelsSnapshot, options)).value
  }

  /** The price levels, or `undefined` if they are still those of `etag`. Needs an API key. */
  async levelsIfChanged(
    request: LevelsRequest,
    etag?: string,
    options: CallOptions = {},
  ): Promise<TaggedLevels | undefined> {
    this.#needsApiKey('levels')
    const route = routes.levelsV2(request)
    const answer = await this.#executor.executeIfChanged(route, levelsSnapshot, etag, options)
    const tag = answer?.headers.get('etag') ?? undefined
    return answer && { snapshot: answer.value, ...(tag !== undefined && { etag: tag }) }
  }

  /** Follows price levels over as many connections as it takes. Needs an API key; nothing is sent before it is read. */
  followLevels(request: LevelsRequest, options: LevelStreamOptions = {}): LevelStream {
    this.#needsApiKey('levels')
    return new LevelStream(this.#executor, request, options)
  }

  /**
   * Follows the events of this client's quotes on a chain over as many connections as it takes, from now on or after an event.
   * Needs an API key; nothing is sent before it is read.
   */
  followEvents(chainId: number, options: EventStreamOptions = {}): QuoteEventStream {
    this.#needsApiKey('a stream of events')
    return new QuoteEventStream(this.#executor, chainId, options)
  }

  /**
   * A document of the service, as JSON text: `openapi` and `asyncapi` describe its interface, `abi` the pool contract, and
   * `typed-data` what is signed. Needs no credential, and sends none.
   */
  async document(name: routes.DocumentName, options: CallOptions = {}): Promise<string> {
    return writeJson((await this.#document(name, (value) => value, options)).value)
  }

  /** The version that the service states in its OpenAPI document. */
  async serviceVersion(options: CallOptions = {}): Promise<string> {
    const decoder = object<{ info: { version: string } }>({ info: object<{ version: string }>({ version: text }) })
    return (await this.#document('openapi', decoder, options)).value.info.version
  }

  /** Whether this client works with the service, by the rule of `compareVersions`. */
  async checkCompatibility(options: CallOptions = {}): Promise<Compatibility> {
    return compareVersions(await this.serviceVersion(options))
  }

  get #version(): 1 | 2 {
    return this.#executor.settings.apiVersion
  }

  #document<T>(name: routes.DocumentName, decoder: Decoder<T>, options: CallOptions): Promise<Answer<T>> {
    const version = name === 'asyncapi' ? 2 : this.#version
    return this.#executor.execute(routes.document(name, version), decoder, options)
  }

  async #records<T extends PoolData | OffchainData | OnchainData>(
    request: PoolsRequest,
    record: Decoder<T>,
    options: CallOptions,
  ): Promise<readonly T[]> {
    if (request.pool_address !== undefined) this.#needsVersion2('pool data of one pool')
    if (request.state_id !== undefined) this.#needsVersion2('pool data of an earlier state')
    const [route, decoder] =
      this.#version === 1
        ? [routes.poolV1(request), (value: JsonValue, path: string) => [record(value, path)]]
        : [routes.poolsV2(request), poolList(record)]
    const { value, requestId } = await this.#executor.execute(route, decoder, options)
    refuse(requestId, poolsProblem(request, value))
    return value
  }

  async #signed(request: SignRequest, options: CallOptions): Promise<Answer<SignedSwap>> {
    const answer = await this.#executor.execute(routes.sign(this.#version, request), api.signedSwap, options)
    refuse(answer.requestId, termsProblem(request, answer.value))
    return answer
  }

  async #quoteThenSign(request: QuoteRequest, terms: SwapTerms, options: CallOptions): Promise<QuotedSwap> {
    const quoted = await this.quote(request, options)
    try {
      const { must_accept_by: _, good_until: __, ...pricing } = quoted
      return { ...pricing, ...(await this.signQuote(quoted, terms, options)) }
    } catch (error) {
      const cause = filterFreshQuote(error, (fresh) => amountsProblem(request, fresh, fresh.pool_address))
      throw cause instanceof FirmquoteError ? new QuoteNotSignedError(quoted, cause) : cause
    }
  }

  #needsApiKey(what: string): void {
    if (!this.#executor.settings.hasApiKey) throw new NeedsApiKeyError(what)
  }

  #needsVersion2(what: string): void {
    if (this.#version === 1) throw new NeedsApiKeyError(what)
  }
}

/** The pools of a response of version 2. */
function poolList<T>(record: Decoder<T>): Decoder<readonly T[]> {
  return (value, path) => list(record)(jsonObject(value, path).get('pools') ?? null, `${path}.pools`)
}
