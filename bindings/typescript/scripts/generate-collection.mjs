// Writes ../firmquote.postman_collection.json from ../openapi.json; with --print, prints it instead. The format is that of
// Postman collections 2.1, which Bruno, Insomnia and Hoppscotch import too.
import { readFileSync, writeFileSync } from 'node:fs'

const description = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const VARIABLES = {
  base_url: 'http://127.0.0.1:8080',
  api_key: '',
  username: '',
  password: '',
  chain_id: '1',
  quote_id: '',
}
/** Alternatives of which one has to be given. */
const GIVEN = ['input_asset_symbol', 'output_asset_symbol', 'input_amount']
const KEEP_QUOTE_ID = "pm.collectionVariables.set('quote_id', pm.response.json().id)"
const AUTH = {
  apiKey: { type: 'apikey', apikey: [pair('key', 'x-api-key'), pair('value', '{{api_key}}'), pair('in', 'header')] },
  basic: { type: 'basic', basic: [pair('username', '{{username}}'), pair('password', '{{password}}')] },
}

const folders = new Map()
for (const [path, operations] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const [folder] = operation.tags ?? []
    const isStream = 'text/event-stream' in (operation.responses[200]?.content ?? {})
    if (!folder?.startsWith('version') || isStream) continue
    folders.set(folder, [...(folders.get(folder) ?? []), item(path, method, operation)])
  }
}
const collection = {
  info: {
    name: `${description.info.title} ${description.info.version}`,
    description: description.info.description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: [...folders].map(([name, items]) => ({ name, item: items })),
  variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
}
const text = `${JSON.stringify(collection, null, 1)}\n`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(new URL('../../firmquote.postman_collection.json', import.meta.url), text)

/** One request, with the examples of the description; inputs that may be left out are there and switched off. */
function item(path, method, operation) {
  const inputs = operation.parameters ?? []
  const value = ({ name, example }) => (name in VARIABLES ? `{{${name}}}` : String(example ?? ''))
  const query = inputs
    .filter((input) => input.in === 'query')
    .map((input) => {
      const isLeftOut = !input.required && !GIVEN.includes(input.name)
      return {
        key: input.name,
        value: value(input),
        description: input.description,
        ...(isLeftOut && { disabled: true }),
      }
    })
  const segments = path.split('/').slice(1)
  const filled = segments.map((segment) => segment.replace(/^\{(.*)\}$/, '{{$1}}'))
  const used = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  const raw = `{{base_url}}/${filled.join('/')}${used.length > 0 ? `?${used.join('&')}` : ''}`
  const schemes = operation.security.flatMap((scheme) => Object.keys(scheme))
  const request = {
    method: method.toUpperCase(),
    description: operation.description ?? operation.summary,
    auth: AUTH[schemes[0]],
    header: [],
    url: { raw, host: ['{{base_url}}'], path: filled, query },
  }
  const example = operation.requestBody?.content['application/json'].example
  if (example !== undefined) {
    const body = { ...example, ...('quote_id' in example && { quote_id: '{{quote_id}}' }) }
    const options = { raw: { language: 'json' } }
    Object.assign(request, { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options } })
  }
  const makesQuote = /^(?:\/rfq\/quote|\/rfq\/v2\/quote\/.*)$/.test(path)
  const event = [{ listen: 'test', script: { type: 'text/javascript', exec: [KEEP_QUOTE_ID] } }]
  return { name: operation.summary, ...(makesQuote && { event }), request }
}

function pair(key, value) {
  return { key, value, type: 'string' }
}
