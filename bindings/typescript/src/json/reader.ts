/**
 * A JSON reader that keeps the digits of every number. `JSON.parse` turns numbers into doubles, and the reviver that
 * shows their source text is missing from Node.js 20 and older browsers. Reads RFC 8259, refuses duplicate members and
 * deep nesting, and never creates objects with a prototype.
 */

/** A number as it was written. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** An object; a map, so that no member name has a meaning of its own. */
export type JsonObject = ReadonlyMap<string, JsonValue>

/** Any JSON value. */
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject

const MAX_DEPTH = 32
const BLANKS = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings exclude them
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ['null', null],
  ['true', true],
  ['false', false],
])

/**
 * Reads one JSON value.
 *
 * @throws {SyntaxError} for anything else, for duplicate members, and for more than 32 levels.
 */
export function readJson(text: string): JsonValue {
  const cursor = new Cursor(text)
  const value = readValue(cursor, 0)
  cursor.skip(BLANKS)
  if (!cursor.isAtEnd()) throw cursor.error('text after the value')
  return value
}

/** Writes a value as compact JSON, with the digits of its numbers unchanged. */
export function writeJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text
  if (value instanceof Map) {
    const members = [...(value as JsonObject)].map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`)
    return `{${members.join(',')}}`
  }
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  return JSON.stringify(value)
}

class Cursor {
  #position = 0

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    return this.#position === this.text.length
  }

  skip(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.text)?.[0]
    this.#position += found?.length ?? 0
    return found
  }

  accept(word: string): boolean {
    if (!this.text.startsWith(word, this.#position)) return false
    this.#position += word.length
    return true
  }

  error(what: string): SyntaxError {
    return new SyntaxError(`not JSON: ${what} at position ${this.#position}`)
  }
}

function readValue(cursor: Cursor, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw cursor.error('too many levels')
  cursor.skip(BLANKS)
  if (cursor.accept('{')) return readObject(cursor, depth)
  if (cursor.accept('[')) return readArray(cursor, depth)
  const string = cursor.skip(STRING)
  if (string !== undefined) return JSON.parse(string) as string
  const number = cursor.skip(NUMBER)
  if (number !== undefined) return new JsonNumber(number)
  for (const [word, value] of WORDS) if (cursor.accept(word)) return value
  throw cursor.error('no value')
}

function readObject(cursor: Cursor, depth: number): JsonObject {
  const members = new Map<string, JsonValue>()
  cursor.skip(BLANKS)
  if (cursor.accept('}')) return members
  do {
    cursor.skip(BLANKS)
    const quoted = cursor.skip(STRING)
    if (quoted === undefined) throw cursor.error('no member name')
    const name = JSON.parse(quoted) as string
    if (members.has(name)) throw cursor.error('a duplicate member')
    cursor.skip(BLANKS)
    if (!cursor.accept(':')) throw cursor.error('no colon')
    members.set(name, readValue(cursor, depth + 1))
    cursor.skip(BLANKS)
  } while (cursor.accept(','))
  if (!cursor.accept('}')) throw cursor.error('an unfinished object')
  return members
}

function readArray(cursor: Cursor, depth: number): JsonValue[] {
  const items: JsonValue[] = []
  cursor.skip(BLANKS)
  if (cursor.accept(']')) return items
  do {
    items.push(readValue(cursor, depth + 1))
    cursor.skip(BLANKS)
  } while (cursor.accept(','))
  if (!cursor.accept(']')) throw cursor.error('an unfinished array')
  return items
}
