// Asks the admin listener that served this page, and nobody else.

const PATIENCE_MS = 5_000;

// An answer that says no.
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// The JSON of a path beside this page. A token travels in a header, never in an address. Throws a Refusal for an answer
// that says no, and another error when there is none.
export async function ask(path, { method = "GET", token = null } = {}) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(path, { method, headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  const body = await answer.json();
  if (!answer.ok) throw new Refusal(answer.status, String(body.errorMessage ?? answer.statusText));
  return body;
}
