// Tells Node.js and TypeScript that dist/cjs holds CommonJS, although the package is of type "module".
import { writeFileSync } from 'node:fs'

writeFileSync(new URL('../dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n')
