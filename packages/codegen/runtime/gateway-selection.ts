/** Field of a selection, by its name in the response, and the members that it selects. @internal */
export interface GatewaySelected {
  readonly name: string
  readonly field: string
  readonly members: readonly GatewaySelected[]
}

type Member = Field | { readonly fragment: string }

interface Field {
  readonly name: string
  readonly field: string
  readonly members: Member[]
}

/** Block strings, strings, comments, and the tokens that matter. */
const tokens = /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\])*"|#.*|\.\.\.|\w+|[{}():@]/g

/**
 * Reads the selection of a GraphQL document: the fields of its operations, among them those of
 * fragments. It may be anything for a document that is not valid, which the gateway reports.
 *
 * @internal
 */
export function selectionOf(document: string): readonly GatewaySelected[] {
  const words = (document.match(tokens) ?? []).filter((token) => !/^["#]/.test(token))
  let position = 0
  const next = (): string => words[position++] ?? ''
  const skip = (wanted: string): boolean => {
    const isNext = words[position] === wanted
    if (isNext) position++
    return isNext
  }
  /** Skips arguments in parentheses, and directives. */
  const skipDetails = (): void => {
    for (;;) {
      if (skip('@')) next()
      else if (skip('(')) {
        for (let depth = 1; depth > 0 && position < words.length;) {
          const word = next()
          depth += word === '(' ? 1 : word === ')' ? -1 : 0
        }
      } else return
    }
  }
  const readMembers = (members: Member[]): Member[] => {
    while (position < words.length && !skip('}')) {
      if (skip('...')) readSpread(members)
      else members.push(readField())
    }
    return members
  }
  const readField = (): Field => {
    const name = next()
    const field = skip(':') ? next() : name
    skipDetails()
    return { name, field, members: skip('{') ? readMembers([]) : [] }
  }
  const readSpread = (members: Member[]): void => {
    const isInline = skip('on') || /^[@{]$/.test(words[position] ?? '')
    if (isInline) {
      if (words[position - 1] === 'on') next()
      skipDetails()
      if (skip('{')) readMembers(members)
    } else {
      members.push({ fragment: next() })
      skipDetails()
    }
  }
  const operations: Member[] = []
  const fragments = new Map<string, readonly Member[]>()
  while (position < words.length) {
    const isFragment = skip('fragment')
    const name = isFragment ? next() : ''
    while (position < words.length && words[position] !== '{') {
      const before = position
      skipDetails()
      if (position === before) position++
    }
    skip('{')
    if (isFragment) fragments.set(name, readMembers([]))
    else readMembers(operations)
  }
  return fieldsOf(operations, fragments, [])
}

/** Returns fields with those of fragments in place. A fragment may not contain itself. */
function fieldsOf(
  members: readonly Member[],
  fragments: ReadonlyMap<string, readonly Member[]>,
  above: readonly string[],
): readonly GatewaySelected[] {
  return members.flatMap((member) => {
    if ('field' in member)
      return [{ ...member, members: fieldsOf(member.members, fragments, above) }]
    const { fragment } = member
    return above.includes(fragment)
      ? []
      : fieldsOf(fragments.get(fragment) ?? [], fragments, [...above, fragment])
  })
}
