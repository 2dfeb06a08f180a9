/** Where the messages of a stream come from: Server-Sent Events over `fetch`, or a WebSocket. */

/** One connection. */
export interface MessageSource {
  /** The next message, as JSON text; `undefined` when the connection ends. */
  next(): Promise<string | undefined>
  /** Ends the connection. */
  close(): void
}

/** What this client needs of a WebSocket: browsers, Node.js from 22 on and the package `ws` have it. */
export interface WebSocketLike {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close' | 'error', listener: () => void): void
  close(): void
}

/** The longest event, in characters: several times a book of 64 knots. */
const MAX_EVENT_LENGTH = 1 << 16

/** The most messages of a WebSocket that wait to be read: it cannot be told to send more slowly. */
const MAX_UNREAD = 10_000

/** Splits an event stream (WHATWG HTML, section 9.2) into the data of its events. */
export class EventDecoder {
  #text = ''
  #data: string[] = []
  #length = 0

  /**
   * Takes a piece of the stream, and returns the data of the events that it completes.
   *
   * @throws {RangeError} for an event of more than 65,536 characters.
   */
  take(piece: string): string[] {
    const text = this.#text + piece
    // A carriage return at the end may be half of a line end.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(/\r\n|\n|\r/)
    this.#text = (lines.pop() ?? '') + text.slice(end)
    this.#check(this.#text.length)
    return lines.flatMap((line) => this.#takeLine(line))
  }

  #takeLine(line: string): string[] {
    if (line === '') {
      const data = this.#data
      ;[this.#data, this.#length] = [[], 0]
      return data.length === 0 ? [] : [data.join('\n')]
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'data') {
      this.#length += value.length
      this.#check(this.#length)
      this.#data.push(value)
    }
    return []
  }

  #check(length: number): void {
    if (length > MAX_EVENT_LENGTH) throw new RangeError('an event is too long')
  }
}

/** Server-Sent Events. */
export class EventSourceBody implements MessageSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #bytes = new TextDecoder()
  readonly #events = new EventDecoder()
  #waiting: string[] = []

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader()
  }

  async next(): Promise<string | undefined> {
    for (;;) {
      const message = this.#waiting.shift()
      if (message !== undefined) return message
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#waiting = this.#events.take(this.#bytes.decode(value, { stream: true }))
    }
  }

  close(): void {
    this.#reader.cancel().catch(() => {})
  }
}

/** Text frames of a WebSocket. With more than 10,000 of them unread it is closed, and `next` rejects. */
export class SocketMessages implements MessageSource {
  readonly #socket: WebSocketLike
  #messages: string[] = []
  #isOverrun = false
  #hasEnded = false
  #wake: () => void = () => {}

  constructor(socket: WebSocketLike) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      if (this.#isOverrun) return
      this.#messages.push(String(data))
      if (this.#messages.length > MAX_UNREAD) {
        ;[this.#messages, this.#isOverrun] = [[], true]
        socket.close()
      }
      this.#wake()
    })
    const end = () => {
      this.#hasEnded = true
      this.#wake()
    }
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
  }

  async next(): Promise<string | undefined> {
    while (this.#messages.length === 0 && !this.#hasEnded && !this.#isOverrun) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#isOverrun) throw new Error(`more than ${MAX_UNREAD} messages are unread`)
    return this.#messages.shift()
  }

  close(): void {
    this.#socket.close()
  }
}
