import { readFileSync } from 'node:fs'

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
export const runtimeFile = (name: RuntimeFile): string =>
  // This file must stay one level below the package, in src and in dist.
  readFileSync(new URL(`../runtime/${name}.js`, import.meta.url), 'utf8')
