// Requests to the admin listener that served this page, and to no other server.

const TIMEOUT_MS = 5_000;

// An error response of the service.
export class ResponseError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// No response, or an unreadable one.
export class Unreachable extends Error {}

// Fetches JSON from a path relative to this page. A token is sent in a header, never in the URL. Throws a ResponseError
// for an error response, and Unreachable if there is none.
export async function fetchJson(path, { method = "GET", token = null, timeout = TIMEOUT_MS } = {}) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const { response, body } = await receive(path, { method, headers, cache: "no-store", signal: AbortSignal.timeout(timeout) });
  if (!response.ok) throw new ResponseError(response.status, String(body.errorMessage ?? response.statusText));
  return body;
}

async function receive(path, options) {
  try {
    const response = await fetch(path, options);
    return { response, body: await response.json() };
  } catch (error) {
    throw new Unreachable("The service does not respond.", { cause: error });
  }
}
