import { createRequire } from 'node:module'
import { join } from 'node:path'
import { memoize } from '@servicekit/core'
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
  const load = memoize((name: string): unknown => {
    try {
      return require(name)
    } catch {
      return undefined
    }
  })
  return {
    read(path, text) {
      const isVue = path.endsWith('.vue')
      const name = isVue ? 'vue/compiler-sfc' : 'svelte/compiler'
      const compiler = load(name)
      if (!compiler) return `${name} is not installed in the application`
      try {
        return isVue
          ? readVue(compiler as Parameters<typeof readVue>[0], text)
          : readSvelte(compiler as Parameters<typeof readSvelte>[0], text)
      } catch (error) {
        return `the component cannot be parsed: ${(error as Error).message.split('\n')[0]}`
      }
    },
  }
}
