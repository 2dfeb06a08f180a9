// Runs the compiled tests against a running service, one after another, and the recomputation of many quotes at the end.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../build/tests/service/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.test.js'))
const paths = files.map((name) => fileURLToPath(new URL(name, folder)))
// Node.js 20 has a WebSocket behind a flag, later releases have it anyway.
const needsFlag =
  globalThis.WebSocket === undefined && process.allowedNodeEnvironmentFlags.has('--experimental-websocket')
const flags = needsFlag ? ['--experimental-websocket'] : []

run([...flags, '--test', ...paths])
run([fileURLToPath(new URL('recompute.js', folder))])

function run(options) {
  const { status } = spawnSync(process.execPath, options, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
