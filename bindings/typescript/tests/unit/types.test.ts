import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { PACKAGE, readDocument, readText } from '../support/files.js'

for (const [script, option, file] of [
  ['generate-types', '--print', 'src/api/openapi.ts'],
  ['generate-responses', '--print typescript', 'src/api/responses.ts'],
  ['generate-responses', '--print python', '../python/src/firmquote/types/responses.py'],
  ['generate-collection', '--print', '../firmquote.postman_collection.json'],
] as const) {
  test(`${file} is generated from the committed document`, () => {
    const path = fileURLToPath(new URL(`scripts/${script}.mjs`, PACKAGE))
    const generated = execFileSync(process.execPath, [path, ...option.split(' ')], {
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    })
    assert.equal(generated, readText(file), 'run `npm run generate`')
  })
}

test('the versions of package, source and document agree', async () => {
  const { API_VERSION, CLIENT_VERSION } = await import('../../src/index.js')
  assert.equal(CLIENT_VERSION, readDocument('package.json').version)
  assert.equal(API_VERSION, readDocument('../openapi.json').info.version)
})
