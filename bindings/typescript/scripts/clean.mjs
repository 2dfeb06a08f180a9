// Removes the named folders of the package.
import { rmSync } from 'node:fs'

for (const folder of process.argv.slice(2)) {
  rmSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, force: true })
}
