/** What tests against a running service read from the environment. */
import { FirmquoteClient } from '../../src/index.js'

/** The value of a variable; ends the process with a message if it is not set. */
export function required(name: string): string {
  const value = process.env[name]
  if (value !== undefined && value !== '') return value
  console.error(`set ${name}: these tests need a running service (FIRMQUOTE_URL, FIRMQUOTE_API_KEY)`)
  process.exit(2)
}

/** The value of a variable as a positive integer, or a default. */
export function count(name: string, byDefault: number): number {
  const text = process.env[name] ?? String(byDefault)
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  console.error(`${name} has to be a positive integer`)
  process.exit(2)
}

/** A client with the API key of the environment. */
export function serviceClient(): FirmquoteClient {
  return new FirmquoteClient({ baseUrl: required('FIRMQUOTE_URL'), apiKey: required('FIRMQUOTE_API_KEY') })
}

/** User name and password for version 1, if they are set. */
export function basicCredential(): { username: string; password: string } | undefined {
  const [username, ...password] = (process.env['FIRMQUOTE_BASIC'] ?? '').split(':')
  return username === undefined || password.length === 0 ? undefined : { username, password: password.join(':') }
}
