/** An HTTP server in this process, on a port of its own, that answers as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Responder = (request: Received, response: ServerResponse, count: number) => void

export interface StubServer {
  readonly url: string
  /** The requests that arrived, in order. */
  readonly received: Received[]
}

/** Starts a server that the test stops at its end. */
export async function stubServer(test: TestContext, respond: Responder): Promise<StubServer> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub')
    const body = Buffer.concat(chunks).toString('utf8')
    const entry = { method: request.method ?? '', path: pathname, query: searchParams, headers: request.headers, body }
    received.push(entry)
    respond(entry, response, received.length)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  test.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** The URL of a port that nothing listens on. */
export async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}
