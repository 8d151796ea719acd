import { join, posix, relative, sep } from 'node:path'
import type { Model, ModuleModel } from '../model/model.ts'
import { entryNames, importNameOf, lookupName, specifierOf } from '../model/names.ts'
import { locateKey } from '../model/locate-key.ts'
import { snapshotPath } from '../model/snapshot-text.ts'
import type { EmittedFile } from '../files/write.ts'
import { adapterTypes } from './adapters.ts'
import { emitI18nextTypes } from './i18next.ts'
import { emitLookupTypes } from './lookup.ts'
import { rejectPathClash } from './path-clash.ts'
import { emitRuntimeTypes } from './runtime-types.ts'
import { ambientHead, emitTypes, noLint } from './types.ts'

export interface DeclarationOptions {
  /** Folder of generated files. The declarations are in its folder `types`. */
  readonly outDir: string
  readonly snapshotDir: string
  /**
   * Also declares exact keys that are no identifiers as exports; true by default. TypeScript
   * before 5.6 cannot read them.
   */
  readonly stringExports?: boolean
}

/** Returns the folder of the declarations: `.servicekit/types`. */
export const declarationsDir = ({ outDir }: Pick<DeclarationOptions, 'outDir'>): string =>
  join(outDir, 'types')

/**
 * Emits the declarations of `~uilm` and each `~uilm/…` as ambient modules, and an
 * `index.d.ts` that references all of them. A project includes the folder, or a file with
 *
 * ```ts
 * /// <reference path="../.servicekit/types/index.d.ts" />
 * ```
 *
 * @throws ServicekitError CATALOG_INVALID for a module whose file would be a folder of another.
 */
export function emitDeclarations(model: Model, paths: DeclarationOptions): readonly EmittedFile[] {
  const folder = declarationsDir(paths)
  const adapters = entryNames.flatMap((name) =>
    name === 'i18next'
      ? []
      : {
          path: join(folder, 'uilm', `${name}.d.ts`),
          text: `${noLint}\n${ambientHead(`~uilm/${name}`)}\nimport type { Language } from '~uilm'\n\n${adapterTypes(name, '~uilm/server')}}\n`,
        },
  )
  const own = [
    {
      path: join(folder, 'uilm.d.ts'),
      text: `${noLint}\n${ambientHead('~uilm')}\n${emitRuntimeTypes({ ...model.catalog, markup: model.options.markup })}}\n`,
    },
    ...adapters,
    { path: join(folder, 'uilm', 'i18next.d.ts'), text: emitI18nextTypes(model) },
  ]
  const ofModules = model.modules.map((module) => ({
    module: module.name,
    files: emitModuleDeclarations(model, module, paths),
  }))
  rejectPathClash(folder, [
    ...own,
    ...ofModules.flatMap(({ module, files }) => files.map(({ path }) => ({ path, module }))),
  ])
  const files = [...own, ...ofModules.flatMap((one) => one.files)]
  const index = { path: join(folder, 'index.d.ts'), text: emitIndex(folder, files) }
  return [index, ...files].map((file) => ({ ...file, folder: paths.outDir }))
}

/** Emits the file that references all declarations. */
const emitIndex = (folder: string, files: readonly EmittedFile[]): string =>
  [
    `${noLint}\n`,
    ...files
      .filter(({ path }) => path.endsWith('.d.ts'))
      .map(({ path }) => `/// <reference path="./${toPosix(relative(folder, path))}" />\n`),
  ].join('')

/** Emits the declarations of one module and of its lookup, and their source map. */
function emitModuleDeclarations(
  model: Model,
  module: ModuleModel,
  paths: DeclarationOptions,
): readonly EmittedFile[] {
  const name = importNameOf(module.name)
  const path = join(declarationsDir(paths), 'uilm', `${name}.d.ts`)
  const { defaultLanguage } = model.catalog
  const { files, translations } = module.source
  const source =
    (files?.get(defaultLanguage) ?? [...(files?.values() ?? [])][0])?.path ??
    join(paths.snapshotDir, snapshotPath(defaultLanguage, module.name))
  const lines = [...(translations.get(defaultLanguage)?.keys() ?? [])].flatMap((key) => {
    const place = locateKey(paths.snapshotDir, module.source, defaultLanguage, key)
    return place ? [[key, place.line] as const] : []
  })
  const { text, map = '' } = emitTypes({
    module,
    catalog: model.catalog,
    runtime: '~uilm',
    stringExports: paths.stringExports,
    ambient: specifierOf(module.name),
    fileName: posix.basename(`${name}.d.ts`),
    source: {
      // Not percent-encoded: TypeScript treats it as a path, not as part of a URL.
      path: toPosix(relative(join(path, '..'), source)),
      lines: new Map(lines),
    },
  })
  return [
    { path, text },
    {
      path: join(declarationsDir(paths), 'uilm', name, `${lookupName}.d.ts`),
      text: emitLookupTypes(module),
    },
    { path: `${path}.map`, text: map },
  ]
}

const toPosix = (path: string): string => path.split(sep).join('/')
