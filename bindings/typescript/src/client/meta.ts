/** Metadata of a response: request id, rate limit, and the headers that announce changes. */

/** The state of a rate limit (draft-ietf-httpapi-ratelimit-headers-10). */
export interface RateLimit {
  /** The name of the limit: `anonymous`, `anonymous-signatures`, `failed-logins` or `credential`. */
  readonly policy: string
  /** Requests left now. */
  readonly remaining: number
  /** Whole seconds until one more request is allowed, rounded up. */
  readonly resetSeconds: number
  /** Requests allowed at once. */
  readonly quota?: number
  /** The seconds in which a used-up quota is fully restored. */
  readonly windowSeconds?: number
}

/** What the headers of a response tell. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number
  /** The request id, by which the operator finds the request in the log. */
  readonly requestId: string
  /** The attempt, from 1. */
  readonly attempt: number
  /** The state of the rate limit; absent if requests are not limited. */
  readonly rateLimit?: RateLimit
  /** `Deprecation`, for Basic: since when (RFC 9745). */
  readonly deprecation?: string
  /** `Sunset`, for Basic: when it ends (RFC 8594). */
  readonly sunset?: string
  /** `Date` of the service in Unix milliseconds, to the second; browsers do not show it to other origins. */
  readonly dateMs?: number
}

/** Whether the service accepts the text as a request id. */
export function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text)
}

/** A request id that no other request has: 128 random bits. Works in insecure contexts of browsers too. */
export function freshRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Reads the metadata; the request id is the one that was sent if the response has none. */
export function metaOf(status: number, headers: Headers, sentId: string, attempt: number): ResponseMeta {
  const named = headers.get('x-request-id')
  const rateLimit = rateLimitOf(headers)
  const [deprecation, sunset] = [headers.get('deprecation'), headers.get('sunset')]
  const dateMs = Date.parse(headers.get('date') ?? '')
  return {
    status,
    requestId: named !== null && isRequestId(named) ? named : sentId,
    attempt,
    ...(rateLimit && { rateLimit }),
    ...(deprecation !== null && { deprecation }),
    ...(sunset !== null && { sunset }),
    ...(!Number.isNaN(dateMs) && { dateMs }),
  }
}

/** `Retry-After` in milliseconds. A date, which this service never sends, counts as absent. */
export function retryAfterMs(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after')?.trim() ?? ''
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const standing = item(headers.get('ratelimit'))
  const [remaining, resetSeconds] = [standing?.parameters.get('r'), standing?.parameters.get('t')]
  if (standing === undefined || remaining === undefined || resetSeconds === undefined) return undefined
  const rule = item(headers.get('ratelimit-policy'))
  const parameters = rule?.name === standing.name ? rule.parameters : new Map<string, number>()
  const [quota, windowSeconds] = [parameters.get('q'), parameters.get('w')]
  return {
    policy: standing.name,
    remaining,
    resetSeconds,
    ...(quota !== undefined && { quota }),
    ...(windowSeconds !== undefined && { windowSeconds }),
  }
}

/** Name and integer parameters of the single item of a field (RFC 9651). */
function item(field: string | null): { name: string; parameters: Map<string, number> } | undefined {
  const match = /^"([A-Za-z0-9._-]{1,64})"(.*)$/.exec(field ?? '')
  if (match === null) return undefined
  const [, name = '', rest = ''] = match
  const pairs = [...rest.matchAll(/;\s*([a-z]+)=(\d{1,15})(?=\s*(?:;|$))/g)]
  return { name, parameters: new Map(pairs.map(([, key = '', value]) => [key, Number(value)])) }
}
