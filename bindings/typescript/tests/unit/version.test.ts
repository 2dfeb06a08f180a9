import assert from 'node:assert/strict'
import test from 'node:test'
import { isBrowser, warnAboutCredential } from '../../src/client/browser.js'
import { compareVersions } from '../../src/version.js'

test('services of the same major version are compatible, before 1.0 of the same minor version or the next', () => {
  for (const [service, client, compatible] of [
    ['0.1.0', '0.1.0', true],
    ['0.1.9', '0.1.0', true],
    ['0.2.0', '0.1.0', true],
    ['0.2.0-rc.1', '0.1.0', true],
    ['0.3.0', '0.1.0', false],
    ['0.1.0', '0.2.0', false],
    ['1.0.0', '0.1.0', false],
    ['1.5.0', '1.2.3', true],
    ['1.1.0', '1.2.0', true],
    ['2.0.0', '1.2.0', false],
    ['', '0.1.0', false],
    ['latest', '0.1.0', false],
    ['0.1', '0.1.0', false],
  ] as const) {
    const found = compareVersions(service, client)
    assert.equal(found.compatible, compatible, `${service} for ${client}`)
    assert.equal(found.reason === undefined, compatible)
  }
})

test('pages and their workers are browsers', () => {
  assert.ok(isBrowser({ document: {} }))
  assert.ok(isBrowser({ WorkerGlobalScope: class {} }))
  assert.ok(!isBrowser({}))
  assert.ok(!isBrowser())
})

test('a credential in a page is warned about once, unless it is intended', (context) => {
  const warn = context.mock.method(console, 'warn', () => {})
  const settings = { baseUrl: 'http://127.0.0.1:1', apiKey: 'a-key' }
  warnAboutCredential(settings, false)
  warnAboutCredential({ ...settings, allowBrowserCredentials: true }, true)
  warnAboutCredential({ baseUrl: settings.baseUrl }, true)
  assert.equal(warn.mock.callCount(), 0)
  warnAboutCredential(settings, true)
  warnAboutCredential(settings, true)
  assert.equal(warn.mock.callCount(), 1)
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /everyone who opens this page/)
})
