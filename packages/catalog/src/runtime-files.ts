import { readFileSync } from 'node:fs'
import type { entryNames } from './model/names.ts'

/** Files of `runtime/`, which applications get unchanged. */
const files = [
  'astro',
  'changes',
  'chosen-language',
  'current-language',
  'detect-language',
  'express',
  'hono',
  'i18next',
  'languages',
  'live',
  'localizer',
  'messages',
  'observe',
  'one-language-runtime',
  'page-runtime',
  'program-runtime',
  'react',
  'react-markup',
  'react-router',
  'root',
  'scope',
  'scoped',
  'server',
  'server-runtime',
  'solid',
  'solid-start',
  'static-pack',
  'svelte',
  'sveltekit',
  'sync-language',
  'time-zone',
  'tracked',
  'vue',
  'vue-markup',
] as const

/** Name of a file of the runtime. */
export type RuntimeFile = (typeof files)[number]

export const isRuntimeFile = (name: string): name is RuntimeFile =>
  files.some((file) => file === name)

/**
 * Returns the code of a file of the runtime. It imports others as `./changes.js`, and three that
 * depend on the project: `./runtime.js`, which re-exports one of the files that end with
 * `-runtime`, `./project.js` (`emitProject`) and `./i18next-resources.js` (`emitI18nextResourceList`).
 */
export const runtimeFile = (name: RuntimeFile): string => readPackageFile(`runtime/${name}.js`)

/** Returns the code of {@link runtimeFile} as CommonJS, which the TypeScript compiler writes. */
export const runtimeFileAsCommonJs = (name: RuntimeFile): string =>
  readPackageFile(`dist/commonjs/${name}.js`)

/** Name of a file of `declarations/`. */
type DeclarationFile = 'localizer' | 'runtime' | Exclude<(typeof entryNames)[number], 'i18next'>

/**
 * Returns the declarations of a file of the runtime, without those that depend on the project.
 * `Language` must be in scope. They import others as `./server.js`.
 */
export const declarationFile = (name: DeclarationFile): string =>
  readPackageFile(`declarations/${name}.d.ts`)

// This file must stay one level below the package, in src and in dist.
const readPackageFile = (path: string): string =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
