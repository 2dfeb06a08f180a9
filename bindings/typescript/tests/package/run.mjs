// Packs the package, installs it into an empty project, and runs programs of every kind with it.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BIN = join(ROOT, 'node_modules', '.bin')
const QUOTED = '2078539413'
const VERIFIED = 'transmitAndSwap 190000000000000000'
const TYPED = `${QUOTED} 8.63 transmitAndSwap function`
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
}

const project = mkdtempSync(join(tmpdir(), 'firmquote-client-'))
const server = await quoteServer()
const env = { ...process.env, FIRMQUOTE_URL: `http://127.0.0.1:${server.address().port}` }
try {
  const tarball = pack()
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true }\n')
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--offline', tarball])
  cpSync(join(ROOT, 'tests/package/consumers'), project, { recursive: true })

  await expect('an ESM program, without viem', QUOTED, ['client.mjs'])
  await expect('a CommonJS program, without viem', QUOTED, ['client.cjs'])
  symlinkSync(join(ROOT, 'node_modules/viem'), join(project, 'node_modules/viem'))
  await expect('an ESM program that verifies', VERIFIED, ['verify.mjs'])
  await expect('a CommonJS program that verifies', VERIFIED, ['verify.cjs'])

  for (const [kind, extension] of [
    ['ESM', 'mts'],
    ['CommonJS', 'cts'],
  ]) {
    cpSync(join(project, 'typed.ts'), join(project, `typed.${extension}`))
    compile({ module: 'Node16', moduleResolution: 'Node16', outDir: `out-${extension}` }, `typed.${extension}`)
    await expect(`a TypeScript program with Node16 resolution, ${kind}`, TYPED, [
      `out-${extension}/typed.${extension.replace('ts', 'js')}`,
    ])
  }
  compile({ module: 'CommonJS', moduleResolution: 'Node10', outDir: 'out-node10' }, 'typed.ts')
  await expect('a TypeScript program with Node10 resolution, CommonJS', TYPED, ['out-node10/typed.js'])
  compile({ module: 'ESNext', moduleResolution: 'Bundler', noEmit: true }, 'typed.ts')
  bundle('typed.ts', 'bundled.mjs', '--platform=node')
  await expect('a TypeScript program with Bundler resolution', TYPED, ['bundled.mjs'])

  bundle('client.mjs', 'page.mjs', '--platform=browser', '--define:process.env.FIRMQUOTE_URL=FIRMQUOTE_URL')
  writeFileSync(join(project, 'browser.mjs'), browserLike('page.mjs'))
  await expect('a bundle for browsers', `warned ${QUOTED}`, ['browser.mjs'])
  const page = readFileSync(join(project, 'page.mjs'), 'utf8')
  if (/node:|require\(/.test(page)) throw new Error('the bundle for browsers needs Node.js')
  console.log(`size of that bundle: ${statSync(join(project, 'page.mjs')).size} bytes`)
} finally {
  server.close()
  rmSync(project, { recursive: true, force: true })
}

/** Packs the built package; it holds nothing but its files and its licences. */
function pack() {
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], ROOT),
  )
  const others = files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'))
  const expected = ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json']
  if (others.sort().join() !== expected.join()) throw new Error(`the package has ${others.join(', ')}`)
  console.log(`ok: packed ${files.length} files`)
  return join(project, filename)
}

function compile(options, file) {
  const config = { compilerOptions: { ...STRICT, skipLibCheck: true, ...options }, files: [file] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  run(join(BIN, 'tsc'), ['-p', 'tsconfig.json'])
}

function bundle(from, to, ...options) {
  run(join(BIN, 'esbuild'), [from, '--bundle', '--format=esm', '--log-level=warning', `--outfile=${to}`, ...options])
}

/** A program that looks like a page, and notes the warning about its credential. */
function browserLike(bundled) {
  return `globalThis.document = {}
globalThis.FIRMQUOTE_URL = process.env.FIRMQUOTE_URL
let warning = ''
console.warn = () => { warning += 'warned ' }
const { log } = console
console.log = (text) => log(warning + text)
await import('./${bundled}')
`
}

function run(program, options, cwd = project) {
  try {
    return execFileSync(program, options, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new Error(`${program} ${options.join(' ')}:\n${error.stdout}${error.stderr}`)
  }
}

async function expect(what, output, program) {
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: project, env, timeout: 30_000 })
  if (stdout.trim() !== output) throw new Error(`${what} prints ${stdout}, expected: ${output}`)
  console.log(`ok: ${what}`)
}

/** Answers every request with a recorded quote. */
async function quoteServer() {
  const { cases } = JSON.parse(readFileSync(join(ROOT, 'tests/vectors/swaps.json'), 'utf8'))
  const listener = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(cases[0].quote))
  })
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return listener
}
