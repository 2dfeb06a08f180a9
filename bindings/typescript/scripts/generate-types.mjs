// Writes src/api/openapi.ts from ../openapi.json; with --print, prints it instead.
import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const HEADER = '// Generated from ../openapi.json by `npm run generate`. Do not edit.\n\n'
const source = new URL('../../openapi.json', import.meta.url)
const text = HEADER + astToString(await openapiTS(source))
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(new URL('../src/api/openapi.ts', import.meta.url), text)
