import type { Translations } from './normalise.ts'
import { ServicekitError } from '@servicekit/client'
import { type Catalog, type CatalogModule, withTranslations } from './catalog.ts'
import { buildModel, type Model, type ModelOptions, modelOptions } from './model.ts'
import { formatProblem } from './problem.ts'
import { withPseudo } from './pseudo.ts'

/**
 * Builds the model of a catalog.
 *
 * @throws ServicekitError CATALOG_INVALID with the keys whose names clash.
 */
export function modelOf(catalog: Catalog, options: ModelOptions): Model {
  const model = buildModel(catalog, modelOptions(options))
  const errors = model.problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return model
  throw new ServicekitError('Conflicting names of keys or modules', {
    code: 'CATALOG_INVALID',
    details: Object.fromEntries(
      errors.slice(0, 20).map((problem, index) => [String(index + 1), formatProblem(problem)]),
    ),
    help: 'Rename them where they are edited: in the files, or on the platform before a pull.',
  })
}

/** Snapshot file whose translations changed. */
export interface ChangedFile {
  readonly language: string
  readonly module: string
  readonly translations: Translations
}

/**
 * Returns the model after some files have changed. Rebuilds only the modules of these
 * files.
 */
export function updateModel(model: Model, changed: readonly ChangedFile[]): Model {
  const catalog = changed.reduce(
    (before, { translations, ...id }) => withTranslations(before, id, translations),
    model.catalog,
  )
  const names = new Set(changed.map(({ module }) => module))
  const part = buildModel(
    { ...catalog, modules: catalog.modules.filter(({ name }) => names.has(name)) },
    model.options,
  )
  return {
    ...model,
    catalog,
    modules: model.modules.map(
      (module) => part.modules.find(({ name }) => name === module.name) ?? module,
    ),
    problems: part.problems,
  }
}

/** Builds the model of a catalog. Modules whose translations are those of the model before are kept. */
export function modelAfter(
  before: Model | undefined,
  catalog: Catalog,
  options: ModelOptions,
): Model {
  const known = new Map(before?.modules.map((module) => [module.name, module]))
  const isSame = (module: CatalogModule): boolean => {
    const old = known.get(module.name)?.source.translations
    return (
      old?.size === module.translations.size &&
      [...old].every(([code, texts]) => module.translations.get(code) === texts)
    )
  }
  const shape = ({ languages, defaultLanguage }: Catalog): string =>
    JSON.stringify([languages, defaultLanguage])
  const whole = withPseudo(catalog, options.pseudo ?? {})
  if (!before || shape(before.catalog) !== shape(whole)) return modelOf(catalog, options)
  const part = modelOf(
    { ...catalog, modules: catalog.modules.filter((one) => !isSame(one)) },
    options,
  )
  const fresh = new Map(part.modules.map((module) => [module.name, module]))
  const modules = catalog.modules.map(({ name }) => fresh.get(name) ?? known.get(name)!)
  return { ...part, catalog: whole, modules }
}
