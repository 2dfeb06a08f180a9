/** One exchange: a request and its complete response, or its open body, within time and size limits. */
import { InterruptedError, InvalidResponseError, TimedOutError, UnreachableError } from '../errors/errors.js'
import { oneLine } from '../json/decode.js'
import { CLIENT_VERSION } from '../version.js'
import { isBrowser } from './browser.js'
import type { Route } from './route.js'
import type { ResolvedSettings } from './settings.js'

/** What one exchange needs. */
export interface Exchange {
  readonly route: Route
  readonly requestId: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** A complete response of any status. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** The response to a request for a stream: its head and its body, or any other response. */
export type Opened = { readonly stream: ReadableStream<Uint8Array>; readonly headers: Headers } | RawResponse

/** Error codes of Node.js for attempts that never made a connection. */
const CONNECT_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/**
 * Sends a request and reads the whole response.
 *
 * @throws {UnreachableError | TimedOutError | InterruptedError | InvalidResponseError} or the reason of the signal.
 */
export async function exchange(settings: ResolvedSettings, request: Exchange): Promise<RawResponse> {
  const timed = startTimer(settings, request)
  try {
    const response = await send(settings, request, timed)
    return await complete(settings, request, response, timed)
  } finally {
    timed.stop()
    timed.disconnect()
  }
}

/** Like `exchange`, but leaves the body of an event stream open; the timeout covers its head only. */
export async function openStream(settings: ResolvedSettings, request: Exchange): Promise<Opened> {
  const timed = startTimer(settings, request)
  try {
    const response = await send(settings, request, timed)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (response.status === 200 && isStream && response.body !== null) {
      return { stream: response.body, headers: response.headers }
    }
    return await complete(settings, request, response, timed)
  } catch (error) {
    timed.disconnect()
    throw error
  } finally {
    timed.stop()
  }
}

interface Timer {
  readonly signal: AbortSignal
  readonly hasElapsed: () => boolean
  /** Ends the timer; the signal of the caller stays connected, for the body of a stream. */
  readonly stop: () => void
  /** Disconnects the signal of the caller. */
  readonly disconnect: () => void
}

function startTimer({ clock }: ResolvedSettings, { timeoutMs, signal }: Exchange): Timer {
  const controller = new AbortController()
  let elapsed = false
  const stop = clock.schedule(timeoutMs, () => {
    elapsed = true
    controller.abort()
  })
  const onAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  const disconnect = () => signal?.removeEventListener('abort', onAbort)
  return { signal: controller.signal, hasElapsed: () => elapsed, stop, disconnect }
}

async function send(settings: ResolvedSettings, request: Exchange, timer: Timer): Promise<Response> {
  const { route, requestId } = request
  const base = route.version === 1 ? settings.baseUrl : settings.baseUrlV2
  const headers: Record<string, string> = {
    accept: route.accept,
    'x-request-id': requestId,
    ...(route.isPublic ? {} : settings.headers),
    ...request.headers,
  }
  if (route.body !== undefined) headers['content-type'] = 'application/json'
  // Browsers name themselves, and a header of another name would need the permission of the service.
  if (!isBrowser()) headers['user-agent'] = `firmquote-client-typescript/${CLIENT_VERSION}`
  const init: RequestInit = { method: route.body === undefined ? 'GET' : 'POST', headers, signal: timer.signal }
  try {
    return await settings.fetch(base + route.path, {
      ...init,
      ...(route.body !== undefined && { body: route.body }),
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    })
  } catch (error) {
    throw failure(error, request, timer)
  }
}

async function complete(
  settings: ResolvedSettings,
  request: Exchange,
  response: Response,
  timer: Timer,
): Promise<RawResponse> {
  const { status, headers, type } = response
  if (type === 'opaqueredirect') throw new InvalidResponseError(status, 'it is a redirect', request.requestId)
  const decoder = new TextDecoder()
  let body = ''
  try {
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) break
      body += decoder.decode(part.value, { stream: true })
      if (body.length > settings.maxResponseLength) {
        await reader?.cancel()
        const problem = `it is longer than ${settings.maxResponseLength} characters`
        throw new InvalidResponseError(status, problem, request.requestId)
      }
    }
  } catch (error) {
    throw error instanceof InvalidResponseError ? error : failure(error, request, timer)
  }
  return { status, headers, body: body + decoder.decode() }
}

function failure(error: unknown, { signal, requestId, timeoutMs }: Exchange, timer: Timer): unknown {
  if (signal?.aborted === true) return signal.reason
  if (timer.hasElapsed()) return new TimedOutError(timeoutMs, requestId)
  const cause = rootCause(error)
  const reason = oneLine(cause.message)
  const isUnsent = cause.code !== undefined && CONNECT_CODES.includes(cause.code)
  return isUnsent
    ? new UnreachableError(`the service cannot be reached: ${reason}`, requestId, { cause: error })
    : new InterruptedError(`the connection ended before the response was complete: ${reason}`, requestId, {
        cause: error,
      })
}

/** `fetch` hides why a connection failed behind one or two causes. */
function rootCause(error: unknown): { message: string; code?: string } {
  let [current, depth] = [error as { cause?: unknown; errors?: unknown[] } | undefined, 0]
  while (depth < 4 && (current?.cause ?? current?.errors?.[0]) !== undefined) {
    current = (current?.cause ?? current?.errors?.[0]) as typeof current
    depth += 1
  }
  const { message, code } = (current ?? {}) as { message?: unknown; code?: unknown }
  return { message: String(message ?? 'no reason given'), ...(typeof code === 'string' && { code }) }
}
