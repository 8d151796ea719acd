import { join, posix, relative, sep } from 'node:path'
import type { Model, ModuleModel } from '../model.ts'
import { importNameOf, lookupName } from '../names.ts'
import { linesOfKeys, snapshotPath } from '../snapshot.ts'
import type { EmittedFile } from '../write.ts'
import { emitI18nextTypes } from './i18next.ts'
import { emitLookupTypes } from './lookup.ts'
import { emitRuntimeTypes } from './runtime.ts'
import { emitTypes } from './types.ts'

export interface DeclarationPaths {
  /** Output folder of `uilm.d.ts` and `uilm/<module>.d.ts`. */
  readonly outDir: string
  readonly snapshotDir: string
}

/**
 * Emits the declarations for `~uilm` and each `~uilm/<module>`. TypeScript resolves them
 * through these `paths` in the tsconfig:
 *
 * ```json
 * {"paths": {"~uilm": ["./.servicekit/uilm.d.ts"], "~uilm/*": ["./.servicekit/uilm/*.d.ts"]}}
 * ```
 *
 * @param modules Names of the modules to emit. By default all modules and the shared
 * files.
 */
export function emitDeclarations(
  model: Model,
  paths: DeclarationPaths,
  modules?: ReadonlySet<string>,
): readonly EmittedFile[] {
  const i18nextTypes = {
    path: join(paths.outDir, 'uilm', 'i18next.d.ts'),
    text: emitI18nextTypes(model),
  }
  if (modules) {
    return [
      // The only file that contains the messages of all modules.
      i18nextTypes,
      ...model.modules
        .filter(({ name }) => modules.has(name))
        .flatMap((module) => emitModuleDeclarations(model, module, paths)),
    ]
  }
  return [
    { path: join(paths.outDir, 'uilm.d.ts'), text: emitRuntimeTypes(model.catalog) },
    { path: join(paths.outDir, 'uilm', 'react.d.ts'), text: reactTypes },
    i18nextTypes,
    ...model.modules.flatMap((module) => emitModuleDeclarations(model, module, paths)),
  ]
}

/** Emits the declarations of one module and their source map. */
function emitModuleDeclarations(
  model: Model,
  module: ModuleModel,
  paths: DeclarationPaths,
): readonly EmittedFile[] {
  const name = importNameOf(module.name)
  const path = join(paths.outDir, 'uilm', `${name}.d.ts`)
  const { defaultLanguage } = model.catalog
  const snapshot = join(paths.snapshotDir, snapshotPath(defaultLanguage, module.name))
  const emitted = emitTypes({
    module,
    catalog: model.catalog,
    runtime: `${'../'.repeat(name.split('/').length)}uilm.js`,
    fileName: posix.basename(`${name}.d.ts`),
    source: {
      // Not percent-encoded: TypeScript treats it as a path, not as part of a URL.
      path: relative(join(path, '..'), snapshot).split(sep).join('/'),
      lines: linesOfKeys(module.source.translations.get(defaultLanguage) ?? new Map()),
    },
  })
  return [
    { path, text: emitted.text },
    {
      path: join(paths.outDir, 'uilm', name, `${lookupName}.d.ts`),
      text: emitLookupTypes(module),
    },
    { path: `${path}.map`, text: emitted.map ?? '' },
  ]
}

const reactTypes = `import type { Language } from '../uilm.js'

/**
 * Returns the current language and the function that changes it. The component renders
 * again when the language or a translation changes.
 */
export declare function useLanguage(): readonly [
  language: Language,
  setLanguage: (language: Language) => Promise<void>,
]
`
