import type { ESTree } from 'vite'

/** Returns the directive that a file starts with. */
export function directiveOf(program: ESTree.Program): 'client' | 'server' | undefined {
  for (const node of program.body) {
    const directive = 'directive' in node ? node.directive : undefined
    if (typeof directive !== 'string') return undefined
    if (directive === 'use client') return 'client'
    if (directive === 'use server') return 'server'
  }
  return undefined
}
