import { readFileSync } from 'node:fs'

/** This file must stay one level below the package, in src and in dist. */
const readRuntime = (name: string): string =>
  withoutTypes(readFileSync(new URL(`../runtime/${name}.js`, import.meta.url), 'utf8'))

/** The declarations have the types; in the code they would only cost bytes. */
const withoutTypes = (code: string): string =>
  code
    .replaceAll(/(?:^ *)?\/\*\* @(?:type|param) [^\n]*?\*\/(?:$\n| )?/gm, '')
    .replaceAll(/^ *\* @(?:type|param|typedef) .*\n/gm, '')

/** Source of the runtime, with `__UILM_…__` placeholders for the project configuration. */
export const runtimeTemplate: string = readRuntime('runtime')

/** Modules for servers in `runtime/`: the functions, and an adapter for each framework. */
export const serverModules = [
  'server',
  'astro',
  'express',
  'hono',
  'react-router',
  'solid-start',
  'sveltekit',
] as const

/**
 * Returns the source of a module for servers, which imports `./runtime.js` and
 * `./server.js`.
 */
export const serverTemplate = (name: (typeof serverModules)[number]): string => readRuntime(name)
