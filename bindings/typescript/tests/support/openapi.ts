/** The OpenAPI document of the service, taken apart for tests. */
import { readDocument } from './files.js'

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Json = any

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Names of path and query parameters, and of the members of the body. */
  readonly inputs: readonly string[]
  readonly operation: Json
}

export const document: Json = readDocument('../openapi.json')

/** Every operation but those of pages for people: responses in HTML, their files, and HEAD. */
export function operations(): Operation[] {
  const all = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method, operation]) => method !== 'head' && operation.operationId !== undefined)
      .map(([method, operation]) => ({
        id: operation.operationId,
        method,
        path,
        inputs: inputsOf(operation),
        operation,
      })),
  )
  return all.filter(({ operation }) => !isPage(operation))
}

/** The examples of a successful response, by name. */
export function examples(operation: Json): Json[] {
  const content = operation.responses['200']?.content['application/json']
  const named = Object.values<Json>(content?.examples ?? {}).map((example) => resolve(example).value)
  return content?.example === undefined ? named : [content.example]
}

/** The examples of all error responses, with their status. */
export function refusals(): { name: string; status: number; value: Json }[] {
  const found = new Map<string, { name: string; status: number; value: Json }>()
  for (const { operation } of operations()) {
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      const content = response.content?.['application/json']
      for (const [name, example] of Object.entries<Json>(Number(status) >= 400 ? (content?.examples ?? {}) : {})) {
        found.set(`${status} ${name}`, { name, status: Number(status), value: resolve(example).value })
      }
    }
  }
  return [...found.values()]
}

/** The object that a reference names. */
export function resolve(object: Json): Json {
  const reference: string | undefined = object?.$ref
  if (reference === undefined) return object
  return resolve(
    reference
      .slice(2)
      .split('/')
      .reduce((value: Json, step) => value[step], document),
  )
}

function inputsOf(operation: Json): string[] {
  const parameters = (operation.parameters ?? []).map((parameter: Json) => resolve(parameter).name)
  const body = operation.requestBody?.content['application/json'].schema
  return [...parameters, ...bodyMembers(body)]
}

function bodyMembers(schema: Json): string[] {
  if (schema === undefined) return []
  const { properties = {}, allOf = [] } = resolve(schema)
  return [...new Set([...Object.keys(properties), ...allOf.flatMap(bodyMembers)])]
}

function isPage(operation: Json): boolean {
  const types = Object.keys(operation.responses['200']?.content ?? {})
  return types.length > 0 && types.every((type) => type.startsWith('text/') && type !== 'text/event-stream')
}
