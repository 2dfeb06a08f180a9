/** Files beside the tests, found from the compiled tests. */
import { readFileSync } from 'node:fs'

/** The root of the package: compiled tests are in `build/tests`. */
export const PACKAGE = new URL('../../../', import.meta.url)

export function readText(path: string): string {
  return readFileSync(new URL(path, PACKAGE), 'utf8')
}

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, which tests take apart
export function readDocument(path: string): any {
  return JSON.parse(readText(path))
}
