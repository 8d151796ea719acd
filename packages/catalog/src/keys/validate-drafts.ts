import { isMissingMarker } from '@servicekit/contract/limits'
import { ConfigError } from '@servicekit/client'
import { fileClash, nameProblem, stringProblem, unknownName } from '@servicekit/core'
import { languageAdvice } from '../model/languages.ts'
import { lengthOf } from '../syntax/message-length.ts'
import { type MessageSyntax, parseMessage } from '../syntax/message.ts'
import { withTranslations } from '../model/catalog.ts'
import { inspect } from '../model/inspect.ts'
import { buildModel, type Model } from '../model/model.ts'
import { identifierOf } from '../model/names.ts'
import { isRefused } from '../model/problem.ts'
import type { KeyDraft, KeyId } from '../model/key-draft.ts'

/** @throws ConfigError for a key, text or maximum length that cannot be stored. */
export function rejectInvalidDraft(
  { module, key, text, maxLength }: KeyDraft,
  syntax: MessageSyntax,
): void {
  const name = JSON.stringify(key)
  const moduleProblem = nameProblem(module)
  if (moduleProblem) {
    throw new ConfigError(`The module name ${JSON.stringify(module)} ${moduleProblem}`)
  }
  const keyProblem = nameProblem(key)
  if (keyProblem) throw new ConfigError(`The key ${name} ${keyProblem}`)
  if (text === '') throw new ConfigError(`The text of ${name} is empty`)
  if (isMissingMarker(text)) {
    throw new ConfigError(`The text of ${name} is the marker of a missing translation`)
  }
  const problem = stringProblem(text)
  if (problem) throw new ConfigError(`The draft of ${name} ${problem}`)
  if (maxLength === undefined) return
  if (!Number.isInteger(maxLength) || maxLength < 1) {
    throw new ConfigError(
      `The maximum length of ${name} must be a positive integer (received ${maxLength})`,
    )
  }
  const length = lengthOf(parseMessage(text, syntax))
  if (length > maxLength) {
    throw new ConfigError(
      `The text of ${name} has ${length} characters, more than its maximum length ${maxLength}`,
    )
  }
}

/**
 * @throws ConfigError for a text that pages would not show, because the message of its key has
 * other parameters or tags.
 */
export function rejectUnusableTexts(
  drafts: readonly KeyDraft[],
  language: string,
  { catalog, options }: Model,
): void {
  for (const module of catalog.modules) {
    const own = drafts.filter((draft) => draft.module === module.name)
    if (own.length === 0) continue
    const texts = new Map([
      ...(module.translations.get(language) ?? []),
      ...own.map(({ key, text }) => [key, text] as const),
    ])
    const edited = withTranslations(
      { ...catalog, modules: [module] },
      { language, module: module.name },
      texts,
    )
    const model = buildModel(edited, options)
    const keys = new Set(own.map(({ key }) => key))
    const problem = inspect(model).find(
      (one) =>
        isRefused(one.code) &&
        one.language !== catalog.defaultLanguage &&
        model.modules[0]!.messages.some(
          ({ key, group }) =>
            key === one.key &&
            [key, ...(group.plural?.values() ?? [])].some((form) => keys.has(form)),
        ),
    )
    if (problem) {
      throw new ConfigError(
        `The text of ${JSON.stringify(problem.key)} (${problem.language}) ${problem.message}`,
        { help: 'Use the parameters and tags that the default language has.' },
      )
    }
  }
}

/** @throws ConfigError for a language that the project does not have. */
export function rejectUnknownLanguage(language: string, { catalog }: Model): void {
  const codes = catalog.languages.map(({ code }) => code)
  if (codes.includes(language)) return
  throw new ConfigError(`Unknown language "${language}"`, {
    details: { languages: codes.join(', ') },
    help: languageAdvice(language, codes),
  })
}

/** @throws ConfigError for unknown modules, and names that clash with those of others. */
export function rejectClashes(
  added: readonly KeyId[],
  known: readonly KeyId[],
  {
    moduleNames,
    newModules = false,
  }: { readonly moduleNames: readonly string[]; readonly newModules?: boolean },
): void {
  const modules = [...new Set([...moduleNames, ...known.map(({ module }) => module)])]
  for (const { module, key } of added) {
    if (!modules.includes(module)) {
      if (!newModules) {
        throw new ConfigError(unknownName('module', module, modules), {
          help: 'Add --new-modules to create it.',
        })
      }
      const clash = fileClash([...modules, module])
      if (clash) {
        throw new ConfigError(`The modules "${clash[0]}" and "${clash[1]}" have the same file name`)
      }
    }
    const name = identifierOf(key)
    const other = [...known, ...added].find(
      (one) => one.module === module && one.key !== key && identifierOf(one.key) === name,
    )
    if (!other) continue
    throw new ConfigError(`The keys "${key}" and "${other.key}" have the same export name ${name}`)
  }
}
