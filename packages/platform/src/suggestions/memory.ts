import { comparable, similarity } from './similarity.ts'

/** Source text and its translation in another language. */
export interface Pair {
  readonly source: string
  readonly target: string
  /** Origin of the pair: `auth / SIGN_IN`. */
  readonly origin: string
}

/** Pair whose source text is similar to the requested one. */
export interface Match extends Pair {
  /** 1 for an identical text, lower if it differs in case, punctuation and so on. */
  readonly score: number
}

/** Index that finds similar texts. */
export interface Memory {
  /** Returns the matches with at least this score, best first. */
  readonly find: (text: string, minScore: number) => readonly Match[]
}

/** Maximum number of texts to compare; those that share the fewest trigrams are skipped. */
const maxCompared = 200
/** Score of a text that differs only in case, outer white space or final punctuation. */
const nearlySame = 0.98

/** Indexes pairs by the trigrams of their source texts. */
export function memoryOf(pairs: readonly Pair[]): Memory {
  const texts = pairs.map(({ source }) => comparable(source))
  const index = new Map<string, number[]>()
  for (const [number, text] of texts.entries()) {
    for (const piece of piecesOf(text)) {
      const numbers = index.get(piece)
      if (numbers) numbers.push(number)
      else index.set(piece, [number])
    }
  }

  const candidates = (text: string): readonly number[] => {
    const counts = new Map<number, number>()
    for (const piece of piecesOf(text)) {
      for (const number of index.get(piece) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    return [...counts]
      .sort(([a, inA], [b, inB]) => inB - inA || texts[a]!.length - texts[b]!.length || a - b)
      .slice(0, maxCompared)
      .map(([number]) => number)
  }

  return {
    find: (text, minScore) => {
      const wanted = comparable(text)
      if (wanted === '') return []
      return candidates(wanted)
        .map((number) => {
          const pair = pairs[number]!
          const score = similarity(wanted, texts[number]!)
          if (score < 1) return { ...pair, score: Math.min(score, nearlySame) }
          return { ...pair, score: pair.source === text ? 1 : nearlySame }
        })
        .filter(({ score }) => score >= minScore)
        .sort((a, b) => b.score - a.score)
    },
  }
}

function piecesOf(text: string): ReadonlySet<string> {
  const padded = ` ${text} `
  const pieces = new Set<string>()
  for (let start = 0; start <= padded.length - 3; start++)
    pieces.add(padded.slice(start, start + 3))
  return pieces
}
