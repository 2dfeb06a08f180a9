/** Lets Node.js import the generated modules, whose imports have no extensions. */

import { register } from 'node:module'

const hooks = `
export async function resolve(specifier, context, next) {
  for (const ending of ['', '.js', '/index.js']) {
    try { return await next(specifier + ending, context) } catch (error) { if (ending === '/index.js') throw error }
  }
}
export async function load(url, context, next) {
  return next(url, url.startsWith('file:') && url.endsWith('.js') ? { ...context, format: 'module' } : context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
