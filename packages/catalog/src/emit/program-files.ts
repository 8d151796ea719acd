import type { ModuleModel } from '../model/model.ts'
import { entryNames } from '../model/names.ts'
import { type AdapterName, adapterTypes } from './adapters.ts'
import { lookupTypes } from './lookup.ts'
import { reactives } from './reactives.ts'
import { noLint } from './types.ts'

/**
 * Returns a path in the specifier of an ES module, which is an address. Only `%` is escaped,
 * because Bun and bundlers read specifiers as paths.
 */
export const specifierPath = (path: string): string => path.replaceAll('%', '%25')

/** Emits the package.json of the output folder, which may also be installed as a package. */
export function emitManifest(sync: boolean): string {
  const esm = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const entry = (name: string) =>
    sync
      ? { import: esm(name), require: { types: `./${name}.d.cts`, default: `./${name}.cjs` } }
      : esm(name)
  const manifest = {
    private: true,
    type: 'module',
    // They observe the calls of messages.
    sideEffects: reactives.flatMap((name) =>
      sync ? [`./${name}.js`, `./${name}.cjs`] : [`./${name}.js`],
    ),
    main: sync ? './runtime.cjs' : './runtime.js',
    types: './runtime.d.ts',
    exports: { '.': entry('runtime'), './*': entry('*') },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Emits the addresses of `~uilm/…` relative to the output folder. */
export function emitImportMap(modules: readonly string[], i18next: boolean): string {
  const entries = entryNames.filter((name) => i18next || name !== 'i18next')
  const names = [...entries, ...modules]
  const imports = Object.fromEntries([
    ['~uilm', './runtime.js'],
    ...names.map((name) => [`~uilm/${name}`, `./${specifierPath(name)}.js`]),
    ...modules.map((name) => [`~uilm/${name}/messages`, `./${specifierPath(name)}/messages.js`]),
  ])
  return `${JSON.stringify({ imports }, null, 2)}\n`
}

/** Emits the declarations of an adapter that is a file next to the runtime. */
export const emitAdapterTypes = (name: AdapterName, extension: string): string =>
  `${noLint}
import type { Language } from './runtime.${extension}'

${adapterTypes(name, `./server.${extension}`)}`

/** Emits the declarations of a lookup that is a file. */
export const emitProgramLookupTypes = (
  module: ModuleModel,
  specifier: string,
  runtime: string,
): string => `${noLint}\n${lookupTypes(module, specifier, runtime)}`
