import type { MessageModel, Model, ModuleModel } from '@servicekit/catalog'
import { hasName } from './used-messages.ts'

/** Changes of a session. */
export interface SessionChange {
  /** Modules with changed translations in any language, and the names of their messages. */
  readonly translations: ReadonlyMap<string, ReadonlySet<string>>
  /** Modules with exports that were added, removed or have other parameters. */
  readonly keys: ReadonlySet<string>
  /** Modules with removed exports. Existing calls of them show nothing. */
  readonly removed: ReadonlySet<string>
  /**
   * `true` if languages or modules were added or removed, so that the page must be
   * reloaded.
   */
  readonly needsReload: boolean
}

/** Returns what differs between two models; undefined if nothing does. */
export function compareModels(before: Model, after: Model): SessionChange | undefined {
  const changed = after.modules.flatMap((module) => {
    const old = before.modules.find(({ name }) => name === module.name)
    return old === module ? [] : [{ module, old }]
  })
  const names = (test: (module: ModuleModel, old: ModuleModel | undefined) => boolean) =>
    new Set(changed.filter(({ module, old }) => test(module, old)).map(({ module }) => module.name))
  const differ = (of: (module: ModuleModel) => unknown) =>
    names((module, old) => !old || JSON.stringify(of(old)) !== JSON.stringify(of(module)))
  const translations = new Map(
    changed.flatMap(({ module, old }) => {
      const messages = editedMessages(module, old)
      return messages.size > 0 ? [[module.name, messages]] : []
    }),
  )
  const keys = differ(({ messages }) =>
    messages.map(({ name, params, plural, tags }) => [name, params, plural, ...tags]),
  )
  const removed = names((module, old) => !!old?.messages.some(({ name }) => !hasName(module, name)))
  const needsReload = languagesAndModules(before) !== languagesAndModules(after)
  return needsReload || translations.size > 0 || keys.size > 0
    ? { translations, keys, removed, needsReload }
    : undefined
}

/** Returns the names of the messages whose translation differs in any language. */
function editedMessages(module: ModuleModel, old: ModuleModel | undefined): ReadonlySet<string> {
  const keys = new Set<string>()
  const { translations } = module.source
  const before = old?.source.translations
  for (const code of new Set([...translations.keys(), ...(before?.keys() ?? [])])) {
    const [a, b] = [before?.get(code), translations.get(code)]
    if (a === b) continue
    for (const key of a?.keys() ?? []) if (!b?.has(key)) keys.add(key)
    for (const [key, text] of b ?? []) if (a?.get(key) !== text) keys.add(key)
  }
  const isEdited = ({ group }: MessageModel): boolean =>
    [group.key, ...(group.plural?.values() ?? [])].some((key) => keys.has(key))
  return new Set(module.messages.filter(isEdited).map(({ name }) => name))
}

const languagesAndModules = ({ catalog }: Model): string =>
  JSON.stringify([
    catalog.languages,
    catalog.defaultLanguage,
    catalog.modules.map(({ name }) => name),
  ])
