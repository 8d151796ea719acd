import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Component } from './component.ts'
import { readSvelte } from './svelte-component.ts'
import { readVue } from './vue-component.ts'

/** Reads components with the compilers installed in the application. */
export interface ComponentReader {
  /** Returns the component, or the reason why it cannot be read. */
  readonly read: (path: string, text: string) => Component | string
}

export function createComponentReader(root: string): ComponentReader {
  const require = createRequire(join(root, 'package.json'))
  const known = new Map<string, unknown>()
  const load = (name: string): unknown => {
    if (!known.has(name)) {
      try {
        known.set(name, require(name))
      } catch {
        known.set(name, undefined)
      }
    }
    return known.get(name)
  }
  return {
    read(path, text) {
      const isVue = path.endsWith('.vue')
      const name = isVue ? 'vue/compiler-sfc' : 'svelte/compiler'
      const compiler = load(name)
      if (!compiler) return `${name}, which reads components, is not installed in the application`
      try {
        return isVue
          ? readVue(compiler as Parameters<typeof readVue>[0], text)
          : readSvelte(compiler as Parameters<typeof readSvelte>[0], text)
      } catch (error) {
        return `the component cannot be read: ${(error as Error).message.split('\n')[0]}`
      }
    },
  }
}
