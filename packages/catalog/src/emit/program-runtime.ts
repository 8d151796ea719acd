import { entryNames } from '../model/names.ts'
import type { RuntimeFile } from '../runtime-files.ts'
import type { ModuleCode } from './module-code.ts'
import { reactives } from './reactives.ts'

/** Folder of the files of the runtime in a compiled program. No module has a name of this form. */
export const internalDir = 'internal$'

/** Folder of the same files as CommonJS. */
export const commonJsDir = `${internalDir}/commonjs`

const files: readonly RuntimeFile[] = [
  'changes',
  'chosen-language',
  'current-language',
  'detect-language',
  'languages',
  'localizer',
  'messages',
  'observe',
  'page-runtime',
  'program-runtime',
  'root',
  'scope',
  'scoped',
  'static-pack',
  'sync-language',
  'time-zone',
  'tracked',
  'vue-markup',
]

/** Part of the configuration of a program on which its runtime depends. */
export interface ProgramRuntimeConfig {
  readonly isReact: boolean
  readonly i18next: boolean
}

/** Returns the files that a program needs of `runtime/`. */
export const programRuntime = ({
  isReact,
  i18next,
}: ProgramRuntimeConfig): readonly RuntimeFile[] => [
  ...files,
  ...entryNames.filter((name) => i18next || name !== 'i18next'),
  ...(isReact ? (['react-markup'] as const) : []),
]

/**
 * Returns the code of the entry for the runtime or an adapter.
 *
 * @param folder Folder of the files of the runtime.
 */
export function entryModule(name: string, folder: string): ModuleCode {
  const file = (name: string): string => `./${folder}/${name}.js`
  const all = { exportAll: file(name) }
  if (!reactives.some((reactive) => reactive === name)) return [all]
  return [
    { import: { onRead: 'onRead' }, from: file('observe') },
    { import: { read: 'read' }, from: file(name) },
    all,
    { run: 'onRead(read)' },
  ]
}
