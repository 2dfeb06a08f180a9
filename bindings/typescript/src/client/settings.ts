/** Settings of a client, checked once. */
import { InvalidSettingsError } from '../errors/errors.js'
import { type Clock, SYSTEM_CLOCK } from './clock.js'
import type { ResponseMeta } from './meta.js'

/** HTTP Basic, which the service deprecates: version 1 only. */
export interface BasicCredential {
  /** The user name, without a colon. */
  readonly username: string
  readonly password: string
}

/** When and how often a request is repeated by the client itself. Only requests that may be repeated are. */
export interface RetryPolicy {
  /** Attempts in total; 3 by default. */
  readonly attempts: number
  /** The first pause without a `Retry-After`; it doubles each time. 200 ms by default. */
  readonly baseDelayMs: number
  /** The longest pause; 5,000 ms by default. An error that asks for a longer one is thrown at once. */
  readonly maxDelayMs: number
}

/** What a client is made with; everything but `baseUrl` has a default. */
export interface ClientSettings {
  /** `https://` or `http://`, a host, and optionally a port and a path prefix. */
  readonly baseUrl: string
  /** The base URL of version 2, if the operator serves it elsewhere; `baseUrl` by default. */
  readonly baseUrlV2?: string
  /** An API key: every operation, version 2 by default. */
  readonly apiKey?: string
  /** HTTP Basic: version 1. Not together with an API key. */
  readonly basic?: BasicCredential
  /** The version of quote, sign and pool requests: 2 with an API key, 1 without by default. */
  readonly apiVersion?: 1 | 2
  /** The time for one attempt, up to the last byte of its response, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number
  /** Changes to the retry policy, or `false` for a single attempt. */
  readonly retry?: Partial<RetryPolicy> | false
  /** The maximum size of a response in characters; 1 MiB by default. */
  readonly maxResponseLength?: number
  /**
   * An API key or a password in a web page is visible to everyone who opens the page, so a client with one warns there on
   * the console. `true` states that this is intended, and silences the warning.
   */
  readonly allowBrowserCredentials?: boolean
  /** Called with the metadata of every response, also of refusals. */
  readonly onResponse?: (meta: ResponseMeta) => void
  /** The function that sends requests; the global `fetch` by default. */
  readonly fetch?: typeof fetch
  /** The source of time; the clocks of this machine by default. */
  readonly clock?: Clock
  /** A source of random numbers from 0 to 1, for jitter; `Math.random` by default. */
  readonly random?: () => number
}

/** Settings with their defaults. */
export interface ResolvedSettings {
  readonly baseUrl: string
  readonly baseUrlV2: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that no response may contain. */
  readonly secrets: readonly string[]
  readonly hasApiKey: boolean
  readonly apiVersion: 1 | 2
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly maxResponseLength: number
  readonly onResponse: (meta: ResponseMeta) => void
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly random: () => number
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseDelayMs: 200, maxDelayMs: 5_000 }
const ONE_ATTEMPT: RetryPolicy = { ...DEFAULT_RETRY, attempts: 1 }
const DEFAULT_MAX_LENGTH = 1 << 20
/** Shorter texts appear in responses by chance. */
const MIN_SECRET_CHARS = 8

/**
 * Applies the defaults.
 *
 * @throws {InvalidSettingsError} for the first invalid setting.
 */
export function resolveSettings(settings: ClientSettings): ResolvedSettings {
  const baseUrl = checkedBaseUrl(settings.baseUrl)
  const credential = credentialHeaders(settings)
  const hasApiKey = settings.apiKey !== undefined && settings.apiKey !== ''
  const send = settings.fetch ?? globalThis.fetch
  return {
    baseUrl,
    baseUrlV2: settings.baseUrlV2 === undefined ? baseUrl : checkedBaseUrl(settings.baseUrlV2),
    ...credential,
    hasApiKey,
    apiVersion: settings.apiVersion ?? (hasApiKey ? 2 : 1),
    timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retry: settings.retry === false ? ONE_ATTEMPT : { ...DEFAULT_RETRY, ...settings.retry },
    maxResponseLength: settings.maxResponseLength ?? DEFAULT_MAX_LENGTH,
    onResponse: settings.onResponse ?? (() => {}),
    fetch: (input, init) => send(input, init),
    clock: settings.clock ?? SYSTEM_CLOCK,
    random: settings.random ?? Math.random,
  }
}

function checkedBaseUrl(text: string): string {
  const problem = new InvalidSettingsError(
    'a base URL is http:// or https:// with a host, and without user, query and fragment',
  )
  if (/[@?#\s]/.test(text)) throw problem
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw problem
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.hostname === '' || url.port === '0') throw problem
  return url.href.replace(/\/+$/, '')
}

function credentialHeaders({ apiKey, basic }: ClientSettings): Pick<ResolvedSettings, 'headers' | 'secrets'> {
  const isSecret = (text: string) => text.length >= MIN_SECRET_CHARS
  if (apiKey !== undefined && apiKey !== '') {
    if (basic !== undefined) throw new InvalidSettingsError('an API key or Basic, not both')
    if (!/^[!-~]+$/.test(apiKey)) throw new InvalidSettingsError('the API key has characters that no header can carry')
    return { headers: { 'x-api-key': apiKey }, secrets: [apiKey].filter(isSecret) }
  }
  if (basic === undefined) return { headers: {}, secrets: [] }
  if (basic.username.includes(':')) throw new InvalidSettingsError('the user name has a colon')
  const bytes = new TextEncoder().encode(`${basic.username}:${basic.password}`)
  const encoded = btoa(String.fromCharCode(...bytes))
  return { headers: { authorization: `Basic ${encoded}` }, secrets: [basic.password, encoded].filter(isSecret) }
}
