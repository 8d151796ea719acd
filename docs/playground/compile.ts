// oxlint-disable-next-line import/default -- Vite imports the text.
import runtimeDeclarations from '../../packages/catalog/declarations/runtime.d.ts?raw'
import {
  buildModel,
  emitPack,
  emitProjectTypes,
  emitTypes,
  inspect,
  type MessageModel,
  type MessageSyntax,
  type Model,
  normaliseFile,
  type Problem,
  specifierOf,
  type Translations,
} from '@servicekit/catalog/inspection'

/** Messages and code of a visitor. */
export interface Sources {
  readonly syntax: MessageSyntax
  /** JSON of the module `app` by language, the default language first. */
  readonly files: Readonly<Record<string, string>>
  /** TypeScript that imports messages from `~uilm/app`. */
  readonly code: string
}

export interface CompiledMessages {
  readonly model: Model
  /** Declarations of `~uilm` and `~uilm/app`. */
  readonly runtimeTypes: string
  readonly types: string
  readonly problems: readonly Problem[]
}

/** Label of each syntax. */
export const syntaxes: Readonly<Record<MessageSyntax, string>> = {
  'double-brace': '{{name}}',
  'single-brace': '{name}',
  'percent-brace': '%{name}',
  icu: 'ICU MessageFormat',
  'vue-i18n': 'vue-i18n',
}

export const moduleName = 'app'

/**
 * Compiles the messages as a build does.
 *
 * @throws SyntaxError that names the language whose JSON is invalid.
 */
export function compileMessages({
  files,
  syntax,
}: Pick<Sources, 'files' | 'syntax'>): CompiledMessages {
  const codes = Object.keys(files)
  const problems: Problem[] = []
  const translations = new Map<string, Translations>()
  for (const code of codes) {
    const file = normaliseFile(parse(files[code]!, code), { language: code, module: moduleName })
    translations.set(code, file.translations)
    problems.push(...file.problems)
  }
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const catalog = {
    languages: codes.map((code) => ({ code, name: names.of(code) ?? code })),
    defaultLanguage: codes[0]!,
    modules: [{ name: moduleName, translations }],
  }
  const model = buildModel(catalog, { syntax })
  const [module] = model.modules
  const { text } = emitTypes({
    module: module!,
    catalog,
    runtime: '~uilm',
    ambient: specifierOf(moduleName),
    fileName: `${moduleName}.d.ts`,
  })
  return {
    model,
    runtimeTypes: `declare module '~uilm' {\n${emitProjectTypes(catalog)}${runtimeDeclarations}}\n`,
    types: text,
    problems: [...problems, ...inspect(model)],
  }
}

function parse(text: string, language: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    throw new SyntaxError('it is not an object')
  } catch (error) {
    throw new SyntaxError(`${language}.json: ${(error as Error).message}`)
  }
}

/** Returns the pack of a language: what a page downloads of it. */
export const packOf = (
  { model }: CompiledMessages,
  messages: readonly MessageModel[],
  language: string,
): string => emitPack(model, messages, language)
