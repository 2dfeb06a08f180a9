/** Credentials in web pages: they are visible to everyone who opens the page. */
import type { ClientSettings } from './settings.js'

interface PageGlobals {
  readonly document?: unknown
  readonly WorkerGlobalScope?: unknown
}

/** Whether this code runs in a web page or in one of its workers. */
export function isBrowser(globals: object = globalThis): boolean {
  const { document, WorkerGlobalScope } = globals as PageGlobals
  return document !== undefined || WorkerGlobalScope !== undefined
}

let hasWarned = false

/** Warns on the console, once, if a client in a web page holds a credential without a statement that this is intended. */
export function warnAboutCredential(settings: ClientSettings, inBrowser: boolean): void {
  const hasCredential = (settings.apiKey !== undefined && settings.apiKey !== '') || settings.basic !== undefined
  if (!inBrowser || !hasCredential || settings.allowBrowserCredentials === true || hasWarned) return
  hasWarned = true
  console.warn(
    'firmquote-client: everyone who opens this page can read its API key or password and use it. Give pages no credential, ' +
      'or one with its own limits, and set allowBrowserCredentials to true if this is intended.',
  )
}
