// Asks the admin listener that served this page, and nobody else.

const PATIENCE_MS = 5_000;

// An answer that says no.
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// No answer, or none that this page understands.
export class Silence extends Error {}

// The JSON of a path beside this page. A token travels in a header, never in an address. Throws a Refusal for an answer
// that says no, and Silence when there is none.
export async function ask(path, { method = "GET", token = null } = {}) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const { answer, body } = await answered(path, { method, headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Refusal(answer.status, String(body.errorMessage ?? answer.statusText));
  return body;
}

async function answered(path, options) {
  try {
    const answer = await fetch(path, options);
    return { answer, body: await answer.json() };
  } catch (error) {
    throw new Silence("The service does not answer.", { cause: error });
  }
}
