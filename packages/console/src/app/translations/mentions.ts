import type { Person } from '../state/records.ts'

type Named = Pick<Person, 'id' | 'name'>

/** Returns the people whose name follows an @ in a text. */
export function mentionedIn<P extends Named>(text: string, people: readonly P[]): readonly P[] {
  let rest = text
  // Of "@Ada Lovelace", the name Ada is only a part.
  const byLength = people.toSorted((a, b) => b.name.length - a.name.length)
  return byLength.filter(({ name }) => {
    const isMentioned = rest.includes(`@${name}`)
    rest = rest.replaceAll(`@${name}`, '')
    return isMentioned
  })
}

/** Returns the beginning of a name that is typed after an @; undefined unless one is. */
export const typedName = (text: string): string | undefined =>
  /(?:^|\s)@([^@\n]{0,40})$/.exec(text)?.[1]

/** Returns the people whose name has a word that begins as typed. */
export function suggestPeople<P extends Named>(typed: string, people: readonly P[]): readonly P[] {
  const wanted = typed.toLocaleLowerCase()
  return people.filter(({ name }) => ` ${name.toLocaleLowerCase()}`.includes(` ${wanted}`))
}

/** Completes the name that is typed at the end of a text. */
export const completeName = (text: string, { name }: Named): string =>
  text.replace(/@[^@\n]*$/, () => `@${name} `)
