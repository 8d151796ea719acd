import type { ModuleModel } from '@servicekit/catalog'
import type { ResolvedReference } from '../usage/usage.ts'

type Match = ResolvedReference['messages'][number]

/**
 * Returns the match in the module that the folders of a file name: of several modules with the same
 * key, components of `src/orders` use that of `orders`.
 */
export function nearestMatch(first: Match, path: string, modules: readonly ModuleModel[]): Match {
  const folders = path.split('/')
  const module = modules.find(({ name }) => folders.includes(name))
  const message = module?.messages.find(({ key }) => key === first.message.key)
  return module && message ? { module, message } : first
}

/** Returns the reason why i18next may look up the key in another module. */
export function namespaceDoubt(
  modules: readonly string[] | undefined,
  found: string,
  modulesWith: () => readonly ModuleModel[],
  key: string,
): string | undefined {
  if (modules === undefined) {
    const all = modulesWith()
    // The same message from any of them.
    if (all.every((one) => hasSameTexts(one, all[0]!, key))) return undefined
    const names = all.map(({ name }) => name).join(', ')
    return `the namespace is unknown and may be ${names}`
  }
  // With several namespaces, `t` of a hook looks up only the first.
  return modules[0] === found ? undefined : `the namespace ${modules[0]} has no such key`
}

/** Returns whether two modules have the same translations of a message in every language. */
function hasSameTexts(one: ModuleModel, other: ModuleModel, key: string): boolean {
  const [own, others] = [one, other].map(({ messages, source }) => {
    const message = messages.find((each) => each.key === key)!
    const keys = [key, ...(message.group.plural?.values() ?? [])]
    return [...source.translations]
      .map(([language, texts]) => [language, ...keys.map((each) => texts.get(each) ?? null)])
      .filter(([, ...texts]) => texts.some((text) => text !== null))
      .sort()
  })
  return JSON.stringify(own) === JSON.stringify(others)
}
