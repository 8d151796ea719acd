import type { MarkKind, MessageMark } from '../state/records.ts'

/** Filters by what people have to do with a message. */
const kinds = ['assigned', 'nobody', 'comments', 'mentions', 'changed'] as const
type PeopleFilterKind = (typeof kinds)[number]

/** Filter by people, as the address has it, such as `assigned:ID` or `nobody`. */
export interface PeopleFilter {
  readonly kind: PeopleFilterKind
  /** Id of a person. */
  readonly person?: string
}

/** Reads a filter by people; undefined if there is none. */
export function readPeopleFilter(text: string): PeopleFilter | undefined {
  const [, name, person] = /^(\w+)(?::(.+))?$/.exec(text) ?? []
  const kind = kinds.find((one) => one === name)
  return kind && { kind, ...(person !== undefined && { person }) }
}

/** Returns what the platform lists for a filter. */
export const markOf = ({ kind, person }: PeopleFilter) => ({
  kind: (kind === 'nobody' ? 'assigned' : kind) satisfies MarkKind,
  ...(person !== undefined && { person }),
})

interface Message {
  readonly module: string
  readonly key: string
}

const idOf = ({ module, key }: Message): string => JSON.stringify([module, key])

/**
 * Creates the test whether a message fulfils a filter by people, in a language or, if that is empty,
 * in any. A comment on the message as a whole counts for each language.
 */
export function createPeopleTest(
  { kind }: PeopleFilter,
  marks: readonly MessageMark[],
  language: string,
): (message: Message) => boolean {
  const marked = new Set(
    marks
      .filter(
        ({ languages }) =>
          language === '' || languages.includes(language) || languages.includes(null),
      )
      .map(idOf),
  )
  return (message) => marked.has(idOf(message)) === (kind !== 'nobody')
}
