import { entryNames, runtimeName } from '../model/names.ts'
import { type RuntimeFile, runtimeFile } from '../runtime-files.ts'
import { emitProject, type ProjectConfig } from './project-config.ts'
import { reactives } from './server.ts'

/** Folder of the files of the runtime in a compiled program. No module has a name of this form. */
export const internalDir = 'internal$'

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
]

/** Part of the configuration of a program on which its runtime depends. */
export interface ProgramRuntimeConfig {
  readonly project: ProjectConfig
  readonly isReact: boolean
  readonly i18next: boolean
}

/** Returns the files of the runtime and its entries: their names, and functions that emit them. */
export function programRuntime({
  project,
  isReact,
  i18next,
}: ProgramRuntimeConfig): ReadonlyMap<string, () => string> {
  const entries = entryNames.filter((name) => i18next || name !== 'i18next')
  const internal: readonly RuntimeFile[] = [
    ...files,
    ...entries,
    ...(isReact ? (['react-markup'] as const) : []),
  ]
  return new Map<string, () => string>([
    ...internal.map((name) => [`${internalDir}/${name}`, () => withoutCheck(name)] as const),
    [`${internalDir}/project`, () => emitProject(project)],
    [`${internalDir}/${runtimeName}`, () => "export * from './program-runtime.js'\n"],
    ...[runtimeName, ...entries].map((name) => [name, () => entryCode(name)] as const),
  ])
}

/** The files are typed for this repository, not for the compiler options of an application. */
const withoutCheck = (name: RuntimeFile): string => `// @ts-nocheck\n${runtimeFile(name)}`

function entryCode(name: string): string {
  const all = `export * from './${internalDir}/${name}.js'\n`
  if (!reactives.some((reactive) => reactive === name)) return all
  return `import { onRead } from './${internalDir}/observe.js'
import { read } from './${internalDir}/${name}.js'
${all}onRead(read)
`
}
