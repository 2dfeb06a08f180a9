/** Books of price levels, and what they give for an input. */
import * as api from '../api/responses.js'
import { DecodeError, type Decoder } from '../json/decode.js'

type LevelBook = api.LevelBook

/** A knot: cumulative input and output, in base units. */
export type Knot = NonNullable<LevelBook['knots']>[number]

/**
 * What a quote for `input` gives at least, in base units: the straight line between two knots, rounded down.
 * `undefined` outside the knots, where nothing is promised, and for a book of bands.
 */
export function outputFor(book: Pick<LevelBook, 'knots'>, input: bigint): bigint | undefined {
  const knots = book.knots ?? []
  const position = knots.findIndex(([knot]) => knot >= input)
  const [end, start] = [knots[position], knots[position - 1]]
  if (end === undefined) return undefined
  if (end[0] === input) return end[1]
  if (start === undefined) return undefined
  return start[1] + ((input - start[0]) * (end[1] - start[1])) / (end[0] - start[0])
}

/** Whether the knots rise, and the price from knot to knot never does. */
export function isConcave(knots: readonly Knot[]): boolean {
  const steps = knots.slice(1).map(([input, output], index) => {
    const [previousInput, previousOutput] = knots[index] ?? [input, output]
    return [input - previousInput, output - previousOutput] as const
  })
  const rises = steps.every(([width, rise]) => width > 0n && rise > 0n)
  const falls = steps.slice(1).every(([width, rise], index) => {
    const [previousWidth, previousRise] = steps[index] ?? [width, rise]
    return rise * previousWidth <= previousRise * width
  })
  return knots.length > 0 && rises && falls
}

/** A book; one whose prices rise is refused, since interpolation would promise what no quote gives. */
export const levelBook: Decoder<LevelBook> = (value, path) => checkedBook(api.levelBook(value, path), path)

/** The levels of a chain's pools. */
export const levelsSnapshot: Decoder<api.LevelsSnapshot> = (value, path) => {
  const snapshot = api.levelsSnapshot(value, path)
  for (const [index, book] of snapshot.books.entries()) checkedBook(book, `${path}.books[${String(index)}]`)
  return snapshot
}

function checkedBook(book: LevelBook, path: string): LevelBook {
  const isCumulative = book.semantics === 'cumulative_input_output_floor'
  if ((isCumulative || book.knots !== undefined) && !isConcave(book.knots ?? [])) {
    throw new DecodeError(`${path}: prices within a book must not rise`)
  }
  return book
}
